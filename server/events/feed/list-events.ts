/** The events of a client app as an operator sees them: newest first. */
import type { listAppEvents as endpoint } from '@coffer/contract/admin/client-app-events'
import type pg from 'pg'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { many, one } from '../../database/statement.ts'
import { InvalidRequest } from '../../service-error.ts'
import { findNewest, listNewestEvents, type StoredEvent } from './queries.ts'
import { showEvent } from './show-event.ts'

const PAGE = 50
/** How many events of an app one request searches for events of a type. */
const SEARCHED_MAX = 10_000n

type Page = z.input<typeof endpoint.response>

interface Search {
  app: { id: bigint; ledgerAccount: number }
  type: string | undefined
  /** The number of an event; the page begins before it. */
  cursor: string | undefined
}

export async function listEvents(
  db: pg.Pool,
  tools: Pick<Context, 'transactionIds' | 'config'>,
  { app, type, cursor }: Search,
): Promise<Page> {
  if (cursor !== undefined && !/^[1-9]\d{0,17}$/.test(cursor)) {
    throw new InvalidRequest(
      'The field cursor must be the nextCursor of the previous page.',
      'cursor',
    )
  }
  const newest = await one(db, findNewest(app.id))
  const before = cursor === undefined ? (newest?.sequence ?? 0n) + 1n : BigInt(cursor)
  const from = before > SEARCHED_MAX ? before - SEARCHED_MAX : 1n
  const found = await many(
    db,
    listNewestEvents(app.id, { from, before, type: type ?? null, limit: PAGE + 1 }),
  )
  const page = found.slice(0, PAGE)
  const last = found.length > PAGE ? page.at(-1)?.sequence : from
  const hasMore = found.length > PAGE || (await hasOlder(db, app.id, from))
  return {
    events: page.map((event) => showForOperator(tools, app.ledgerAccount, event)),
    nextCursor: hasMore && last !== undefined ? String(last) : null,
  }
}

/** Old events are deleted, so there may be none although the number is high. */
async function hasOlder(db: pg.Pool, clientAppId: bigint, before: bigint): Promise<boolean> {
  const older = await many(
    db,
    listNewestEvents(clientAppId, { from: 1n, before, type: null, limit: 1 }),
  )
  return older.length > 0
}

function showForOperator(
  tools: Pick<Context, 'transactionIds' | 'config'>,
  ledgerAccount: number,
  event: StoredEvent,
): Page['events'][number] {
  const { cursor: _, ...shown } = showEvent(tools, ledgerAccount, event)
  const { id, sequence, type, createdAt } = shown
  return {
    id,
    sequence,
    type,
    createdAt,
    serviceUserId: shown.data.serviceUserId ?? null,
    body: JSON.stringify(shown),
  }
}
