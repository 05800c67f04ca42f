/** Signing in to the operators' area: password, then a code of the authenticator (or a recovery code). */
import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import * as shape from '../shapes.ts'
import { ANY_PAGE_POST } from '../widget-api.ts'

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
