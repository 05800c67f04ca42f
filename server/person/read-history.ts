import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'
import { showTransaction } from '../wallet/show-transaction.ts'
import type { LoggedIn } from './require-log-in.ts'
import { readNewestSeq, searchHistory, type Entry, type HistoryFilter } from './search-history.ts'

const PAGE = 50
/** No account has this number, so ids and cursors of the person's own view are nobody else's. */
export const PERSON_VIEWER = -1

export async function readHistory(
  context: Context,
  { walletId }: LoggedIn,
  { cursor, ...filter }: HistoryFilter & { cursor?: string | undefined },
) {
  const { transactionIds } = context
  const start = cursor === undefined ? undefined : transactionIds.open(PERSON_VIEWER, cursor)
  if (cursor !== undefined && start?.walletId !== walletId) {
    throw new ServiceError('INVALID_REQUEST', 'cursor')
  }
  const seq = start?.seq ?? (await readNewestSeq(context, walletId))
  const { entries, nextSeq } = await searchHistory(context, walletId, filter, seq, PAGE)
  return {
    transactions: entries.map((entry) => showEntry(context, entry)),
    nextCursor: nextSeq === null ? null : transactionIds.seal(PERSON_VIEWER, walletId, nextSeq),
  }
}

function showEntry({ config, transactionIds }: Context, { operation, app }: Entry) {
  const { referenceType, referenceId, description } = operation
  const shown = showTransaction(operation, PERSON_VIEWER, config.currency, transactionIds)
  return { ...shown, referenceType, referenceId, description, app }
}
