/** The operator's own sign-in: passkeys, password, recovery codes, log-ins. */
import { z } from 'zod'
import { ANY_ADMIN_GET, ANY_ADMIN_POST, defineAdminEndpoint, nothing } from './endpoint.ts'
import { defineEndpoint } from '../endpoint.ts'
import * as shape from '../shapes.ts'
import { ANY_PAGE_POST } from '../widget-api.ts'

/* What a browser and a service say to each other about a passkey (Web Authentication, level 3). */

/** Bytes as base64url. A credential id has at most 1023 of them. */
const bytes = z.string().regex(/^[\w-]{1,8192}$/)
const credentialId = z.string().regex(/^[\w-]{1,1364}$/)
const listedCredential = z.object({
  id: credentialId,
  transports: z.array(z.string()).describe('How the browser can reach what holds it.'),
})

const challenge = z.object({
  rpId: z.string().describe('The domain that the passkeys belong to.'),
  challenge: bytes.describe('To be signed; works once and for five minutes.'),
})
const signed = z.object({
  id: credentialId,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.optional(),
  }),
})

/* At the door. */

export const beginPasskeyLogIn = defineEndpoint({
  method: 'POST',
  path: '/api/admin/log-in/passkey',
  summary: 'Begin to log in by passkey',
  description: 'Whose passkey it will be is not asked: the browser offers those that it has.',
  input: nothing,
  answer: challenge,
  errors: { ...ANY_PAGE_POST, PASSKEY_INVALID: {} },
})

export const logInByPasskey = defineEndpoint({
  method: 'POST',
  path: '/api/admin/log-in/passkey/finish',
  summary: 'Log in by passkey',
  description: 'It is had and it is unlocked by its owner, so neither password nor code is asked.',
  input: z.object({ passkey: signed }),
  answer: nothing,
  errors: { ...ANY_PAGE_POST, PASSKEY_INVALID: {} },
})

/* Before what is dangerous. */

export const beginPasskeyConfirmation = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/confirm/passkey',
  summary: 'Begin to confirm by passkey',
  description: 'With one of your own.',
  role: 'viewer',
  input: nothing,
  answer: challenge.extend({ allowed: z.array(listedCredential) }),
  errors: { ...ANY_ADMIN_GET, PASSKEY_INVALID: {} },
})

export const confirmByPasskey = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/confirm/passkey',
  summary: 'Confirm who you are by passkey',
  description:
    'Instead of password and code; dangerous actions are then possible for five minutes.',
  role: 'viewer',
  input: z.object({ passkey: signed }),
  answer: nothing,
  errors: { ...ANY_ADMIN_POST, PASSKEY_INVALID: {} },
})

/* One's own page. */

export const readSignIn = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/me/sign-in',
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
  path: '/api/admin/me/passkeys/new',
  summary: 'Begin to add a passkey',
  description: 'What the browser needs to make one.',
  role: 'viewer',
  isDangerous: true,
  input: nothing,
  answer: challenge.extend({
    user: z.object({ id: bytes, name: z.string(), displayName: z.string() }),
    algorithms: z.array(z.number()).describe('Of COSE, the best first.'),
    excluded: z.array(listedCredential).describe('Those that you have already.'),
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
  path: '/api/admin/me/passkeys',
  summary: 'Add a passkey',
  description: 'From then on it logs you in.',
  role: 'viewer',
  isDangerous: true,
  input: z.object({
    name: shape.personName.describe('By which you will know it.'),
    passkey: z.object({
      id: credentialId,
      response: z.object({
        clientDataJSON: bytes,
        attestationObject: bytes,
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
  path: '/api/admin/me/passkeys/remove',
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
  path: '/api/admin/me/password',
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
  path: '/api/admin/me/recovery-codes',
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
  path: '/api/admin/me/log-ins/end',
  summary: 'End one of your log-ins',
  description: 'One that has ended already is ended.',
  role: 'viewer',
  input: z.object({ id: z.uuid() }),
  answer: nothing,
  errors: ANY_ADMIN_POST,
})

export const endOtherLogIns = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/me/log-ins/end-others',
  summary: 'End your other log-ins',
  description: 'All but the one that asks.',
  role: 'viewer',
  input: nothing,
  answer: nothing,
  errors: ANY_ADMIN_POST,
})

export const PASSKEY_DOOR_ENDPOINTS = { beginPasskeyLogIn, logInByPasskey }

export const SELF_ENDPOINTS = {
  beginPasskeyConfirmation,
  confirmByPasskey,
  readSignIn,
  beginPasskey,
  addPasskey,
  removePasskey,
  changeOwnPassword,
  renewRecoveryCodes,
  endOwnLogIn,
  endOtherLogIns,
}
