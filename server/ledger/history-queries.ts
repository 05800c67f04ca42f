import type { Statement } from '../database/statement.ts'
import { OPERATION, toOperation } from './queries.ts'
import type { Kind, Operation } from './types.ts'

export interface HistorySearch {
  walletId: bigint
  /** Only operations from here down to `downToSeq` are looked at: that bounds the work of one statement. */
  upToSeq: bigint
  downToSeq: bigint
  limit: number
  kinds: readonly Kind[]
  from?: Date | undefined
  before?: Date | undefined
  /** A pattern of `ilike`, for reference and description; or else one of the accounts. */
  pattern?: string | undefined
  accounts: readonly number[]
  /** Only what has this account on its other side. */
  counterAccount?: number | undefined
}

/** The numbers of a wallet's operations are the index; everything else is checked on the rows that it yields. */
export function searchHistory(search: HistorySearch): Statement<Operation> {
  return {
    name: 'search-history',
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
