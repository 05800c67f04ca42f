import { toWireNumber } from '@coffer/contract/money'
import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'
import { showTransaction } from '../wallet/show-transaction.ts'
import type { LoggedIn } from './log-in-queries.ts'
import {
  PERSON_VIEWER,
  readNewestSeq,
  searchHistory,
  type OperationOfApp,
  type HistoryFilter,
} from './search-history.ts'

type Search = HistoryFilter & { cursor?: string | undefined }

const PAGE = 50

export interface PageEntry extends OperationOfApp {
  /** Of a refund: the seq of the debit. */
  debitSeq: bigint | undefined
  /** Of a debit: how much of it is refunded. */
  refunded: bigint | undefined
}

export async function readHistory(context: Context, { walletId }: LoggedIn, search: Search) {
  const { entries, nextCursor } = await readPage(context, walletId, search)
  const transactions = entries.map((entry) => showEntry(context, entry))
  const archivedBefore = nextCursor === null ? await readArchivedBefore(context, walletId) : null
  return { transactions, nextCursor, archivedBefore }
}

/** A day of UTC, because months are archived as a whole; null if no entry of the wallet is archived. */
export async function readArchivedBefore(
  { ledger }: Pick<Context, 'ledger'>,
  walletId: bigint,
): Promise<string | null> {
  const time = await ledger.readArchivedBefore(walletId)
  return time?.toISOString().slice(0, 10) ?? null
}

export async function readPage(
  context: Context,
  walletId: bigint,
  { cursor, ...filter }: Search,
  timeLimitMs?: number,
): Promise<{ entries: PageEntry[]; nextCursor: string | null }> {
  const { ledger, transactionIds } = context
  const start = cursor === undefined ? undefined : transactionIds.decode(PERSON_VIEWER, cursor)
  if (cursor !== undefined && start?.walletId !== walletId) {
    throw new ServiceError('INVALID_REQUEST', 'cursor')
  }
  const fromSeq = start?.seq ?? (await readNewestSeq(context, walletId))
  const bounds = { fromSeq, limit: PAGE, timeLimitMs }
  const { entries, nextSeq } = await searchHistory(context, walletId, filter, bounds)
  const nextCursor =
    nextSeq === null ? null : transactionIds.encode(PERSON_VIEWER, walletId, nextSeq)
  const { debits, refunded } = await ledger.findRefunds(entries.map(({ operation }) => operation))
  return {
    entries: entries.map((entry) => ({
      ...entry,
      debitSeq: debits.get(entry.operation.target ?? ''),
      refunded: refunded.get(entry.operation),
    })),
    nextCursor,
  }
}

export function showEntry(
  { config, transactionIds }: Context,
  { operation, app, debitSeq, refunded }: PageEntry,
) {
  const { referenceType, referenceId, description } = operation
  const { currency } = config
  const shown = showTransaction(operation, PERSON_VIEWER, currency, transactionIds, debitSeq)
  const own = { ...shown, referenceType, referenceId, description, app }
  return refunded === undefined ? own : { ...own, refunded: toWireNumber(refunded, currency) }
}
