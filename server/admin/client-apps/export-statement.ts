import type { exportStatement as endpoint } from '@coffer/contract/admin/client-app-statements'
import { formatAmount, type Currency } from '@coffer/contract/money'
import { Readable } from 'node:stream'
import type { z } from 'zod'
import { readEntries, summarize, type EntryWithBalance } from '../../books/read-statement.ts'
import type { Context } from '../../context.ts'
import { BYTE_ORDER_MARK, toLine } from '../../http/csv.ts'
import { one } from '../../database/statement.ts'
import { READ_ARCHIVED_BEFORE } from '../../ledger/partitions/archived-queries.ts'
import { ServiceError } from '../../service-error.ts'
import { findPeriod } from './read-statement.ts'

const HEADER = [
  'Time (UTC)',
  'Entry',
  'Debit',
  'Credit',
  'Balance',
  'Owed by',
  'Currency',
  'Reference type',
  'Reference',
  'Description',
  'Transaction id',
]

/** Streams a page of operations at a time, as fast as the client reads. Errors are returned before the first byte. */
export async function exportStatement(
  { db, config, transactionIds, log }: Pick<Context, 'db' | 'config' | 'transactionIds' | 'log'>,
  input: z.output<typeof endpoint.input>,
): Promise<Readable> {
  const { currency } = config
  const period = await findPeriod({ db }, input)
  const archivedBefore = await one(db, READ_ARCHIVED_BEFORE)
  if (archivedBefore && new Date(period.from) < archivedBefore) {
    throw new ServiceError('INVALID_REQUEST', 'from')
  }
  const summary = await summarize(db, period)
  const from = new Date(input.from)
  const idOf = ({ walletId, seq }: EntryWithBalance) =>
    transactionIds.encode(period.account, walletId, seq)

  async function* writePages() {
    yield BYTE_ORDER_MARK + toLine(HEADER)
    yield toBalanceLine(from, 'Opening balance', summary.opening, currency)
    for await (const entries of readEntries(db, period, summary)) {
      yield entries.map((entry) => toEntryLine(entry, idOf(entry), currency)).join('')
    }
    yield toBalanceLine(summary.end, 'Closing balance', summary.closing, currency)
  }
  const lines = Readable.from(writePages())
  // The response has started, so no error can be returned: the file ends without its last line and the download fails.
  lines.on('error', (error) => log.error({ err: error }, 'statement export aborted'))
  return lines
}

export function nameStatementFile({ clientId, from, to }: z.output<typeof endpoint.input>): string {
  return `statement-${clientId}-${from}-${to}.csv`
}

function toBalanceLine(at: Date, name: string, balance: bigint, currency: Currency): string {
  return toLine([at.toISOString(), name, '', '', ...toBalance(balance, currency), '', '', '', ''])
}

/** A debit increases what the platform owes the app. */
function toEntryLine(entry: EntryWithBalance, id: string, currency: Currency): string {
  const { change } = entry
  return toLine([
    entry.createdAt.toISOString(),
    entry.kind,
    change > 0n ? formatAmount(change, currency) : '',
    change > 0n ? '' : formatAmount(-change, currency),
    ...toBalance(entry.balance, currency),
    entry.referenceType,
    entry.referenceId,
    entry.description ?? '',
    id,
  ])
}

/** Without a sign, which would turn the cell into text: the next cell names the debtor. */
function toBalance(balance: bigint, currency: Currency): string[] {
  const amount = formatAmount(balance < 0n ? -balance : balance, currency)
  const owedBy = balance === 0n ? '' : balance > 0n ? 'platform' : 'app'
  return [amount, owedBy, currency.code]
}
