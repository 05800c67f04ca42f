/** Which version of the hash layout may be written. */
import type pg from 'pg'
import type { Statement } from '../database/statement.ts'

/** The version of hashes that entries with a target have, see digest.ts. */
export const REFUND_VERSION = 2

export const READ_CHAIN_VERSION: Statement<number> = {
  text: 'select version from ledger.chain',
  read: (row: { version: bigint }) => Number(row.version),
}

/** From now on refunds are written, which processes of the previous version cannot read. */
export const ALLOW_REFUNDS: pg.QueryConfig = {
  text: `update ledger.chain set version = ${REFUND_VERSION} where version < ${REFUND_VERSION} returning version`,
}
