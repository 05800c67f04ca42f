import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { one } from '../../database/statement.ts'
import { deletePasskey, OPERATORS } from '../../identity/passkeys/queries.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'

export async function removePasskey(
  { db }: Pick<Context, 'db'>,
  { operator, record }: Pick<AdminCall, 'operator' | 'record'>,
  id: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await one(tx, deletePasskey(OPERATORS, BigInt(id), operator.operatorId))
    if (before === undefined) throw new ServiceError('NOT_FOUND')
    await record(tx, { action: 'passkey.remove', subject: operator.email, before })
  })
}
