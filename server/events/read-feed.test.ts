import { readEvents as endpoint } from '@coffer/contract/events'
import { EVENT_WAITERS_MAX } from '@coffer/contract/limits'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClientApp, makeLinkedUser, type TestApp } from '../test/factories.ts'
import {
  addToOutbox,
  listFeed,
  readFeed,
  untilNumbered,
  type FeedPage,
} from '../test/events/feed-setup.ts'
import { connectAdmin, spawnService } from '../test/harness.ts'
import { assertRefusal, basicOf, call, openSetup, type Fields, type Setup } from '../test/setup.ts'

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

/** A new app with so many events. */
async function makeFeed(count: number): Promise<Pick<Setup, 'harness' | 'app'>> {
  const { harness } = setup
  const app = await makeClientApp(harness.context)
  for (let index = 1; index <= count; index++) await addToOutbox(harness.admin, app, `su_${index}`)
  await untilNumbered(harness.admin)
  return { harness, app }
}

const usersOf = ({ events }: Pick<FeedPage, 'events'>) =>
  events.map(({ data }) => data.serviceUserId)

describe('GET /api/server/events', () => {
  it('200 returns pages, oldest first, and continues after each cursor', async () => {
    const there = await makeFeed(5)
    const first = await readFeed(there, { limit: 2 })
    assert.deepEqual(usersOf(first), ['su_1', 'su_2'])
    const second = await readFeed(there, { limit: 2, after: first.nextCursor })
    assert.deepEqual(usersOf(second), ['su_3', 'su_4'])
    const last = await readFeed(there, { limit: 2, after: second.nextCursor })
    assert.deepEqual(usersOf(last), ['su_5'])
    const none = await readFeed(there, { after: last.nextCursor })
    assert.deepEqual(none, { events: [], nextCursor: last.nextCursor })
    const [event] = first.events
    assert.match(event?.id ?? '', /^evt_[0-9a-f]{32}$/)
    assert.deepEqual([event?.sequence, event?.type], [1, 'link.created'])
    assert(Math.abs(Date.parse(event?.createdAt ?? '') - Date.now()) < 60_000)
    const rest = await readFeed(there, { after: event?.cursor })
    assert.deepEqual(usersOf(rest), ['su_2', 'su_3', 'su_4', 'su_5'])
    // The same event has the same id, number and cursor.
    assert.deepEqual((await readFeed(there, { limit: 1 })).events, [event])
  })

  it('200 with a cursor for an app without events', async () => {
    const there = await makeFeed(0)
    const { events, nextCursor } = await readFeed(there)
    assert.deepEqual(events, [])
    await addToOutbox(setup.harness.admin, there.app, 'su_1')
    await untilNumbered(setup.harness.admin)
    assert.deepEqual(usersOf(await readFeed(there, { after: nextCursor })), ['su_1'])
  })

  it('200 returns only the requested types and continues after the others', async () => {
    const there = await makeFeed(3)
    const none = await readFeed(there, { types: 'link.ended,wallet.frozen' })
    assert.deepEqual(none.events, [])
    assert.deepEqual((await readFeed(there, { after: none.nextCursor })).events, [])
    const all = await readFeed(there, { types: 'link.ended,link.created', limit: 2 })
    assert.deepEqual(usersOf(all), ['su_1', 'su_2'])
    const unknown = await readFeed(there, { types: 'a_type_of.tomorrow', after: all.nextCursor })
    assert.deepEqual(unknown, none)
  })

  it('200 never contains events of another app', async () => {
    const [one, other] = [await makeFeed(2), await makeFeed(3)]
    assert.equal((await listFeed(one)).length, 2)
    assert.equal((await listFeed(other)).length, 3)
    const { nextCursor } = await readFeed(one)
    assertRefusal(await call(other, endpoint, { after: nextCursor }), endpoint, 'CURSOR_EXPIRED')
  })

  for (const [field, value] of [
    ['after', 'evc_1'],
    ['after', `txn_${'a'.repeat(32)}`],
    ['types', 'link.created,,link.ended'],
    ['types', 'LINK.CREATED'],
    ['limit', '0'],
    ['limit', '101'],
    ['waitSeconds', '21'],
    ['waitSeconds', '-1'],
  ] as const) {
    it(`400 INVALID_REQUEST for ${field} = ${value}`, async () => {
      const response = await call(setup, endpoint, { [field]: value })
      assertRefusal(response, endpoint, 'INVALID_REQUEST', field)
    })
  }
})

describe('GET /api/server/events', () => {
  const expires = async (there: Pick<Setup, 'harness' | 'app'>, cursor: string) =>
    assertRefusal(await call(there, endpoint, { after: cursor }), endpoint, 'CURSOR_EXPIRED')

  it('410 CURSOR_EXPIRED after the database was restored to an earlier state', async () => {
    const { admin } = setup.harness
    const there = await makeFeed(4)
    const { events, nextCursor } = await readFeed(there)
    const restore = `with gone as (delete from events.events where client_app_id = $1 and sequence > 2)
      update events.feeds f set last_sequence = 2, last_id = e.id from events.events e
      where f.client_app_id = $1 and e.client_app_id = $1 and e.sequence = 2`
    await admin.query(restore, [there.app.id])
    await expires(there, nextCursor)
    // Other events get the same numbers.
    for (const user of ['su_5', 'su_6', 'su_7']) await addToOutbox(admin, there.app, user)
    await untilNumbered(admin)
    await expires(there, nextCursor)
    await expires(there, events[2]?.cursor ?? '')
    // What was read before the state of the backup is still known.
    const known = await readFeed(there, { after: events[1]?.cursor })
    assert.deepEqual(usersOf(known), ['su_5', 'su_6', 'su_7'])
    assert.equal((await listFeed(there)).length, 5)
  })

  it('410 CURSOR_EXPIRED if an event after it was deleted because of its age, and only then', async () => {
    const { admin } = setup.harness
    const there = await makeFeed(5)
    const { events } = await readFeed(there)
    await admin.query('delete from events.events where client_app_id = $1 and sequence <= 3', [
      there.app.id,
    ])
    await expires(there, events[1]?.cursor ?? '')
    assert.deepEqual(usersOf(await readFeed(there, { after: events[2]?.cursor })), ['su_4', 'su_5'])
    assert.deepEqual(usersOf(await readFeed(there)), ['su_4', 'su_5'])
    // A reader at the end stays there, also when all events are gone.
    await admin.query('delete from events.events where client_app_id = $1', [there.app.id])
    assert.deepEqual(await readFeed(there, { after: events[4]?.cursor }), {
      events: [],
      nextCursor: events[4]?.cursor,
    })
    assert.equal((await readFeed(there)).nextCursor, events[4]?.cursor)
    await expires(there, events[3]?.cursor ?? '')
  })
})

describe('a request that waits for an event', () => {
  const waiting = (app: TestApp, fields: Fields = {}) =>
    call({ harness: setup.harness, app }, endpoint, { waitSeconds: 10, ...fields })

  it('gets the event as soon as it has its number', async () => {
    const { app } = await makeFeed(1)
    const { nextCursor } = await readFeed({ harness: setup.harness, app })
    const response = waiting(app, { after: nextCursor })
    await sleep(300)
    await addToOutbox(setup.harness.admin, app, 'su_2')
    const startedMs = performance.now()
    assert.deepEqual(usersOf((await response).json<FeedPage>()), ['su_2'])
    assert(performance.now() - startedMs < 5_000)
  })

  it('is not ended by events of other types or other apps', async () => {
    const { app } = await makeFeed(0)
    const response = waiting(app, { types: 'link.ended', waitSeconds: 2 })
    await sleep(100)
    await addToOutbox(setup.harness.admin, app, 'su_1')
    await addToOutbox(setup.harness.admin, setup.app, 'su_1')
    const page = (await response).json<FeedPage>()
    assert.deepEqual(page.events, [])
    // It continues after the event of the other type.
    const next = await readFeed({ harness: setup.harness, app }, { after: page.nextCursor })
    assert.deepEqual(next.events, [])
  })

  it('gets an empty page after the time, which the metrics do not count as slow', async () => {
    const { app } = await makeFeed(0)
    const startedMs = performance.now()
    const response = await waiting(app, { waitSeconds: 2 })
    const tookMs = performance.now() - startedMs
    assert.deepEqual(response.json<FeedPage>().events, [])
    assert(tookMs >= 1_990 && tookMs < 6_000, `${tookMs} ms`)
    const metrics = await setup.harness.context.metrics.registry.metrics()
    const slow =
      /coffer_request_seconds_sum\{method="GET",route="\/api\/server\/events",status="200"\} (\S+)/
    assert(Number(slow.exec(metrics)?.[1]) < 2)
  })

  it('429 RATE_LIMITED if too many requests of the app wait, until their clients disconnect', async () => {
    const { harness } = setup
    const { app } = await makeFeed(0)
    const address = await harness.app.listen({ port: 0, host: '127.0.0.1' })
    const sockets: Socket[] = []
    harness.app.server.on('connection', (socket: Socket) => sockets.push(socket))
    const abort = new AbortController()
    const open = () =>
      fetch(`${address}${endpoint.path}?waitSeconds=20`, {
        headers: basicOf(app),
        signal: abort.signal,
      }).catch(() => undefined)
    const requests = Array.from({ length: EVENT_WAITERS_MAX }, open)
    // The server closes silent connections after 20 seconds; these must stay open for longer.
    const waits = () => sockets.filter(({ timeout }) => timeout === 30_000).length
    for (let tries = 0; tries < 200 && waits() < EVENT_WAITERS_MAX; tries++) await sleep(25)
    await sleep(200)
    assert.deepEqual([...new Set(sockets.map(({ timeout }) => timeout))], [30_000])
    assert.equal(sockets.length, EVENT_WAITERS_MAX)
    assertRefusal(await waiting(app), endpoint, 'RATE_LIMITED')
    // Another app can wait, and an app can always read.
    const other = await makeClientApp(harness.context)
    assert.equal((await waiting(other, { waitSeconds: 1 })).statusCode, 200)
    assert.equal((await waiting(app, { waitSeconds: 0 })).statusCode, 200)
    const closed = sockets.map((socket) => once(socket, 'close'))
    abort.abort()
    await Promise.all([...requests, ...closed])
    assert.equal((await waiting(app, { waitSeconds: 1 })).statusCode, 200)
  })

  it('ends at once, without an error, when the process stops', async () => {
    const { harness } = setup
    const app = await makeClientApp(harness.context)
    await makeLinkedUser(harness.context, app)
    const service = await spawnService(harness.databaseUrl)
    const read = async (fields: Record<string, string>) => {
      const query = new URLSearchParams(fields)
      const response = await fetch(`${service.url}${endpoint.path}?${query}`, {
        headers: basicOf(app),
      })
      assert.equal(response.status, 200)
      return (await response.json()) as FeedPage
    }
    await untilNumbered(harness.admin)
    const { nextCursor } = await read({})
    const response = read({ after: nextCursor, waitSeconds: '20' })
    await sleep(500)
    const startedMs = performance.now()
    const ended = service.kill('SIGTERM')
    assert.deepEqual(await response, { events: [], nextCursor })
    assert.equal(await ended, 0)
    assert(performance.now() - startedMs < 8_000)
  })

  it('holds no database connection', async () => {
    const admin = await connectAdmin(setup.harness.databaseUrl)
    const apps = await Promise.all([1, 2, 3].map(() => makeClientApp(setup.harness.context)))
    const responses = apps.flatMap((app) =>
      Array.from({ length: EVENT_WAITERS_MAX }, () => waiting(app, { waitSeconds: 2 })),
    )
    await sleep(1_000)
    const { rows } = await admin.query<{ open: number }>(
      `select count(*)::int as open from pg_stat_activity
       where datname = current_database() and state like 'idle in transaction%'`,
    )
    assert.equal(rows[0]?.open, 0)
    const { idleCount, totalCount, waitingCount } = setup.harness.context.db
    assert(waitingCount === 0 && totalCount - idleCount <= 1)
    for (const response of await Promise.all(responses)) assert.equal(response.statusCode, 200)
    await admin.end()
  })
})
