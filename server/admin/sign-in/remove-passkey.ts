import { inTransaction } from '../../database/in-transaction.ts'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { deletePasskey } from '../passkey-queries.ts'

export async function removePasskey(
  { db }: Pick<Context, 'db'>,
  { operator, record }: Pick<AdminCall, 'operator' | 'record'>,
  id: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ name: string }>(
      deletePasskey(BigInt(id), operator.operatorId),
    )
    const [removed] = rows
    if (removed === undefined) throw new ServiceError('NOT_FOUND')
    const before = { name: removed.name }
    await record(tx, { action: 'passkey.remove', subject: operator.email, before })
  })
}
