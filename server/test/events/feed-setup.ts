/** How the tests read the feeds of client apps. */
import { readEvents as endpoint } from '@coffer/contract/server/events'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { z } from 'zod'
import { makeClientApp } from '../factories.ts'
import type { Harness } from '../harness.ts'
import { call, type Fields, type Setup } from '../setup.ts'

type Reader = Pick<Setup, 'harness' | 'app'>
export type FeedPage = z.output<typeof endpoint.response>
export type FeedEvent = FeedPage['events'][number]

export async function readFeed(reader: Reader, fields: Fields = {}): Promise<FeedPage> {
  const response = await call(reader, endpoint, fields)
  assert.equal(response.statusCode, 200, response.body)
  return response.json<FeedPage>()
}

/** Waits until every committed event has its number. */
export async function untilNumbered(admin: pg.ClientBase): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const { rowCount } = await admin.query('select from events.outbox limit 1')
    if (rowCount === 0) return
    await sleep(25)
  }
  assert.fail('an event stays in the outbox')
}

/** All events of the app. Their numbers have no gaps. */
export async function listFeed(reader: Reader): Promise<FeedEvent[]> {
  await untilNumbered(reader.harness.admin)
  const found: FeedEvent[] = []
  for (let after: string | undefined; ;) {
    const page = await readFeed(reader, { after })
    found.push(...page.events)
    if (page.events.length === 0) break
    after = page.nextCursor
  }
  const numbers = found.map(({ sequence }) => sequence)
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index + 1),
  )
  assert.equal(new Set(found.map(({ id }) => id)).size, found.length)
  return found
}

/** The types and data of the events that `act` causes for this app. */
export async function eventsOf(
  reader: Reader,
  act: () => Promise<unknown>,
): Promise<[string, FeedEvent['data']][]> {
  const before = await listFeed(reader)
  await act()
  const after = await listFeed(reader)
  return after.slice(before.length).map(({ type, data }) => [type, data])
}

/** Adds an event of the app to the outbox. */
export function addToOutbox(db: pg.ClientBase, { id }: { id: bigint }, serviceUserId: string) {
  return db.query(
    `insert into events.outbox (client_app_id, type, data)
     values ($1, 'link.created', jsonb_build_object('serviceUserId', $2::text))`,
    [id, serviceUserId],
  )
}

/** While `act` runs, no event can be added. */
export async function withoutOutbox(admin: pg.ClientBase, act: () => Promise<void>) {
  await admin.query(`
    create function events.refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before insert on events.outbox for each row execute function events.refuse()`)
  try {
    await act()
  } finally {
    await admin.query('drop function events.refuse cascade')
  }
}

/** A new app with so many events. */
export async function openFeed(harness: Harness, count: number): Promise<Reader> {
  const app = await makeClientApp(harness.context)
  for (let index = 1; index <= count; index++) await addToOutbox(harness.admin, app, `su_${index}`)
  await untilNumbered(harness.admin)
  return { harness, app }
}

export const usersOf = ({ events }: Pick<FeedPage, 'events'>) =>
  events.map(({ data }) => data.serviceUserId)
