/**
 * Notes the operations about which people want an email. It runs on new operations after their commit, so a debit does
 * nothing for it; people without the setting cost nothing but one look at each operation by a reader that others use, too.
 */
import type { TailJob } from '../../books/read-tail.ts'
import { one, run } from '../../database/statement.ts'
import { FIND_ALERT_START, noteBalances, notePayments } from './queries.ts'

export const NOTE_ALERTS: TailJob = {
  findStart: (db) => one(db, FIND_ALERT_START),
  async handle(tx, period) {
    await run(tx, notePayments(period))
    await run(tx, noteBalances(period))
  },
}
