/** A passkey signs a random challenge, which can be used only once. */
import { PASSKEY_CHALLENGE_MINUTES } from '@coffer/contract/limits'
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { run } from '../../database/statement.ts'
import type { RelyingParty } from '../../http/find-relying-party.ts'
import { ServiceError } from '../../service-error.ts'
import { hashToken } from '../require-operator.ts'
import { insertChallenge, takeChallenge, type Purpose } from './passkey-queries.ts'
import { readChallenge, type PasskeyRegistration, type PasskeySignature } from './verify-passkey.ts'

export interface PasskeyCeremony {
  party: RelyingParty
  purpose: Purpose
  /** The login that the passkey is used in; null before the operator is logged in. */
  logInId: string | null
}

export async function createPasskeyChallenge(
  db: pg.Pool,
  { party, purpose, logInId }: PasskeyCeremony,
) {
  const challenge = randomBytes(32).toString('base64url')
  const challengeHash = hashToken(challenge)
  await run(db, insertChallenge({ challengeHash, purpose, logInId }, PASSKEY_CHALLENGE_MINUTES))
  return { rpId: party.id, challenge }
}

/** Uses up the challenge before anything is checked, so a failed attempt uses it too. */
export async function takePasskeyChallenge(
  db: pg.Pool,
  { purpose, logInId }: PasskeyCeremony,
  response: PasskeySignature | PasskeyRegistration,
): Promise<string> {
  const challenge = readChallenge(response)
  const challengeHash = hashToken(challenge ?? '')
  const taken = await run(db, takeChallenge({ challengeHash, purpose, logInId }))
  if (challenge === undefined || taken !== 1) throw new ServiceError('PASSKEY_INVALID')
  return challenge
}
