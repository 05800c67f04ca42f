/** A passkey is asked to sign something that nobody could know before, and that is then used up. */
import { PASSKEY_CHALLENGE_MINUTES } from '@coffer/contract/limits'
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { RelyingParty } from '../../http/find-relying-party.ts'
import { ServiceError } from '../../service-error.ts'
import { insertChallenge, takeChallenge, type Purpose } from '../passkey-queries.ts'
import { hashToken } from '../require-operator.ts'
import { readChallenge, type Made, type Signed } from './verify-passkey.ts'

export interface Asking {
  party: RelyingParty
  purpose: Purpose
  /** The log-in that asks; null at the door. */
  logInId: string | null
}

export async function askPasskey(db: pg.Pool, { party, purpose, logInId }: Asking) {
  const challenge = randomBytes(32).toString('base64url')
  const challengeHash = hashToken(challenge)
  await db.query(insertChallenge({ challengeHash, purpose, logInId }, PASSKEY_CHALLENGE_MINUTES))
  return { rpId: party.id, challenge }
}

/** Uses the challenge up before anything is checked: a try that fails is a try. */
export async function takeAnswer(
  db: pg.Pool,
  { purpose, logInId }: Asking,
  answer: Signed | Made,
): Promise<string> {
  const challenge = readChallenge(answer)
  const challengeHash = hashToken(challenge ?? '')
  const { rowCount } = await db.query(takeChallenge({ challengeHash, purpose, logInId }))
  if (challenge === undefined || rowCount !== 1) throw new ServiceError('PASSKEY_INVALID')
  return challenge
}
