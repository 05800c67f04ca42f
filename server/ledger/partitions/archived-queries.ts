/** What the ledger knows of archived months: their end, their sums, and where the chain of each wallet continues. */
import type { Statement } from '../../database/statement.ts'
import type { Head } from '../types.ts'

/** SQL: the end of the last archived month. Operations before it are in files. */
export const ARCHIVED_BEFORE = `coalesce(
  (select (max(month) + interval '1 month') at time zone 'UTC' from ledger.archived_months), '-infinity')`

export const READ_ARCHIVED_BEFORE: Statement<Date | undefined> = {
  text: `select nullif(${ARCHIVED_BEFORE}, '-infinity') as archived_before`,
  read: (row: { archived_before: Date | null }) => row.archived_before ?? undefined,
}

/**
 * Keeps months from being archived or restored until the transaction ends. Run this first in a transaction with one
 * snapshot: the rows of a detached partition disappear from every snapshot, also from earlier ones.
 */
export const KEEP_MONTHS = { text: 'lock table ledger.operations in access share mode' }

/** The heads that count, one for each wallet. */
const HEADS = `select distinct on (wallet_id) wallet_id, seq, balance, debt, held, head_hash from ledger.archived_heads
  where month in (select month from ledger.archived_months)`

interface HeadRow {
  wallet_id: bigint
  seq: bigint
  balance: bigint
  debt: bigint
  held: bigint
  head_hash: Buffer
}

const toHead = (row: HeadRow): Head => ({
  id: row.wallet_id,
  seq: row.seq,
  balance: row.balance,
  debt: row.debt,
  held: row.held,
  headHash: row.head_hash,
})

export function readArchivedHeads(walletIds: readonly bigint[]): Statement<Head> {
  return {
    text: `${HEADS} and wallet_id = any($1::bigint[]) order by wallet_id, month desc`,
    values: [walletIds],
    read: toHead,
  }
}

/** Of the wallets from one id to another one. */
export function readArchivedHeadsBetween(from: bigint, to: bigint): Statement<Head> {
  return {
    text: `${HEADS} and wallet_id between $1 and $2 order by wallet_id, month desc`,
    values: [from, to],
    read: toHead,
  }
}

/** The end of the last archived month, if operations of this wallet are archived; otherwise no row. */
export function readArchivedBeforeOf(walletId: bigint): Statement<Date> {
  return {
    text: `select ${ARCHIVED_BEFORE} as archived_before where exists (
        select from ledger.archived_heads h
        where wallet_id = $1 and exists (select from ledger.archived_months m where m.month = h.month)
      )`,
    values: [walletId],
    read: (row: { archived_before: Date }) => row.archived_before,
  }
}

/** By how much the archived operations have changed each ledger account. */
export const SUM_ARCHIVED: Statement<{ account: number; sum: bigint }> = {
  text: `select account, sum(ledger.account_change(amount, debt_change, held_change))::bigint as sum
    from ledger.archived_sums group by account order by account`,
  read: (row: { account: bigint; sum: bigint }) => ({ account: Number(row.account), sum: row.sum }),
}
