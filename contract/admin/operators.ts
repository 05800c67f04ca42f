/** Operators in the admin area. */
import { z } from 'zod'
import { ANY_ADMIN_GET, ANY_ADMIN_POST, defineAdminEndpoint, nothing, ROLES } from './endpoint.ts'
import * as shape from '../shapes.ts'

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
  description: 'Returns all operators, newest last.',
  role: 'viewer',
  input: nothing,
  response: z.object({ operators: z.array(operator) }),
  errors: ANY_ADMIN_GET,
})

export const createOperator = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/operators',
  summary: 'Create an operator',
  description:
    'Shows the initial password once. The operator sets up an authenticator at the first login.',
  role: 'owner',
  needsConfirmation: true,
  input: z.object({ email: shape.email, name: shape.personName, role: z.enum(ROLES) }),
  response: z.object({ id: z.string(), password: z.string() }),
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
    'Changes the role, activates or deactivates the operator, or resets the authenticator. The last active owner cannot be changed.',
  role: 'owner',
  needsConfirmation: true,
  input: z.object({
    id: shape.id,
    role: z.enum(ROLES).optional(),
    isActive: z.boolean().optional(),
    resetAuthenticator: z.boolean().optional(),
  }),
  response: nothing,
  errors: { ...ANY_ADMIN_POST, OPERATOR_FORBIDDEN: {}, CONFIRMATION_REQUIRED: {}, NOT_FOUND: {} },
})
