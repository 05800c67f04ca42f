/** Which operations may be written: those of earlier versions of the service could not read the newer ones. */
import type pg from 'pg'
import type { Statement } from '../database/statement.ts'

export const REFUND_VERSION = 2
export const HOLD_VERSION = 3
export const SPEND_LIMIT_VERSION = 4

export const READ_CHAIN_VERSION: Statement<number> = {
  text: 'select version from ledger.chain',
  read: (row: { version: bigint }) => Number(row.version),
}

/** From now on these operations are written, which processes of the previous version cannot read. */
export function allowVersion(version: number): pg.QueryConfig {
  return {
    text: 'update ledger.chain set version = $1 where version < $1 returning version',
    values: [version],
  }
}
