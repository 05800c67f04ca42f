/** The operators' area. Everything here needs an operator's own log-in; what each role may do stands with the endpoint. */
import { z } from 'zod'
import {
  listClientApps,
  readClientApp,
  createClientApp,
  changeClientApp,
  activateClientApp,
  rotateClientSecret,
  revokeClientSecret,
} from './admin-app-endpoints.ts'
import {
  ANY_ADMIN_GET,
  ANY_ADMIN_POST,
  defineAdminEndpoint,
  nextCursor,
  nothing,
  page,
  ROLES,
} from './admin-endpoint.ts'
import { defineEndpoint } from './endpoint.ts'
import * as shape from './shapes.ts'
import { ANY_PAGE_POST } from './widget-endpoints.ts'

export {
  listClientApps,
  readClientApp,
  createClientApp,
  changeClientApp,
  activateClientApp,
  rotateClientSecret,
  revokeClientSecret,
} from './admin-app-endpoints.ts'
export { ROLES, type AdminEndpoint, type Role } from './admin-endpoint.ts'

/* Signing in: password, then a code of the authenticator (or a recovery code). */

export const logInToAdmin = defineEndpoint({
  method: 'POST',
  path: '/api/admin/log-in',
  summary: 'Begin to log in',
  description: 'With the password. The first time, the authenticator is set up with the secret.',
  input: z.object({ email: shape.email, password: shape.password }),
  answer: z.object({
    step: z.enum(['code', 'enroll']),
    ticket: shape.ticket,
    totpUri: z.string().optional().describe('With enroll: otpauth://…, to be shown as a QR code.'),
  }),
  errors: { ...ANY_PAGE_POST, LOGIN_FAILED: {} },
})

export const finishAdminLogIn = defineEndpoint({
  method: 'POST',
  path: '/api/admin/log-in/code',
  summary: 'Finish to log in',
  description: 'With a code of the authenticator or a recovery code; neither works twice.',
  input: z.object({ ticket: shape.ticket, code: z.string().min(6).max(32) }),
  answer: z.object({
    recoveryCodes: z.array(z.string()).optional().describe('After enrolling; shown once.'),
  }),
  errors: { ...ANY_PAGE_POST, CODE_INVALID: {} },
})

export const logOutOfAdmin = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/log-out',
  summary: 'Log out',
  description: 'Ends this log-in.',
  role: 'viewer',
  input: nothing,
  answer: nothing,
  errors: ANY_ADMIN_POST,
})

export const confirmOperator = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/confirm',
  summary: 'Confirm who you are',
  description: 'Password and code once more; dangerous actions are then possible for five minutes.',
  role: 'viewer',
  input: z.object({ password: shape.password, code: z.string().min(6).max(32) }),
  answer: nothing,
  errors: { ...ANY_ADMIN_POST, LOGIN_FAILED: {}, CODE_INVALID: {} },
})

export const readOperator = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/me',
  summary: 'Who am I',
  description: 'The operator who is logged in.',
  role: 'viewer',
  input: nothing,
  answer: z.object({ email: z.string(), name: z.string(), role: z.enum(ROLES) }),
  errors: ANY_ADMIN_GET,
})

/* Operators. */

const operator = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  isActive: z.boolean(),
  hasAuthenticator: z.boolean(),
  createdBy: z.string().nullable(),
  createdAt: shape.timestamp,
  lastSeenAt: shape.timestamp.nullable(),
})

export const listOperators = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/operators',
  summary: 'List operators',
  description: 'All of them, newest last.',
  role: 'viewer',
  input: nothing,
  answer: z.object({ operators: z.array(operator) }),
  errors: ANY_ADMIN_GET,
})

export const createOperator = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/operators',
  summary: 'Create an operator',
  description: 'The first password is shown once; the authenticator is set up at the first log-in.',
  role: 'owner',
  isDangerous: true,
  input: z.object({ email: shape.email, name: shape.personName, role: z.enum(ROLES) }),
  answer: z.object({ id: z.string(), password: z.string() }),
  errors: {
    ...ANY_ADMIN_POST,
    OPERATOR_FORBIDDEN: {},
    CONFIRMATION_REQUIRED: {},
    EMAIL_TAKEN: {},
  },
})

export const changeOperator = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/operators/change',
  summary: 'Change an operator',
  description:
    'Role, whether active, or a new authenticator. The last active owner stays what they are.',
  role: 'owner',
  isDangerous: true,
  input: z.object({
    id: z.string().max(64),
    role: z.enum(ROLES).optional(),
    isActive: z.boolean().optional(),
    resetAuthenticator: z.boolean().optional(),
  }),
  answer: nothing,
  errors: { ...ANY_ADMIN_POST, OPERATOR_FORBIDDEN: {}, CONFIRMATION_REQUIRED: {}, NOT_FOUND: {} },
})

/* The audit log. */

const auditFilter = {
  search: z.string().max(100).optional().describe('In the actor, the action and the subject.'),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
}

export const readAudit = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/audit',
  summary: 'Read the audit log',
  description: 'Every action: by whom, from where, before and after; newest first.',
  role: 'viewer',
  input: z.object({ ...auditFilter, ...page }),
  answer: z.object({
    entries: z.array(
      z.object({
        id: z.string(),
        at: shape.timestamp,
        actor: z.string(),
        address: z.string().nullable(),
        action: z.string(),
        subject: z.string().nullable(),
        before: z.string().nullable().describe('JSON.'),
        after: z.string().nullable().describe('JSON.'),
      }),
    ),
    nextCursor,
  }),
  errors: ANY_ADMIN_GET,
})

/** Answers with text/csv and streams. */
export const exportAudit = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/audit.csv',
  summary: 'Export the audit log',
  description: 'The same entries as a CSV file.',
  role: 'viewer',
  input: z.object(auditFilter),
  answer: nothing,
  errors: ANY_ADMIN_GET,
})

export const ADMIN_DOOR_ENDPOINTS = { logInToAdmin, finishAdminLogIn }

export const ADMIN_ENDPOINTS = {
  logOutOfAdmin,
  confirmOperator,
  readOperator,
  listOperators,
  createOperator,
  changeOperator,
  listClientApps,
  readClientApp,
  createClientApp,
  changeClientApp,
  activateClientApp,
  rotateClientSecret,
  revokeClientSecret,
  readAudit,
  exportAudit,
}
