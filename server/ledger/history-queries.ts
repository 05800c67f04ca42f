import type { Statement } from '../database/statement.ts'
import { OPERATION, toOperation } from './queries.ts'
import type { Kind, Operation } from './types.ts'

export interface HistorySearch {
  walletId: bigint
  /** The search reads only operations from here down to `downToSeq`, to limit the work of one statement. */
  upToSeq: bigint
  downToSeq: bigint
  limit: number
  kinds: readonly Kind[]
  from?: Date | undefined
  before?: Date | undefined
  /** An `ilike` pattern for reference and description. Operations of `accounts` match too. */
  pattern?: string | undefined
  accounts: readonly number[]
  /** Only operations with this counter account. */
  counterAccount?: number | undefined
}

/** Whole months, as the partitions have them: the first day of each, such as 2026-11-01. */
export interface Months {
  from: string
  before: string
}

/**
 * Operations with a seq up to and including upToSeq, newest first. The months are part of the text, because PostgreSQL
 * then plans a prepared statement for their partitions alone; with parameters it would open and lock all of them.
 */
export function readHistory(
  walletId: bigint,
  upToSeq: bigint,
  limit: number,
  months?: Months,
): Statement<Operation> {
  const within = months
    ? `and created_at >= '${months.from} 00:00+00' and created_at < '${months.before} 00:00+00'`
    : ''
  return {
    name: months ? `read-history-${months.from}-${months.before}` : 'read-history',
    text: `select ${OPERATION} from ledger.operations
      where wallet_id = $1 and seq <= $2 ${within} order by seq desc limit $3`,
    values: [walletId, upToSeq, limit],
    read: toOperation,
  }
}

/** Not prepared, so that it is planned for the partition of this time alone. */
export function readOperation(walletId: bigint, seq: bigint, at: Date): Statement<Operation> {
  return {
    text: `select ${OPERATION} from ledger.operations where wallet_id = $1 and seq = $2 and created_at = $3`,
    values: [walletId, seq, at],
    read: toOperation,
  }
}

/**
 * A search with dates is not prepared, so that it is planned for the partitions of these dates alone. The index is on
 * wallet and seq; the other conditions are checked on the rows that it returns.
 */
export function searchHistory(search: HistorySearch): Statement<Operation> {
  const hasDates = search.from !== undefined || search.before !== undefined
  return {
    ...(!hasDates && { name: 'search-history' }),
    text: `select ${OPERATION} from ledger.operations
      where wallet_id = $1 and seq between $2 and $3 and kind = any($4::ledger.kind[])
        and created_at >= $5::timestamptz and created_at < $6::timestamptz
        and ($7::text is null or reference_type ilike $7 or reference_id ilike $7 or description ilike $7
          or counter_account = any($8::bigint[]))
        and ($10::bigint is null or counter_account = $10)
      order by seq desc limit $9`,
    values: [
      search.walletId,
      search.downToSeq,
      search.upToSeq,
      search.kinds,
      search.from ?? '-infinity',
      search.before ?? 'infinity',
      search.pattern ?? null,
      search.accounts,
      search.limit,
      search.counterAccount ?? null,
    ],
    read: toOperation,
  }
}
