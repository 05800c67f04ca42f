/** A person's history as operators see it: what the person sees, and what became of the debt. */
import type {
  exportPersonHistory as exportEndpoint,
  readPersonHistory as endpoint,
} from '@coffer/contract/admin/people'
import { formatAmount, toWireNumber } from '@coffer/contract/money'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { exportHistory, type ExtraColumn } from '../../account/export-history.ts'
import { readPage, showEntry } from '../../account/read-history.ts'
import { findAccountOf } from './queries.ts'
import { requirePerson } from './read-person.ts'

/** A long history is searched in parts, each of which is answered soon. */
const PATIENCE_MS = 60
/** No operation has it: an app that is not there has made nothing. */
const NO_ACCOUNT = -1

export async function readPersonHistory(
  context: Context,
  { id, clientId, ...filter }: z.output<typeof endpoint.input>,
): Promise<z.output<typeof endpoint.answer>> {
  const { db, config } = context
  const { wallet_id: walletId } = await requirePerson(db, id)
  const asked = { ...filter, account: await findAccount(db, clientId) }
  const page = await readPage(context, walletId, asked, PATIENCE_MS)
  return {
    transactions: page.entries.map((entry) => ({
      ...showEntry(context, entry),
      kind: entry.operation.kind,
      debtChange: toWireNumber(entry.operation.debtChange, config.currency),
    })),
    nextCursor: page.nextCursor,
  }
}

export async function exportPersonHistory(
  context: Context,
  { id, clientId, ...filter }: z.output<typeof exportEndpoint.input>,
): Promise<Readable> {
  const { db, config } = context
  const { wallet_id: walletId } = await requirePerson(db, id)
  const asked = { ...filter, account: await findAccount(db, clientId) }
  const extra: ExtraColumn[] = [
    { name: 'Kind', cellOf: ({ kind }) => kind },
    { name: 'Debt after', cellOf: ({ debtAfter }) => formatAmount(debtAfter, config.currency) },
  ]
  return exportHistory(context, { walletId }, asked, extra)
}

export function nameHistoryFile(id: string, now: Date): string {
  return `person-${id}-history-${now.toISOString().slice(0, 10)}.csv`
}

async function findAccount(db: pg.Pool, clientId: string | undefined) {
  if (clientId === undefined) return undefined
  const { rows } = await db.query<{ account_id: bigint }>(findAccountOf(clientId))
  return Number(rows[0]?.account_id ?? NO_ACCOUNT)
}
