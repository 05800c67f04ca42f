/** The only file that knows the library. What it does not like, it throws; here it is a value: undefined. */
import type { addPasskey } from '@coffer/contract/admin/own-sign-in'
import type { logInByPasskey } from '@coffer/contract/admin/sign-in'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import type { z } from 'zod'
import type { RelyingParty } from '../../http/find-relying-party.ts'
import type { NewPasskey, PasskeyRow } from '../passkey-queries.ts'

export type Signed = z.output<typeof logInByPasskey.input>['passkey']
export type Made = z.output<typeof addPasskey.input>['passkey']

/** ES256, which nearly all have, then Ed25519 and RS256. */
export const ALGORITHMS = [-7, -8, -257]

/** What the browser says was signed; it counts when the signature was checked. */
export function readChallenge({ response }: Signed | Made): string | undefined {
  try {
    const text = Buffer.from(response.clientDataJSON, 'base64url').toString()
    const { challenge } = JSON.parse(text) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

/** Returns the count of signatures. Whether it fits is decided where it is stored, once the signature is known good. */
export async function verifySigned(
  party: RelyingParty,
  challenge: string,
  { id, response }: Signed,
  key: Pick<PasskeyRow, 'public_key'>,
): Promise<number | undefined> {
  try {
    const { userHandle, ...signature } = response
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...complete(id),
        response: { ...signature, ...(userHandle !== undefined && { userHandle }) },
      },
      ...expected(party, challenge),
      credential: { id, publicKey: new Uint8Array(key.public_key), counter: 0 },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}

export async function verifyMade(
  party: RelyingParty,
  challenge: string,
  { id, response }: Made,
): Promise<Pick<NewPasskey, 'credentialId' | 'publicKey' | 'signCount'> | undefined> {
  try {
    const { clientDataJSON, attestationObject } = response
    if (bringsCertificates(attestationObject)) return undefined
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

/** We ask for none, and checking one could make us fetch addresses that it names. */
function bringsCertificates(attestationObject: string): boolean {
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
