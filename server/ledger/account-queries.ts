import { ADVISORY_LOCKS } from '../database/advisory-locks.ts'
import type { Statement } from '../database/statement.ts'
import type { AccountState } from './types.ts'

interface AccountRow {
  credit_limit: bigint | null
  balance: bigint | null
}

export function readAccount(id: number): Statement<AccountState> {
  return {
    text: `select credit_limit, case when credit_limit is not null then balance end as balance
      from ledger.accounts where id = $1`,
    values: [id],
    read: (row: AccountRow) => ({ creditLimit: row.credit_limit, balance: row.balance }),
  }
}

/**
 * Waits for the batch that has locked the account. `to` null removes the limit, and with it the running balance.
 * Changes nothing if the limit is no longer `from`, if there is no limit, or if the account already owes more than the
 * new limit.
 */
export function setCreditLimit(id: number, from: bigint, to: bigint | null) {
  return {
    text: `update ledger.accounts
      set credit_limit = $3::bigint, balance = case when $3::bigint is null then null else balance end
      where id = $1 and credit_limit = $2 and ($3::bigint is null or balance >= -$3::bigint)`,
    values: [id, from, to],
  }
}

/** Only one process at a time gives an account a limit. The lock belongs to the connection. */
export const LOCK_FIRST_LIMIT: Statement<boolean> = {
  text: `select pg_try_advisory_lock(${ADVISORY_LOCKS.firstCreditLimit}) as is_locked`,
  read: (row: { is_locked: boolean }) => row.is_locked,
}
export const UNLOCK_FIRST_LIMIT = {
  text: `select pg_advisory_unlock(${ADVISORY_LOCKS.firstCreditLimit})`,
}

/** From now on, batches add their changes to the balance, which starts at 0. */
export function startBalance(id: number) {
  return {
    text: 'update ledger.accounts set balance = 0 where id = $1 and credit_limit is null and balance is null',
    values: [id],
  }
}

export function endBalance(id: number) {
  return {
    text: 'update ledger.accounts set balance = null where id = $1 and credit_limit is null',
    values: [id],
  }
}

/** Every transaction that starts to write from now on gets this id or a higher one. */
export const READ_NEXT_TRANSACTION: Statement<string> = {
  text: 'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
  read: (row: { next: string }) => row.next,
}

/** Whether all transactions with an id below this one have ended. */
export function haveEnded(next: string): Statement<boolean> {
  return {
    text: 'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8 as have_ended',
    values: [next],
    read: (row: { have_ended: boolean }) => row.have_ended,
  }
}

/** The sum reads every operation, so a sequential scan is fastest, and it may take long. */
export const BEGIN_SUM = {
  text: `begin read only; set local enable_seqscan = on; set local statement_timeout = 0`,
}

/** What the balance lacks: one statement, so that both parts are from the same snapshot. */
export function readMissingAmount(id: number): Statement<bigint> {
  return {
    text: `select ((
        select coalesce(sum(ledger.account_change(amount, debt_change, held_change)), 0)
        from ledger.operations where counter_account = $1
      ) + (
        select coalesce(sum(ledger.account_change(amount, debt_change, held_change)), 0)
        from ledger.archived_sums where account = $1
      ) - balance)::bigint as missing
      from ledger.accounts where id = $1`,
    values: [id],
    read: (row: { missing: bigint }) => row.missing,
  }
}

/** Changes nothing if the account owes more than the limit. */
export function setFirstLimit(id: number, missing: bigint, limit: bigint): Statement<bigint> {
  return {
    text: `update ledger.accounts set balance = balance + $2, credit_limit = $3
      where id = $1 and credit_limit is null and balance + $2 >= -$3::bigint returning balance`,
    values: [id, missing, limit],
    read: (row: { balance: bigint }) => row.balance,
  }
}

export const BEGIN = { text: 'begin' }
export const COMMIT = { text: 'commit' }
export const ROLLBACK = { text: 'rollback' }
