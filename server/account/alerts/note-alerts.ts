/**
 * Notes the operations about which people want an email. It reads them after their commit, so it does not slow debits
 * down.
 */
import type { ReaderJob } from '../../books/read-new-operations.ts'
import { one, run } from '../../database/statement.ts'
import { FIND_ALERT_START, noteBalances, notePayments } from './queries.ts'

export const NOTE_ALERTS: ReaderJob = {
  findStart: (db) => one(db, FIND_ALERT_START),
  async handle(tx, period) {
    await run(tx, notePayments(period))
    await run(tx, noteBalances(period))
  },
}
