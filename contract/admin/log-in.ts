/** The log-in of an operator who is in. */
import { z } from 'zod'
import { ANY_ADMIN_GET, ANY_ADMIN_POST, defineAdminEndpoint, nothing, ROLES } from './endpoint.ts'
import * as shape from '../shapes.ts'

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
  answer: z.object({
    email: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    hasFirstPassword: z.boolean().describe('Still the one that was handed over.'),
    hasPasskey: z.boolean(),
  }),
  errors: ANY_ADMIN_GET,
})
