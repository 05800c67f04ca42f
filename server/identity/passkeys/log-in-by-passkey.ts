import { hash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { one, run } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import { notifyOwner } from '../notify-owner.ts'
import { lockForLogIn, type Person } from '../queries.ts'
import { takePasskeyChallenge, type PasskeyCeremony } from './create-challenge.ts'
import { findPersonPasskey, markCopied, PEOPLE, usePasskey, type PersonPasskey } from './queries.ts'
import { verifySignature, type PasskeySignature } from './verify-passkey.ts'

type Tools = Pick<Context, 'db' | 'mailer' | 'config'>

/** Identifies the person to the authenticator without revealing anything about them. */
export function handleOf(userId: bigint): string {
  return hash('sha256', `coffer person ${userId}`, 'base64url')
}

/**
 * Returns the person that the passkey belongs to. What the caller starts next requires the password hash in it: if a
 * reset has changed the password meanwhile, nothing starts.
 */
export async function logInByPasskey(
  tools: Tools,
  ceremony: PasskeyCeremony,
  signed: PasskeySignature,
): Promise<Person> {
  const { db } = tools
  const challenge = await takePasskeyChallenge(db, ceremony, signed)
  const passkey = await one(db, findPersonPasskey(Buffer.from(signed.id, 'base64url')))
  // The authenticator must name the person, too.
  if (passkey === undefined || signed.response.userHandle !== handleOf(passkey.userId)) {
    throw new ServiceError('PASSKEY_INVALID')
  }
  const signCount = await verifySignature(ceremony.party, challenge, signed, passkey)
  if (signCount === undefined) throw new ServiceError('PASSKEY_INVALID')
  return usePasskeyOf(tools, passkey, signCount)
}

/**
 * If the signature count did not increase, a copy of the passkey exists: the login is refused, the passkey is marked
 * and its owner is notified. The lock on the person serializes this with everything that removes passkeys.
 */
async function usePasskeyOf(
  tools: Tools,
  passkey: PersonPasskey,
  signCount: number,
): Promise<Person> {
  const { person, isUsed, isCopied } = await inTransaction(tools.db, async (tx) => {
    const locked = await one(tx, lockForLogIn(passkey.userId))
    const used = locked ? await run(tx, usePasskey(PEOPLE, passkey.id, signCount)) : 0
    const copied = locked && used === 0 ? await run(tx, markCopied(passkey.id)) : 0
    return { person: locked, isUsed: used === 1, isCopied: copied === 1 }
  })
  if (person && isCopied) {
    await notifyOwner(tools, person, (mails, warning) => mails.passkeyCopied(passkey.name, warning))
  }
  if (person === undefined || !isUsed) throw new ServiceError('PASSKEY_INVALID')
  return person
}

/** After a login by passkey: LOGIN_FAILED means that the password was changed at the same time. */
export function refuseChangedPassword(error: unknown): never {
  const isChanged = error instanceof ServiceError && error.code === 'LOGIN_FAILED'
  throw isChanged ? new ServiceError('PASSKEY_INVALID') : error
}
