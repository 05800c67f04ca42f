import { formatAmount } from '@coffer/contract/money'
import { Readable } from 'node:stream'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { BYTE_ORDER_MARK, toLine } from '../http/csv.ts'
import { showTransaction } from '../wallet/show-transaction.ts'
import type { LoggedIn } from './log-in-queries.ts'
import {
  readNewestSeq,
  PERSON_VIEWER,
  searchHistory,
  type OperationOfApp,
  type HistoryFilter,
} from './search-history.ts'

const PAGE = 1_000
const HEADER = [
  'Time (UTC)',
  'Type',
  'Amount',
  'Currency',
  'Balance after',
  'Source',
  'App',
  'Reference type',
  'Reference',
  'Description',
  'Id',
]

/** A column for some viewers only, after all others. */
export interface ExtraColumn {
  name: string
  cellOf: (operation: OperationOfApp['operation']) => string
}

/** Reads a page at a time, as fast as the client reads. Errors are raised before the first byte. */
export async function exportHistory(
  context: Context,
  { walletId }: Pick<LoggedIn, 'walletId'>,
  filter: HistoryFilter,
  extra: readonly ExtraColumn[] = [],
): Promise<Readable> {
  const pages = await openEntries(context, walletId, filter)

  async function* writePages() {
    yield BYTE_ORDER_MARK + toLine([...HEADER, ...extra.map(({ name }) => name)])
    for await (const entries of pages) {
      // Yields empty pages too, because an aborted export can stop only at a yield.
      yield entries.map((each) => toRow(context, each, extra)).join('')
    }
  }
  return Readable.from(writePages())
}

/** All entries that match, newest first. The first page is read immediately. */
export async function openEntries(
  context: Context,
  walletId: bigint,
  filter: HistoryFilter,
): Promise<AsyncIterable<OperationOfApp[]>> {
  const readPage = (fromSeq: bigint) =>
    searchHistory(context, walletId, filter, { fromSeq, limit: PAGE })
  const first = await readPage(await readNewestSeq(context, walletId))

  async function* readPages() {
    for (let page = first; ; page = await readPage(page.nextSeq)) {
      yield page.entries
      if (page.nextSeq === null) break
      await letOthersRun()
    }
  }
  return readPages()
}

export function nameFile(now: Date): string {
  return `wallet-history-${now.toISOString().slice(0, 10)}.csv`
}

/** Amounts have no sign, the type implies it: a spreadsheet would take a cell that begins with a sign for a formula. */
function toRow(
  { config, transactionIds }: Context,
  { operation, app }: OperationOfApp,
  extra: readonly ExtraColumn[],
): string {
  const { currency } = config
  const { amount } = operation
  const shown = showTransaction(operation, PERSON_VIEWER, currency, transactionIds)
  return toLine([
    shown.createdAt,
    shown.type,
    formatAmount(amount < 0n ? -amount : amount, currency),
    currency.code,
    formatAmount(operation.balanceAfter, currency),
    shown.source === 'other_app' ? 'app' : shown.source,
    app ?? '',
    operation.referenceType,
    operation.referenceId,
    operation.description ?? '',
    shown.id,
    ...extra.map(({ cellOf }) => cellOf(operation)),
  ])
}
