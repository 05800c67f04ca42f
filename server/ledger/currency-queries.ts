import type pg from 'pg'
import type { Statement } from '../database/statement.ts'

export const READ_CURRENCY: Statement<string> = {
  text: 'select code from ledger.currency',
  read: (row: { code: string }) => row.code,
}

/**
 * The commit does not wait for a standby, so a start without one does not hang. A replicated operation comes after this
 * row in the WAL, so a failover that keeps the operation keeps the row too.
 */
export const WAIT_FOR_NO_STANDBY: pg.QueryConfig = {
  text: 'set local synchronous_commit = local',
}

/** If two of these run concurrently, the second waits for the first and inserts nothing. */
export function insertCurrency(code: string): pg.QueryConfig {
  return {
    text: 'insert into ledger.currency (code) values ($1) on conflict do nothing',
    values: [code],
  }
}
