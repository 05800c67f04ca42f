/** The messages about passkeys between a browser and the service (Web Authentication, level 3). */
import { z } from 'zod'

/** Bytes as base64url. A credential id has at most 1023 bytes. */
export const bytes = z.string().regex(/^[\w-]{1,8192}$/)
export const credentialId = z.string().regex(/^[\w-]{1,1364}$/)
export const listedCredential = z.object({
  id: credentialId,
  transports: z.array(z.string()).describe('How the browser can reach what holds it.'),
})

export const challenge = z.object({
  rpId: z.string().describe('The domain that the passkeys belong to.'),
  challenge: bytes.describe('To be signed; works once and for five minutes.'),
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
