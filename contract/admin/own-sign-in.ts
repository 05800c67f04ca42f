/** An operator's own sign-in settings: passkeys, password, recovery codes, active logins. */
import { z } from 'zod'
import * as shape from '../shapes.ts'
import { ANY_ADMIN_GET, ANY_ADMIN_POST, defineAdminEndpoint, nothing } from './endpoint.ts'
import * as passkey from '../passkey-shapes.ts'

export const readSignIn = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/sign-in/settings',
  summary: 'Read your own sign-in',
  description: 'Returns your passkeys, the number of unused recovery codes and your active logins.',
  role: 'viewer',
  input: nothing,
  response: z.object({
    recoveryCodesLeft: z.number(),
    passkeys: z.array(passkey.listedPasskey),
    logIns: z
      .array(
        z.object({
          id: z.string(),
          isThis: z.boolean(),
          device: z.string(),
          address: z.string(),
          createdAt: shape.timestamp,
          lastSeenAt: shape.timestamp,
        }),
      )
      .describe('Newest first, at most 50.'),
  }),
  errors: ANY_ADMIN_GET,
})

export const beginPasskey = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/sign-in/passkeys/new',
  summary: 'Start adding a passkey',
  description: 'Returns the options for the browser to create a passkey.',
  role: 'viewer',
  needsConfirmation: true,
  input: nothing,
  response: passkey.creation,
  errors: {
    ...ANY_ADMIN_GET,
    CONFIRMATION_REQUIRED: {},
    PASSKEY_INVALID: {},
    PASSKEY_LIMIT: {},
  },
})

export const addPasskey = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/passkeys',
  summary: 'Add a passkey',
  description: 'You can then log in with it.',
  role: 'viewer',
  needsConfirmation: true,
  input: passkey.created,
  response: nothing,
  errors: {
    ...ANY_ADMIN_POST,
    CONFIRMATION_REQUIRED: {},
    PASSKEY_INVALID: {},
    PASSKEY_LIMIT: {},
  },
})

export const removePasskey = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/passkeys/remove',
  summary: 'Remove a passkey',
  description: 'It can no longer be used to log in.',
  role: 'viewer',
  needsConfirmation: true,
  input: z.object({ id: passkey.passkeyId }),
  response: nothing,
  errors: { ...ANY_ADMIN_POST, CONFIRMATION_REQUIRED: {}, NOT_FOUND: {} },
})

export const changeOwnPassword = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/password',
  summary: 'Change your own password',
  description: 'Ends your other logins.',
  role: 'viewer',
  needsConfirmation: true,
  input: z.object({ newPassword: shape.password }),
  response: nothing,
  errors: { ...ANY_ADMIN_POST, CONFIRMATION_REQUIRED: {}, PASSWORD_REFUSED: {} },
})

export const renewRecoveryCodes = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/recovery-codes',
  summary: 'Renew your recovery codes',
  description: 'Shows the new codes once. The old codes stop working.',
  role: 'viewer',
  needsConfirmation: true,
  input: nothing,
  response: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: { ...ANY_ADMIN_POST, CONFIRMATION_REQUIRED: {} },
})

export const endOwnLogIn = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/log-ins/end',
  summary: 'End one of your logins',
  description: 'Has no effect on a login that has already ended.',
  role: 'viewer',
  input: z.object({ id: z.uuid() }),
  response: nothing,
  errors: ANY_ADMIN_POST,
})

export const endOtherLogIns = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/log-ins/end-others',
  summary: 'End your other logins',
  description: 'Ends all your logins except the current one.',
  role: 'viewer',
  input: nothing,
  response: nothing,
  errors: ANY_ADMIN_POST,
})
