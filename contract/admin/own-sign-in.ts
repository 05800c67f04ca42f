/** An operator's own sign-in settings: passkeys, password, recovery codes, active logins. */
import { z } from 'zod'
import * as shape from '../shapes.ts'
import { ANY_ADMIN_GET, ANY_ADMIN_POST, defineAdminEndpoint, nothing } from './endpoint.ts'
import * as passkey from './passkey-shapes.ts'

export const readSignIn = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/sign-in/settings',
  summary: 'Read your own sign-in',
  description: 'Passkeys, recovery codes that are left, and where you are logged in.',
  role: 'viewer',
  input: nothing,
  answer: z.object({
    recoveryCodesLeft: z.number(),
    passkeys: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        createdAt: shape.timestamp,
        lastUsedAt: shape.timestamp.nullable(),
      }),
    ),
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
  summary: 'Begin to add a passkey',
  description: 'What the browser needs to make one.',
  role: 'viewer',
  isDangerous: true,
  input: nothing,
  answer: passkey.challenge.extend({
    user: z.object({ id: passkey.bytes, name: z.string(), displayName: z.string() }),
    algorithms: z.array(z.number()).describe('Of COSE, the best first.'),
    excluded: z.array(passkey.listedCredential).describe('Those that you have already.'),
  }),
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
  description: 'From then on it logs you in.',
  role: 'viewer',
  isDangerous: true,
  input: z.object({
    name: shape.personName.describe('By which you will know it.'),
    passkey: z.object({
      id: passkey.credentialId,
      response: z.object({
        clientDataJSON: passkey.bytes,
        attestationObject: passkey.bytes,
        transports: z
          .array(z.string().regex(/^[a-z-]{1,32}$/))
          .max(10)
          .optional(),
      }),
    }),
  }),
  answer: nothing,
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
  description: 'It logs nobody in any more.',
  role: 'viewer',
  isDangerous: true,
  input: z.object({ id: z.string().regex(/^\d{1,18}$/) }),
  answer: nothing,
  errors: { ...ANY_ADMIN_POST, CONFIRMATION_REQUIRED: {}, NOT_FOUND: {} },
})

export const changeOwnPassword = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/password',
  summary: 'Change your own password',
  description: 'Ends your other log-ins.',
  role: 'viewer',
  isDangerous: true,
  input: z.object({ newPassword: shape.password }),
  answer: nothing,
  errors: { ...ANY_ADMIN_POST, CONFIRMATION_REQUIRED: {}, PASSWORD_REFUSED: {} },
})

export const renewRecoveryCodes = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/recovery-codes',
  summary: 'Renew your recovery codes',
  description: 'Shown once; the old ones stop working.',
  role: 'viewer',
  isDangerous: true,
  input: nothing,
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: { ...ANY_ADMIN_POST, CONFIRMATION_REQUIRED: {} },
})

export const endOwnLogIn = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/log-ins/end',
  summary: 'End one of your log-ins',
  description: 'One that has ended already is ended.',
  role: 'viewer',
  input: z.object({ id: z.uuid() }),
  answer: nothing,
  errors: ANY_ADMIN_POST,
})

export const endOtherLogIns = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/sign-in/log-ins/end-others',
  summary: 'End your other log-ins',
  description: 'All but the one that asks.',
  role: 'viewer',
  input: nothing,
  answer: nothing,
  errors: ANY_ADMIN_POST,
})
