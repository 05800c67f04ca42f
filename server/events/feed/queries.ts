import type pg from 'pg'
import { ADVISORY_LOCKS } from '../../database/advisory-locks.ts'
import type { Statement } from '../../database/statement.ts'

/** Only one transaction at a time moves events, so that they get their numbers in the order of the outbox. */
export const LOCK_OUTBOX: Statement<boolean> = {
  text: `select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.eventNumbers}) as is_locked`,
  read: (row: { is_locked: boolean }) => row.is_locked,
}

/** The age of the oldest event that has no number; no row if all have one. */
export const READ_DELAY: Statement<number> = {
  name: 'read-event-delay',
  text: `select extract(epoch from clock_timestamp() - created_at)::float8 as seconds
    from events.outbox order by position limit 1`,
  read: (row: { seconds: number }) => row.seconds,
}

/**
 * Moves the committed rows of the outbox and numbers them. The counters are changed by the same statement, so no number
 * is left out and none is used twice. A row that is committed later is moved later, whatever its position.
 */
export function moveEvents(most: number): pg.QueryConfig {
  return {
    name: 'move-events',
    text: `with moved as (
        delete from events.outbox
        where position = any(array(select position from events.outbox order by position limit $1))
        returning position, id, client_app_id, type, data, created_at
      ), placed as (
        select *, row_number() over (partition by client_app_id order by position) as place,
          count(*) over (partition by client_app_id) as total
        from moved
      ), counted as (
        insert into events.feeds as f (client_app_id, last_sequence, last_id)
        select client_app_id, place, id from placed where place = total
        on conflict (client_app_id) do update
          set last_sequence = f.last_sequence + excluded.last_sequence, last_id = excluded.last_id
        returning client_app_id, last_sequence
      )
      insert into events.events (client_app_id, sequence, id, type, data, created_at)
      select client_app_id, c.last_sequence - p.total + p.place, p.id, p.type, p.data, p.created_at
      from placed p join counted c using (client_app_id)`,
    values: [most],
  }
}

/** An event that the reader of a feed knows: the number, and the id, which no other event with this number has. */
export interface KnownEvent {
  sequence: bigint
  id: string
}

/** The newest event; no row if there was none yet. */
export function findNewest(clientAppId: bigint): Statement<KnownEvent> {
  return {
    name: 'find-newest-event',
    text: 'select last_sequence as sequence, last_id as id from events.feeds where client_app_id = $1',
    values: [clientAppId],
    read: (row: KnownEvent) => ({ sequence: row.sequence, id: row.id }),
  }
}

/** The oldest event that is kept, from this number on. */
export function findOldest(clientAppId: bigint, from: bigint): Statement<KnownEvent> {
  return {
    name: 'find-oldest-event',
    text: `select sequence, id from events.events
      where client_app_id = $1 and sequence >= $2 order by sequence limit 1`,
    values: [clientAppId, from],
    read: (row: KnownEvent) => ({ sequence: row.sequence, id: row.id }),
  }
}

export interface StoredEvent extends KnownEvent {
  type: string
  data: Record<string, unknown>
  createdAt: Date
}

interface EventRow extends KnownEvent {
  type: string
  data: Record<string, unknown>
  created_at: Date
}

function readEvent({ created_at: createdAt, ...row }: EventRow): StoredEvent {
  return { ...row, createdAt }
}

/** Also returns the last one of the period, whatever its type: the reader continues there. */
export function listEvents(
  clientAppId: bigint,
  { after, last }: { after: bigint; last: bigint },
  types: readonly string[] | null,
  limit: number,
): Statement<StoredEvent> {
  return {
    name: 'list-events',
    text: `select sequence, id, type, data, created_at from events.events
      where client_app_id = $1 and sequence > $2 and sequence <= $3
        and ($4::text[] is null or type = any($4) or sequence = $3)
      order by sequence limit $5`,
    values: [clientAppId, after, last, types, limit],
    read: readEvent,
  }
}

/** Newest first, from a number on and before another one. */
export function listNewestEvents(
  clientAppId: bigint,
  {
    from,
    before,
    type,
    limit,
  }: { from: bigint; before: bigint; type: string | null; limit: number },
): Statement<StoredEvent> {
  return {
    text: `select sequence, id, type, data, created_at from events.events
      where client_app_id = $1 and sequence >= $2 and sequence < $3 and ($4::text is null or type = $4)
      order by sequence desc limit $5`,
    values: [clientAppId, from, before, type, limit],
    read: readEvent,
  }
}

export interface Newest {
  clientAppId: bigint
  sequence: bigint
}

export function listNewest(clientAppIds: readonly bigint[]): Statement<Newest> {
  return {
    name: 'list-newest-events',
    text: `select client_app_id, last_sequence from events.feeds where client_app_id = any($1::bigint[])`,
    values: [clientAppIds],
    read: (row: { client_app_id: bigint; last_sequence: bigint }) => ({
      clientAppId: row.client_app_id,
      sequence: row.last_sequence,
    }),
  }
}

export const PREPARE_PARTITIONS = { text: 'select events.prepare_partitions()' }
export const DROP_PARTITIONS = { text: 'select events.drop_partitions()' }
