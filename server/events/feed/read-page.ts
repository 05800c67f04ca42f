import type pg from 'pg'
import type { Context } from '../../context.ts'
import { many, one } from '../../database/statement.ts'
import { readDurably } from '../../ledger/read/read-durably.ts'
import { ServiceError } from '../../service-error.ts'
import { isAt, positionOf, START, type Position } from './event-cursor.ts'
import { findNewest, findOldest, listEvents, type KnownEvent, type StoredEvent } from './queries.ts'

/** How many events of an app one request searches for events of the requested types. */
const SEARCHED_MAX = 10_000n

export interface PageRequest {
  clientAppId: bigint
  /** undefined: from the oldest event that is kept. */
  position: Position | undefined
  /** undefined: all. */
  types: readonly string[] | undefined
  limit: number
}

export interface EventPage {
  events: StoredEvent[]
  position: Position
  /** Whether more events exist after the page. */
  hasMore: boolean
}

/**
 * Reads events that the standby has. Otherwise a failover could lose events that an app has read, and their numbers
 * would be used again for others. At the end of the feed there is nothing to return, so one lookup suffices.
 */
export async function readPage(
  { db, config }: Pick<Context, 'db' | 'config'>,
  request: PageRequest,
): Promise<EventPage> {
  const newest = await one(db, findNewest(request.clientAppId))
  const { position } = request
  if (isAtEnd(position, newest)) {
    return { events: [], position: position ?? START, hasMore: false }
  }
  return readDurably(db, config.requiresStandby, (tx) => readEvents(tx, request))
}

/** Throws CURSOR_EXPIRED if there is no such event. */
function isAtEnd(position: Position | undefined, newest: KnownEvent | undefined): boolean {
  const last = newest?.sequence ?? 0n
  if (position === undefined) return newest === undefined
  const { sequence, idPrefix } = position
  const isImpossible = sequence < 0n || sequence > last || (sequence === 0n && idPrefix !== 0n)
  const isOther = newest && sequence === last && !isAt(position, newest)
  if (isImpossible || isOther) throw new ServiceError('CURSOR_EXPIRED')
  return sequence === last
}

async function readEvents(
  tx: pg.ClientBase,
  { clientAppId, position, types, limit }: PageRequest,
): Promise<EventPage> {
  // Read first: what is added meanwhile belongs to the next page.
  const newest = await one(tx, findNewest(clientAppId))
  if (newest === undefined) throw new ServiceError('CURSOR_EXPIRED')
  const oldest = await one(tx, findOldest(clientAppId, position?.sequence ?? 0n))
  if (position === undefined && oldest === undefined) {
    return { events: [], position: positionOf(newest), hasMore: false }
  }
  const after = position?.sequence ?? (oldest?.sequence ?? 1n) - 1n
  if (position) refuseGap(position, oldest)
  const end = after + SEARCHED_MAX
  const last = end < newest.sequence ? end : newest.sequence
  const found = await many(tx, listEvents(clientAppId, { after, last }, types ?? null, limit))
  const reached = found.at(-1)
  return {
    events: types === undefined ? found : found.filter(({ type }) => types.includes(type)),
    position: reached ? positionOf(reached) : (position ?? START),
    hasMore: reached !== undefined && reached.sequence < newest.sequence,
  }
}

/**
 * Old events are deleted, so the reader must have read every deleted one, and the event at its position must still be
 * the same.
 */
function refuseGap(position: Position, oldest: KnownEvent | undefined) {
  const isKnown = oldest?.sequence === position.sequence && isAt(position, oldest)
  const isNext = oldest?.sequence === position.sequence + 1n
  if (!isKnown && !isNext) throw new ServiceError('CURSOR_EXPIRED')
}
