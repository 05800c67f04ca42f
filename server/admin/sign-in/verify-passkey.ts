/**
 * The only file that uses the WebAuthn library. The library throws on invalid input; these functions return undefined.
 * It has hundreds of files, so it is loaded at the first use.
 */
import type { addPasskey } from '@coffer/contract/admin/own-sign-in'
import type { logInByPasskey } from '@coffer/contract/admin/sign-in'
import type { z } from 'zod'
import type { RelyingParty } from '../../http/find-relying-party.ts'
import type { NewPasskey, Passkey } from './passkey-queries.ts'

export type PasskeySignature = z.output<typeof logInByPasskey.input>['passkey']
export type PasskeyRegistration = z.output<typeof addPasskey.input>['passkey']

/** ES256, which nearly all authenticators support, then Ed25519 and RS256. */
export const ALGORITHMS = [-7, -8, -257]

/** The challenge that the browser reports. It must not be trusted before the signature is verified. */
export function readChallenge({
  response,
}: PasskeySignature | PasskeyRegistration): string | undefined {
  try {
    const text = Buffer.from(response.clientDataJSON, 'base64url').toString()
    const { challenge } = JSON.parse(text) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

/** Returns the signature count, which the caller compares with the stored one. */
export async function verifySignature(
  party: RelyingParty,
  challenge: string,
  { id, response }: PasskeySignature,
  key: Pick<Passkey, 'publicKey'>,
): Promise<number | undefined> {
  try {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const { userHandle, ...signature } = response
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...complete(id),
        response: { ...signature, ...(userHandle !== undefined && { userHandle }) },
      },
      ...expected(party, challenge),
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
  { id, response }: PasskeyRegistration,
): Promise<Pick<NewPasskey, 'credentialId' | 'publicKey' | 'signCount'> | undefined> {
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

/** We request none, and verifying one could make us fetch URLs that it contains. */
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
