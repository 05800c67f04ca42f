/** A person's history for operators: what the person sees, plus the changes of the debt. */
import type {
  exportPersonHistory as exportEndpoint,
  readPersonHistory as endpoint,
} from '@coffer/contract/admin/people'
import { formatAmount, toWireNumber } from '@coffer/contract/money'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import type { z } from 'zod'
import { exportHistory, type ExtraColumn } from '../../account/export-history.ts'
import { readPage, showEntry } from '../../account/read-history.ts'
import type { Context } from '../../context.ts'
import { one } from '../../database/statement.ts'
import { isOfApp, type Operation } from '../../ledger/types.ts'
import { findGrantsOf } from './find-grants-of.ts'
import { findAccountOf } from './queries.ts'
import { requirePerson } from './require-person.ts'

/** A long history is searched in parts, so that each request is fast. */
const TIME_LIMIT_MS = 60
/** Matches no operation: an unknown app has made none. */
const NO_ACCOUNT = -1

export async function readPersonHistory(
  context: Context,
  { id, clientId, ...filter }: z.output<typeof endpoint.input>,
): Promise<z.output<typeof endpoint.response>> {
  const { db, config } = context
  const { walletId } = await requirePerson(db, id)
  const query = { ...filter, ledgerAccount: await findAccount(db, clientId) }
  const page = await readPage(context, walletId, query, TIME_LIMIT_MS)
  const operations = page.entries.map(({ operation }) => operation)
  const grants = await findGrantsOf(context, operations)
  return {
    transactions: page.entries.map((entry) => ({
      ...showEntry(context, entry),
      kind: entry.operation.kind,
      debtChange: toWireNumber(entry.operation.debtChange, config.currency),
      appTransactionId: showAppId(context, entry.operation),
      grant: grants.get(entry.operation) ?? null,
    })),
    nextCursor: page.nextCursor,
  }
}

function showAppId({ transactionIds }: Context, operation: Operation): string | null {
  const { kind, counterAccount, walletId, seq } = operation
  return isOfApp(kind) ? transactionIds.encode(counterAccount, walletId, seq) : null
}

export async function exportPersonHistory(
  context: Context,
  { id, clientId, ...filter }: z.output<typeof exportEndpoint.input>,
): Promise<Readable> {
  const { db, config } = context
  const { walletId } = await requirePerson(db, id)
  const query = { ...filter, ledgerAccount: await findAccount(db, clientId) }
  const extra: ExtraColumn[] = [
    { name: 'Kind', cellOf: ({ kind }) => kind },
    { name: 'Debt after', cellOf: ({ debtAfter }) => formatAmount(debtAfter, config.currency) },
  ]
  return exportHistory(context, { walletId }, query, extra)
}

export function nameHistoryFile(id: string, now: Date): string {
  return `person-${id}-history-${now.toISOString().slice(0, 10)}.csv`
}

async function findAccount(db: pg.Pool, clientId: string | undefined) {
  if (clientId === undefined) return undefined
  return (await one(db, findAccountOf(clientId))) ?? NO_ACCOUNT
}
