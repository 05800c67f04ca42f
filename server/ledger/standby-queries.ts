/** What the ledger asks of PostgreSQL where nothing may be acknowledged that only one server has. */
import type pg from 'pg'

/** Ends the transaction unless a synchronous standby is attached. It stands right before COMMIT. */
export const REQUIRE_STANDBY: pg.QueryConfig = {
  name: 'require-standby',
  text: 'select ledger.require_standby()',
}

/** Raised by the statement above. Nothing was committed, and a moment later one may be there. */
export function lacksStandby(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'CF001'
}
