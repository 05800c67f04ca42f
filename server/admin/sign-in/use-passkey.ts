import { hash } from 'node:crypto'
import type pg from 'pg'
import { inTransaction } from '../../database/in-transaction.ts'
import { ServiceError } from '../../service-error.ts'
import { takeAnswer, type Asking } from './create-passkey-challenge.ts'
import { findPasskey, readSignCount, usePasskey, type PasskeyRow } from '../passkey-queries.ts'
import { recordAction } from '../record-action.ts'
import { lockActiveOperator } from './queries.ts'
import { verifySigned, type Signed } from './verify-passkey.ts'

/** A passkey that has signed what it was asked to. */
export interface Proof {
  passkey: PasskeyRow
  signCount: number
}

/** Names the operator to the authenticator, and nothing else about them; apart from other services of this domain. */
export function handleOf(operatorId: bigint): string {
  return hash('sha256', `coffer operator ${operatorId}`, 'base64url')
}

/** `operatorId`: whose it has to be, if that is known. */
export async function checkPasskey(
  db: pg.Pool,
  asking: Asking,
  signed: Signed,
  operatorId?: bigint,
): Promise<Proof> {
  const challenge = await takeAnswer(db, asking, signed)
  const found = await db.query<PasskeyRow>(findPasskey(Buffer.from(signed.id, 'base64url')))
  const [passkey] = found.rows
  const isTheirs = passkey?.operator_id === (operatorId ?? passkey?.operator_id)
  if (passkey === undefined || !isTheirs || !isHandleRight(passkey, asking, signed)) {
    throw new ServiceError('PASSKEY_INVALID')
  }
  const signCount = await verifySigned(asking.party, challenge, signed, passkey)
  if (signCount === undefined) throw new ServiceError('PASSKEY_INVALID')
  return { passkey, signCount }
}

/** At the door the authenticator must say whose it is; where the passkeys were listed it need not. */
function isHandleRight(
  { operator_id: operatorId }: PasskeyRow,
  { purpose }: Asking,
  { response: { userHandle } }: Signed,
): boolean {
  if (userHandle === undefined) return purpose !== 'log_in'
  return userHandle === handleOf(operatorId)
}

/**
 * Takes the steps if the count of signatures has grown. If it has not, somebody has a copy of the passkey: nothing is
 * done, and the audit log says so. An operator who is deactivated or reset at this moment is so before or after.
 */
export async function usingPasskey<Result>(
  db: pg.Pool,
  { passkey, signCount }: Proof,
  address: string,
  steps: (tx: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  const done = await inTransaction(db, async (tx) => {
    const operator = await tx.query(lockActiveOperator(passkey.operator_id))
    if (operator.rowCount !== 1) return undefined
    const used = await tx.query(usePasskey(passkey.id, signCount))
    if (used.rowCount === 1) return { result: await steps(tx) }
    const { rows } = await tx.query<{ sign_count: bigint }>(readSignCount(passkey.id))
    const [stored] = rows
    if (stored === undefined) return undefined
    const { email: actor, operator_id: actorId, name } = passkey
    await recordAction(
      tx,
      { actor, actorId, address },
      {
        action: 'passkey.copied',
        subject: actor,
        before: { name, signCount: Number(stored.sign_count) },
        after: { name, signCount },
      },
    )
    return undefined
  })
  if (done === undefined) throw new ServiceError('PASSKEY_INVALID')
  return done.result
}
