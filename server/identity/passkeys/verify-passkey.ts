/**
 * The only file that uses the WebAuthn library. The library throws on invalid input; these functions return undefined.
 * It has hundreds of files, so it is loaded at the first use.
 */
import type * as shapes from '@coffer/contract/passkey-shapes'
import type { z } from 'zod'
import type { RelyingParty } from '../../http/find-relying-party.ts'

export type PasskeySignature = z.output<typeof shapes.signed>
export type PasskeyRegistration = z.output<typeof shapes.created>['passkey']

export interface RegisteredKey {
  credentialId: Buffer
  publicKey: Buffer
  signCount: number
}

/** ES256, which nearly all authenticators support, then Ed25519 and RS256. */
export const ALGORITHMS = [-7, -8, -257]

interface ClientData {
  challenge?: unknown
  /** Whether the page was in a frame of another origin. */
  crossOrigin?: unknown
  /** Of the page around the frame. */
  topOrigin?: unknown
}

/** What the browser reports. It must not be trusted before the signature is verified. */
function readClientData({ response }: PasskeySignature | PasskeyRegistration): ClientData {
  try {
    const text = Buffer.from(response.clientDataJSON, 'base64url').toString()
    return (JSON.parse(text) as ClientData | null) ?? {}
  } catch {
    return {}
  }
}

export function readChallenge(response: PasskeySignature | PasskeyRegistration) {
  const { challenge } = readClientData(response)
  return typeof challenge === 'string' ? challenge : undefined
}

/** In a frame, the page around it must be an allowed one. The library accepts a frame without a `topOrigin`. */
function isPlaceRight(
  { topOrigins }: RelyingParty,
  response: PasskeySignature | PasskeyRegistration,
): boolean {
  const { crossOrigin = false, topOrigin } = readClientData(response)
  if (topOrigins === undefined) return crossOrigin === false && topOrigin === undefined
  return crossOrigin === true && topOrigins.some((origin) => origin === topOrigin)
}

/** Returns the signature count, which the caller compares with the stored one. */
export async function verifySignature(
  party: RelyingParty,
  challenge: string,
  signed: PasskeySignature,
  key: Pick<RegisteredKey, 'publicKey'>,
): Promise<number | undefined> {
  if (!isPlaceRight(party, signed)) return undefined
  const { id, response } = signed
  try {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const { userHandle, ...signature } = response
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...complete(id),
        response: { ...signature, ...(userHandle !== undefined && { userHandle }) },
      },
      ...expected(party, challenge),
      ...(party.topOrigins && { expectedTopOrigin: [...party.topOrigins] }),
      credential: { id, publicKey: new Uint8Array(key.publicKey), counter: 0 },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}

export async function verifyRegistration(
  party: RelyingParty,
  challenge: string,
  registration: PasskeyRegistration,
): Promise<RegisteredKey | undefined> {
  if (!isPlaceRight(party, registration)) return undefined
  const { id, response } = registration
  try {
    const { clientDataJSON, attestationObject } = response
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
    if (await hasCertificates(attestationObject)) return undefined
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...complete(id), response: { clientDataJSON, attestationObject } },
      ...expected(party, challenge),
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (registrationInfo === undefined || registrationInfo.credential.id !== id) return undefined
    const { publicKey, counter } = registrationInfo.credential
    return {
      credentialId: Buffer.from(id, 'base64url'),
      publicKey: Buffer.from(publicKey),
      signCount: counter,
    }
  } catch {
    return undefined
  }
}

/** The service requests no attestation, and verifying one could make it fetch URLs that the attestation contains. */
async function hasCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(
    new Uint8Array(Buffer.from(attestationObject, 'base64url')),
  )
  const isOwnSignature = decoded.get('fmt') === 'packed' && !decoded.get('attStmt').get('x5c')
  return decoded.get('fmt') !== 'none' && !isOwnSignature
}

function complete(id: string) {
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {} } as const
}

function expected({ id, origin }: RelyingParty, expectedChallenge: string) {
  return {
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
  }
}
