/** Signing in to the admin area, confirming who you are before a dangerous action, and signing out. */
import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import * as shape from '../shapes.ts'
import { ANY_PAGE_POST } from '../widget-api.ts'
import { ANY_ADMIN_GET, ANY_ADMIN_POST, defineAdminEndpoint, nothing, ROLES } from './endpoint.ts'
import * as passkey from './passkey-shapes.ts'

export const logInToAdmin = defineEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in',
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
  path: '/api/admin/sign-in/code',
  summary: 'Finish to log in',
  description: 'With a code of the authenticator or a recovery code; neither works twice.',
  input: z.object({ ticket: shape.ticket, code: z.string().min(6).max(32) }),
  answer: z.object({
    recoveryCodes: z.array(z.string()).optional().describe('After enrolling; shown once.'),
  }),
  errors: { ...ANY_PAGE_POST, CODE_INVALID: {} },
})

export const beginPasskeyLogIn = defineEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/passkey',
  summary: 'Begin to log in by passkey',
  description: 'Whose passkey it will be is not asked: the browser offers those that it has.',
  input: nothing,
  answer: passkey.challenge,
  errors: { ...ANY_PAGE_POST, PASSKEY_INVALID: {} },
})

export const logInByPasskey = defineEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/passkey/finish',
  summary: 'Log in by passkey',
  description: 'It is had and it is unlocked by its owner, so neither password nor code is asked.',
  input: z.object({ passkey: passkey.signed }),
  answer: nothing,
  errors: { ...ANY_PAGE_POST, PASSKEY_INVALID: {} },
})

export const logOutOfAdmin = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/log-out',
  summary: 'Log out',
  description: 'Ends this log-in.',
  role: 'viewer',
  input: nothing,
  answer: nothing,
  errors: ANY_ADMIN_POST,
})

export const confirmOperator = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/confirm',
  summary: 'Confirm who you are',
  description: 'Password and code once more; dangerous actions are then possible for five minutes.',
  role: 'viewer',
  input: z.object({ password: shape.password, code: z.string().min(6).max(32) }),
  answer: nothing,
  errors: { ...ANY_ADMIN_POST, LOGIN_FAILED: {}, CODE_INVALID: {} },
})

export const readOperator = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/sign-in/operator',
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

export const beginPasskeyConfirmation = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/sign-in/confirm/passkey',
  summary: 'Begin to confirm by passkey',
  description: 'With one of your own.',
  role: 'viewer',
  input: nothing,
  answer: passkey.challenge.extend({ allowed: z.array(passkey.listedCredential) }),
  errors: { ...ANY_ADMIN_GET, PASSKEY_INVALID: {} },
})

export const confirmByPasskey = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/confirm/passkey',
  summary: 'Confirm who you are by passkey',
  description:
    'Instead of password and code; dangerous actions are then possible for five minutes.',
  role: 'viewer',
  input: z.object({ passkey: passkey.signed }),
  answer: nothing,
  errors: { ...ANY_ADMIN_POST, PASSKEY_INVALID: {} },
})
