/** The messages about passkeys between a browser and the service (Web Authentication, level 3). */
import { z } from 'zod'
import * as shape from './shapes.ts'

/** Bytes as base64url. A credential id has at most 1023 bytes. */
export const bytes = z.string().regex(/^[\w-]{1,8192}$/)
export const credentialId = z.string().regex(/^[\w-]{1,1364}$/)
export const listedCredential = z.object({
  id: credentialId,
  transports: z
    .array(z.string())
    .describe('How the browser can reach the authenticator that stores the passkey.'),
})

export const challenge = z.object({
  rpId: z.string().describe('The domain that the passkeys belong to.'),
  challenge: bytes.describe('The bytes to sign. They are valid once and for five minutes.'),
})
export const signed = z.object({
  id: credentialId,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.optional(),
  }),
})

/** What a browser needs to create a passkey. */
export const creation = challenge.extend({
  user: z.object({ id: bytes, name: z.string(), displayName: z.string() }),
  algorithms: z.array(z.number()).describe('COSE algorithm identifiers, preferred first.'),
  excluded: z.array(listedCredential).describe('The passkeys that the account already has.'),
})
/** A passkey that a browser has created. */
export const created = z.object({
  name: shape.personName.describe('A name that helps you recognize the passkey.'),
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
})

export const listedPasskey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: shape.timestamp,
  lastUsedAt: shape.timestamp.nullable(),
})
export const ownPasskey = listedPasskey.extend({
  copiedAt: shape.timestamp
    .nullable()
    .describe('When somebody last tried to use a copy of the passkey; null: never.'),
})
export const passkeyId = z.string().regex(/^\d{1,18}$/)
