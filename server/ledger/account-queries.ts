import type { Statement } from '../database/statement.ts'
import type { AccountState } from './types.ts'

interface AccountRow {
  credit_limit: bigint | null
  balance: bigint | null
}

export function readAccount(id: number): Statement<AccountState> {
  return {
    text: 'select credit_limit, balance from ledger.accounts where id = $1',
    values: [id],
    read: (row: AccountRow) => ({ creditLimit: row.credit_limit, balance: row.balance }),
  }
}

/**
 * Waits for the batch that holds the account. `to` null removes the limit, and with it the running balance. Changes
 * nothing if the limit is not `from` anymore, if there is none, or if the debt would be above the new one.
 */
export function setCreditLimit(id: number, from: bigint, to: bigint | null) {
  return {
    text: `update ledger.accounts
      set credit_limit = $3::bigint, balance = case when $3::bigint is null then null else balance end
      where id = $1 and credit_limit = $2 and ($3::bigint is null or balance >= -$3::bigint)`,
    values: [id, from, to],
  }
}
