/** Requires a synchronous standby, so that acknowledged operations survive the loss of a server. */
import type pg from 'pg'

/** Aborts the transaction unless a synchronous standby is attached. It is sent right before COMMIT. */
export const REQUIRE_STANDBY: pg.QueryConfig = {
  name: 'require-standby',
  text: 'select ledger.require_standby()',
}

/** Thrown by the statement above. Nothing was committed; a retry may find a standby. */
export function lacksStandby(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'CF001'
}
