import type * as endpoints from '@coffer/contract/admin/own-sign-in'
import { PASSKEYS_MAX } from '@coffer/contract/limits'
import type pg from 'pg'
import type { z } from 'zod'
import { inTransaction } from '../../database/in-transaction.ts'
import { many, run } from '../../database/statement.ts'
import {
  createPasskeyChallenge,
  takePasskeyChallenge,
  type PasskeyCeremony,
} from '../../identity/passkeys/create-challenge.ts'
import { listCredentials } from '../../identity/passkeys/list-credentials.ts'
import { insertPasskey, listPasskeys, OPERATORS } from '../../identity/passkeys/queries.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { lockActiveOperator } from './queries.ts'
import { handleOf } from './use-passkey.ts'
import { ALGORITHMS, verifyRegistration } from '../../identity/passkeys/verify-passkey.ts'

/** Returns what a browser needs to create a passkey. */
export async function beginPasskey(
  db: pg.Pool,
  ceremony: PasskeyCeremony,
  { operatorId, email, name }: AdminCall['operator'],
): Promise<z.output<typeof endpoints.beginPasskey.response>> {
  const excluded = await listCredentials(db, OPERATORS, operatorId)
  if (excluded.length >= PASSKEYS_MAX) throw new ServiceError('PASSKEY_LIMIT')
  return {
    ...(await createPasskeyChallenge(db, ceremony)),
    user: { id: handleOf(operatorId), name: email, displayName: name },
    algorithms: ALGORITHMS,
    excluded,
  }
}

export async function addPasskey(
  db: pg.Pool,
  ceremony: PasskeyCeremony,
  { operator, record }: Pick<AdminCall, 'operator' | 'record'>,
  { name, passkey }: z.output<typeof endpoints.addPasskey.input>,
): Promise<void> {
  const challenge = await takePasskeyChallenge(db, ceremony, passkey)
  const registered = await verifyRegistration(ceremony.party, challenge, passkey)
  if (registered === undefined) throw new ServiceError('PASSKEY_INVALID')
  const { operatorId } = operator
  const transports = passkey.response.transports ?? []
  await inTransaction(db, async (tx) => {
    const locked = await run(tx, lockActiveOperator(operatorId))
    if (locked !== 1) throw new ServiceError('LOGIN_REQUIRED')
    const passkeys = await many(tx, listPasskeys(OPERATORS, operatorId))
    if (passkeys.length >= PASSKEYS_MAX) throw new ServiceError('PASSKEY_LIMIT')
    const newPasskey = { ...registered, ownerId: operatorId, transports, name }
    const added = await run(tx, insertPasskey(OPERATORS, newPasskey))
    if (added !== 1) throw new ServiceError('PASSKEY_INVALID')
    await record(tx, { action: 'passkey.add', subject: operator.email, after: { name } })
  })
}
