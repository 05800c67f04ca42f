import type pg from 'pg'

/** null in both: no limit, and no running balance. */
export interface AccountRow {
  credit_limit: bigint | null
  balance: bigint | null
}

export function readAccount(id: number): pg.QueryConfig {
  return {
    text: 'select credit_limit, balance from ledger.accounts where id = $1',
    values: [id],
  }
}

/** Waits for the batch that holds the account. An account without a limit stays without, a debt is never above it. */
export function setCreditLimit(id: number, creditLimit: bigint): pg.QueryConfig {
  return {
    text: `update ledger.accounts set credit_limit = $2
      where id = $1 and credit_limit is not null and balance >= -$2::bigint returning id`,
    values: [id, creditLimit],
  }
}
