import type * as endpoints from '@coffer/contract/admin/own-sign-in'
import { PASSKEYS_MAX } from '@coffer/contract/limits'
import type pg from 'pg'
import type { z } from 'zod'
import { inTransaction } from '../../database/in-transaction.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { askPasskey, takeAnswer, type Asking } from './create-passkey-challenge.ts'
import { insertPasskey, listPasskeys, type ListedPasskeyRow } from '../passkey-queries.ts'
import { lockActiveOperator } from './queries.ts'
import { handleOf } from './use-passkey.ts'
import { ALGORITHMS, verifyMade } from './verify-passkey.ts'

/** What a browser needs to make a passkey. */
export async function beginPasskey(
  db: pg.Pool,
  asking: Asking,
  { operatorId, email, name }: AdminCall['operator'],
): Promise<z.output<typeof endpoints.beginPasskey.answer>> {
  const excluded = await listCredentials(db, operatorId)
  if (excluded.length >= PASSKEYS_MAX) throw new ServiceError('PASSKEY_LIMIT')
  return {
    ...(await askPasskey(db, asking)),
    user: { id: handleOf(operatorId), name: email, displayName: name },
    algorithms: ALGORITHMS,
    excluded,
  }
}

export async function addPasskey(
  db: pg.Pool,
  asking: Asking,
  { operator, record }: Pick<AdminCall, 'operator' | 'record'>,
  { name, passkey }: z.output<typeof endpoints.addPasskey.input>,
): Promise<void> {
  const challenge = await takeAnswer(db, asking, passkey)
  const made = await verifyMade(asking.party, challenge, passkey)
  if (made === undefined) throw new ServiceError('PASSKEY_INVALID')
  const { operatorId } = operator
  const transports = passkey.response.transports ?? []
  await inTransaction(db, async (tx) => {
    const { rowCount: isThere } = await tx.query(lockActiveOperator(operatorId))
    if (isThere !== 1) throw new ServiceError('LOGIN_REQUIRED')
    const { rows } = await tx.query<ListedPasskeyRow>(listPasskeys(operatorId))
    if (rows.length >= PASSKEYS_MAX) throw new ServiceError('PASSKEY_LIMIT')
    const added = await tx.query(insertPasskey({ ...made, operatorId, transports, name }))
    if (added.rowCount !== 1) throw new ServiceError('PASSKEY_INVALID')
    await record(tx, { action: 'passkey.add', subject: operator.email, after: { name } })
  })
}

/** As browsers want to have them. */
export async function listCredentials(db: pg.Pool, operatorId: bigint) {
  const { rows } = await db.query<ListedPasskeyRow>(listPasskeys(operatorId))
  return rows.map(({ credential_id: id, transports }) => ({
    id: id.toString('base64url'),
    transports,
  }))
}
