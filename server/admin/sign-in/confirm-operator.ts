import { inTransaction } from '../../database/in-transaction.ts'
import type { AdminCall } from '../access.ts'
import { confirmLogIn } from '../log-in-queries.ts'
import { checkPassword, type LogInTools } from './log-in.ts'
import { forgiveTries, throttleCode, useCode } from './use-code.ts'

/** Password and code once more: whoever finds an open browser has neither. */
export async function confirmOperator(
  tools: LogInTools,
  { operator, record }: Pick<AdminCall, 'operator' | 'record'>,
  { password, code }: { password: string; code: string },
): Promise<void> {
  const { db, keys } = tools
  const row = await checkPassword(tools, operator.email, password)
  await throttleCode(db, row)
  await inTransaction(db, async (tx) => {
    const means = await useCode(tx, keys, row, code)
    await tx.query(confirmLogIn(operator.logInId))
    await record(tx, { action: 'operator.confirm', subject: row.email, after: { means } })
  })
  await forgiveTries(db, row)
}
