import { inTransaction } from '../../database/in-transaction.ts'
import type { Context } from '../../context.ts'
import type { AdminCall } from '../access.ts'
import { deleteOtherLogIns, deleteOwnLogIn } from './queries.ts'

type Call = Pick<AdminCall, 'operator' | 'record'>

/** One that has ended already is ended. */
export async function endOwnLogIn(
  { db }: Pick<Context, 'db'>,
  { operator, record }: Call,
  id: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ device: string; address: string }>(
      deleteOwnLogIn(id, operator.operatorId),
    )
    const [ended] = rows
    if (ended === undefined) return
    const { device, address } = ended
    const before = { device, address }
    await record(tx, { action: 'operator.end_log_in', subject: operator.email, before })
  })
}

export async function endOtherLogIns(
  { db }: Pick<Context, 'db'>,
  { operator, record }: Call,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(deleteOtherLogIns(operator.logInId, operator.operatorId))
    const after = { endedLogIns: rowCount }
    await record(tx, { action: 'operator.end_other_log_ins', subject: operator.email, after })
  })
}
