/** A passkey signs a random challenge, which can be used only once. */
import { PASSKEY_CHALLENGE_MINUTES } from '@coffer/contract/limits'
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { prune } from '../../database/prune.ts'
import { run } from '../../database/statement.ts'
import type { RelyingParty } from '../../http/find-relying-party.ts'
import { ServiceError } from '../../service-error.ts'
import { hashTicket } from '../ticket.ts'
import {
  EXPIRED_CHALLENGES,
  insertChallenge,
  takeChallenge,
  type PasskeyOwners,
  type Purpose,
} from './queries.ts'
import { readChallenge, type PasskeyRegistration, type PasskeySignature } from './verify-passkey.ts'

export interface PasskeyCeremony {
  owners: PasskeyOwners
  party: RelyingParty
  purpose: Purpose
  /** The login that the passkey is used in; null before the login. */
  logInId: string | null
}

export async function createPasskeyChallenge(
  db: pg.Pool,
  { owners, party, purpose, logInId }: PasskeyCeremony,
) {
  const challenge = randomBytes(32).toString('base64url')
  const challengeHash = hashTicket(challenge)
  const inserted = { owners, challengeHash, purpose, logInId }
  await run(db, insertChallenge(inserted, PASSKEY_CHALLENGE_MINUTES))
  return { rpId: party.id, challenge }
}

/** Uses up the challenge before anything is checked, so a failed attempt uses it too. */
export async function takePasskeyChallenge(
  db: pg.Pool,
  { owners, purpose, logInId }: PasskeyCeremony,
  response: PasskeySignature | PasskeyRegistration,
): Promise<string> {
  const challenge = readChallenge(response)
  const challengeHash = hashTicket(challenge ?? '')
  const taken = await run(db, takeChallenge({ owners, challengeHash, purpose, logInId }))
  if (challenge === undefined || taken !== 1) throw new ServiceError('PASSKEY_INVALID')
  return challenge
}

/** Of people; those of operators are deleted with their logins. */
export function prunePasskeyChallenges(db: pg.Pool): Promise<number> {
  return prune(db, EXPIRED_CHALLENGES)
}
