/** Signing in to the admin area, confirming your identity before a sensitive action, and signing out. */
import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import * as shape from '../shapes.ts'
import { ANY_PAGE_POST } from '../widget/widget.ts'
import { ANY_ADMIN_GET, ANY_ADMIN_POST, defineAdminEndpoint, nothing, ROLES } from './endpoint.ts'
import * as passkey from '../passkey-shapes.ts'

export const logInToAdmin = defineEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in',
  summary: 'Start to log in',
  description: 'Checks the password. At the first login, returns the secret for the authenticator.',
  input: z.object({ email: shape.email, password: shape.password }),
  response: z.object({
    step: z.enum(['code', 'enroll']),
    ticket: shape.ticket,
    totpUri: z.string().optional().describe('With enroll: an otpauth:// URI for the QR code.'),
  }),
  errors: { ...ANY_PAGE_POST, LOGIN_FAILED: {} },
})

export const finishAdminLogIn = defineEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/code',
  summary: 'Finish logging in',
  description: 'Checks a code from the authenticator or a recovery code. Every code works once.',
  input: z.object({ ticket: shape.ticket, code: shape.text(6, 32) }),
  response: z.object({
    recoveryCodes: z.array(z.string()).optional().describe('After enrolling; shown once.'),
  }),
  errors: { ...ANY_PAGE_POST, CODE_INVALID: {} },
})

export const beginPasskeyLogIn = defineEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/passkey',
  summary: 'Start to log in with a passkey',
  description: 'Needs no email: the browser offers the passkeys that it has.',
  input: nothing,
  response: passkey.challenge,
  errors: { ...ANY_PAGE_POST, PASSKEY_INVALID: {} },
})

export const logInByPasskey = defineEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/passkey/finish',
  summary: 'Log in with a passkey',
  description: 'A passkey verifies both possession and identity, so no password or code is needed.',
  input: z.object({ passkey: passkey.signed }),
  response: nothing,
  errors: { ...ANY_PAGE_POST, PASSKEY_INVALID: {} },
})

export const logOutOfAdmin = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/log-out',
  summary: 'Log out',
  description: 'Ends this login.',
  role: 'viewer',
  input: nothing,
  response: nothing,
  errors: ANY_ADMIN_POST,
})

export const confirmOperator = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/confirm',
  summary: 'Confirm your identity',
  description: 'Checks password and code again. Allows sensitive actions for five minutes.',
  role: 'viewer',
  input: z.object({ password: shape.password, code: shape.text(6, 32) }),
  response: nothing,
  errors: { ...ANY_ADMIN_POST, LOGIN_FAILED: {}, CODE_INVALID: {} },
})

export const readOperator = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/sign-in/operator',
  summary: 'Read the current operator',
  description: 'Returns the operator who is logged in.',
  role: 'viewer',
  input: nothing,
  response: z.object({
    email: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    hasInitialPassword: z
      .boolean()
      .describe('Whether the operator still uses the initial password.'),
    hasPasskey: z.boolean(),
  }),
  errors: ANY_ADMIN_GET,
})

export const beginPasskeyConfirmation = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/sign-in/confirm/passkey',
  summary: 'Start to confirm with a passkey',
  description: 'Accepts your own passkeys only.',
  role: 'viewer',
  input: nothing,
  response: passkey.challenge.extend({ allowed: z.array(passkey.listedCredential) }),
  errors: { ...ANY_ADMIN_GET, PASSKEY_INVALID: {} },
})

export const confirmByPasskey = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/confirm/passkey',
  summary: 'Confirm your identity with a passkey',
  description: 'Replaces password and code. Allows sensitive actions for five minutes.',
  role: 'viewer',
  input: z.object({ passkey: passkey.signed }),
  response: nothing,
  errors: { ...ANY_ADMIN_POST, PASSKEY_INVALID: {} },
})
