import type { readOwnStatement as endpoint } from '@coffer/contract/account/statement'
import { STATEMENT_ENTRIES_MAX } from '@coffer/contract/limits'
import { toWireNumber } from '@coffer/contract/money'
import type { Context } from '../context.ts'
import { one } from '../database/statement.ts'
import { readArchivedHeads } from '../ledger/partitions/archived-queries.ts'
import { startOfDay } from '../ledger/post/find-period.ts'
import { InvalidRequest } from '../service-error.ts'
import { changesBalance } from '../wallet/show-transaction.ts'
import type { LoggedIn } from './log-in-queries.ts'
import { showEntry } from './read-history.ts'
import { requireTimeZone } from './require-time-zone.ts'
import { readNewestSeq, searchHistory, type OperationOfApp } from './search-history.ts'

type Input = (typeof endpoint)['input']['_zod']['output']

interface Month {
  from: Date
  before: Date
}

const PAGE = 1_000
const DAY_MS = 86_400_000

export async function readStatement(context: Context, { walletId }: LoggedIn, input: Input) {
  const month = findMonth(input)
  await refuseArchived(context, walletId, month)
  const newestSeq = await readNewestSeq(context, walletId)
  const found = await readEntries(context, walletId, newestSeq, month)
  const entries = found.toReversed()
  const [first] = entries
  const opening = first
    ? first.operation.balanceAfter - first.operation.amount
    : await findBalance(context, walletId, newestSeq, month.from)
  const amounts = entries.map(({ operation }) => operation.amount)
  const totalIn = sum(amounts.filter((amount) => amount > 0n))
  const totalOut = -sum(amounts.filter((amount) => amount < 0n))
  const { currency } = context.config
  return {
    from: month.from.toISOString(),
    before: month.before.toISOString(),
    opening: toWireNumber(opening, currency),
    totalIn: toWireNumber(totalIn, currency),
    totalOut: toWireNumber(totalOut, currency),
    closing: toWireNumber(entries.at(-1)?.operation.balanceAfter ?? opening, currency),
    currency: currency.code,
    transactions: entries
      .filter(({ operation }) => changesBalance(operation))
      .map((entry) => showEntry(context, { ...entry, debitSeq: undefined, refunded: undefined })),
  }
}

function findMonth({ month, timeZone }: Input): Month {
  requireTimeZone(timeZone)
  const [year = 0, number = 0] = month.split('-').map(Number)
  const startOf = (index: number) =>
    new Date(startOfDay(timeZone, Date.UTC(year, index, 1) / DAY_MS))
  return { from: startOf(number - 1), before: startOf(number) }
}

async function refuseArchived({ ledger }: Context, walletId: bigint, { from }: Month) {
  const archivedBefore = await ledger.readArchivedBefore(walletId)
  if (archivedBefore === undefined || from >= archivedBefore) return
  throw new InvalidRequest('The field month must be a month without archived entries.', 'month')
}

/** Newest first. */
async function readEntries(
  context: Context,
  walletId: bigint,
  newestSeq: bigint,
  period: Month,
): Promise<OperationOfApp[]> {
  const entries: OperationOfApp[] = []
  for (let fromSeq: bigint | null = newestSeq; fromSeq !== null;) {
    const page = await searchHistory(context, walletId, { period }, { fromSeq, limit: PAGE })
    entries.push(...page.entries)
    if (entries.length > STATEMENT_ENTRIES_MAX) {
      throw new InvalidRequest(
        `The field month must be a month with at most ${STATEMENT_ENTRIES_MAX} entries.`,
        'month',
      )
    }
    fromSeq = page.nextSeq
  }
  return entries
}

/** The balance after the last operation before an instant. */
async function findBalance(
  context: Context,
  walletId: bigint,
  newestSeq: bigint,
  before: Date,
): Promise<bigint> {
  for (let fromSeq: bigint | null = newestSeq; fromSeq !== null;) {
    const bounds = { fromSeq, limit: 1 }
    const page = await searchHistory(context, walletId, { period: { before } }, bounds)
    const [last] = page.entries
    if (last) return last.operation.balanceAfter
    fromSeq = page.nextSeq
  }
  const archived = await one(context.db, readArchivedHeads([walletId]))
  return archived?.balance ?? 0n
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
