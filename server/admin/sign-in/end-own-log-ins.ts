import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { one, run } from '../../database/statement.ts'
import type { AdminCall } from '../access.ts'
import { deleteOtherLogIns, deleteOwnLogIn } from './queries.ts'

type Call = Pick<AdminCall, 'operator' | 'record'>

/** Does nothing if the login has already ended. */
export async function endOwnLogIn(
  { db }: Pick<Context, 'db'>,
  { operator, record }: Call,
  id: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await one(tx, deleteOwnLogIn(id, operator.operatorId))
    if (before === undefined) return
    await record(tx, { action: 'operator.end_log_in', subject: operator.email, before })
  })
}

export async function endOtherLogIns(
  { db }: Pick<Context, 'db'>,
  { operator, record }: Call,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const endedLogIns = await run(tx, deleteOtherLogIns(operator.logInId, operator.operatorId))
    const after = { endedLogIns }
    await record(tx, { action: 'operator.end_other_log_ins', subject: operator.email, after })
  })
}
