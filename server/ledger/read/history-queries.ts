import { int8Array } from '../../database/binary-array.ts'
import type { Statement } from '../../database/statement.ts'
import { OPERATION, toOperation, type OperationRow } from '../queries.ts'
import type { HistoryEntry, Kind, Operation } from '../types.ts'

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
  /** This operation matches the pattern too. */
  seq?: bigint | undefined
  /** So do the refunds of the debit with this digest. */
  target?: string | undefined
  accounts: readonly number[]
  /** Only operations with this counter account. */
  counterAccount?: number | undefined
}

/** Whole months, as the partitions have them: the first day of each, such as 2026-11-01. */
export interface Months {
  from: string
  before: string
}

/** Operations with a seq up to and including `upToSeq`, newest first. */
export interface HistoryRequest {
  walletId: bigint
  upToSeq: bigint
  limit: number
}

/** An operation of the request with this number; the first request has the number 0. */
export interface RequestItem<Item> {
  number: number
  operation: Item
}

export type ReadHistories<Item> = (
  requests: readonly HistoryRequest[],
  months?: Months,
) => Statement<RequestItem<Item>>

/** Reads several histories at once. */
export const readHistories: ReadHistories<Operation> = (requests, months) => ({
  ...selectHistories('histories', OPERATION, requests, months),
  read: (row: OperationRow & { number: bigint }) => ({
    number: Number(row.number) - 1,
    operation: toOperation(row),
  }),
})

const ENTRY =
  'seq, amount, balance_after, created_at, counter_account, kind, target, reference_type, reference_id, description'

type EntryRow = Pick<
  OperationRow,
  | 'seq'
  | 'amount'
  | 'balance_after'
  | 'created_at'
  | 'counter_account'
  | 'kind'
  | 'target'
  | 'reference_type'
  | 'reference_id'
  | 'description'
>

/** Reads what a history shows. Every column costs time on both sides, and apps read histories often. */
export const readEntries: ReadHistories<HistoryEntry> = (requests, months) => ({
  ...selectHistories('entries', ENTRY, requests, months),
  read: (row: EntryRow & { number: bigint }) => ({
    number: Number(row.number) - 1,
    operation: {
      walletId: requests[Number(row.number) - 1]?.walletId ?? 0n,
      seq: row.seq,
      kind: row.kind,
      amount: row.amount,
      balanceAfter: row.balance_after,
      counterAccount: Number(row.counter_account),
      target: row.target && row.target.replaceAll('-', ''),
      referenceType: row.reference_type,
      referenceId: row.reference_id,
      description: row.description,
      createdAtMs: row.created_at.getTime(),
    },
  }),
})

/**
 * The months are part of the text, because PostgreSQL then plans a prepared statement for their partitions alone; with
 * parameters it would open and lock all of them.
 */
function selectHistories(
  name: string,
  columns: string,
  requests: readonly HistoryRequest[],
  months: Months | undefined,
) {
  const within = months
    ? `and created_at >= '${months.from} 00:00+00' and created_at < '${months.before} 00:00+00'`
    : ''
  return {
    name: months ? `read-${name}-${months.from}-${months.before}` : `read-${name}`,
    text: `select r.number, o.*
      from unnest($1::bigint[], $2::bigint[], $3::int[]) with ordinality as r(wallet_id, up_to_seq, most, number)
      cross join lateral (
        select ${columns} from ledger.operations
        where wallet_id = r.wallet_id and seq <= r.up_to_seq ${within} order by seq desc limit r.most
      ) o`,
    values: [
      int8Array(requests.map(({ walletId }) => walletId)),
      int8Array(requests.map(({ upToSeq }) => upToSeq)),
      requests.map(({ limit }) => limit),
    ],
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
          or counter_account = any($8::bigint[]) or seq = $11::bigint or target = $12::uuid)
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
      search.seq ?? null,
      search.target ?? null,
    ],
    read: toOperation,
  }
}
