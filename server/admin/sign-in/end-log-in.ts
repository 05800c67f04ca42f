import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { run } from '../../database/statement.ts'
import type { AdminCall } from '../access.ts'
import { deleteLogIn } from './queries.ts'

export async function endLogIn(
  { db }: Pick<Context, 'db'>,
  { operator, record }: Pick<AdminCall, 'operator' | 'record'>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await run(tx, deleteLogIn(operator.logInId))
    await record(tx, { action: 'operator.log_out', subject: operator.email })
  })
}
