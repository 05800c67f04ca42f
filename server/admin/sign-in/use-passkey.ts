import { hash } from 'node:crypto'
import type pg from 'pg'
import { inTransaction } from '../../database/in-transaction.ts'
import { one, run } from '../../database/statement.ts'
import {
  takePasskeyChallenge,
  type PasskeyCeremony,
} from '../../identity/passkeys/create-challenge.ts'
import { OPERATORS, readSignCount, usePasskey } from '../../identity/passkeys/queries.ts'
import { ServiceError } from '../../service-error.ts'
import { recordAction } from '../record-action.ts'
import { findPasskey, type Passkey } from './passkey-queries.ts'
import { lockActiveOperator } from './queries.ts'
import { verifySignature, type PasskeySignature } from '../../identity/passkeys/verify-passkey.ts'

/** A passkey that has signed the challenge. */
export interface Proof {
  passkey: Passkey
  signCount: number
}

/** Identifies the operator to the authenticator without revealing anything about them. */
export function handleOf(operatorId: bigint): string {
  return hash('sha256', `coffer operator ${operatorId}`, 'base64url')
}

/** `operatorId`: the operator that the passkey must belong to, if known. */
export async function checkPasskey(
  db: pg.Pool,
  ceremony: PasskeyCeremony,
  signature: PasskeySignature,
  operatorId?: bigint,
): Promise<Proof> {
  const challenge = await takePasskeyChallenge(db, ceremony, signature)
  const passkey = await one(db, findPasskey(Buffer.from(signature.id, 'base64url')))
  const isTheirs = passkey?.operatorId === (operatorId ?? passkey?.operatorId)
  if (passkey === undefined || !isTheirs || !isHandleRight(passkey, ceremony, signature)) {
    throw new ServiceError('PASSKEY_INVALID')
  }
  const signCount = await verifySignature(ceremony.party, challenge, signature, passkey)
  if (signCount === undefined) throw new ServiceError('PASSKEY_INVALID')
  return { passkey, signCount }
}

/** At login the authenticator must name the operator; for a confirmation the operator is already known. */
function isHandleRight(
  { operatorId }: Passkey,
  { purpose }: PasskeyCeremony,
  { response: { userHandle } }: PasskeySignature,
): boolean {
  if (userHandle === undefined) return purpose !== 'log_in'
  return userHandle === handleOf(operatorId)
}

/**
 * Runs the steps if the signature count increased. If it did not, a copy of the passkey exists: the steps do not run,
 * and the audit log records it. The lock serializes this with deactivating or resetting the operator.
 */
export async function usingPasskey<Result>(
  db: pg.Pool,
  { passkey, signCount }: Proof,
  address: string,
  steps: (tx: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  const done = await inTransaction(db, async (tx) => {
    const locked = await run(tx, lockActiveOperator(passkey.operatorId))
    if (locked !== 1) return undefined
    const used = await run(tx, usePasskey(OPERATORS, passkey.id, signCount))
    if (used === 1) return { result: await steps(tx) }
    const storedCount = await one(tx, readSignCount(OPERATORS, passkey.id))
    if (storedCount === undefined) return undefined
    const { email: actor, operatorId: actorId, name } = passkey
    await recordAction(
      tx,
      { actor, actorId, address },
      {
        action: 'passkey.copied',
        subject: actor,
        before: { name, signCount: storedCount },
        after: { name, signCount },
      },
    )
    return undefined
  })
  if (done === undefined) throw new ServiceError('PASSKEY_INVALID')
  return done.result
}
