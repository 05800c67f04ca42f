import { readEvents as endpoint } from '@coffer/contract/server/events'
import { EVENT_WAITERS_MAX } from '@coffer/contract/limits'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  addToOutbox,
  openFeed,
  readFeed,
  untilNumbered,
  usersOf,
  type FeedPage,
} from '../../test/events/feed-setup.ts'
import { makeClientApp, makeLinkedUser, type TestApp } from '../../test/factories.ts'
import { connectAdmin, spawnService } from '../../test/harness.ts'
import {
  assertRefusal,
  basicOf,
  call,
  openSetup,
  type Fields,
  type Setup,
} from '../../test/setup.ts'

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

const makeFeed = (count: number) => openFeed(setup.harness, count)

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

  it('gets the event also after another request of the app has stopped waiting', async () => {
    const { app } = await makeFeed(0)
    const [short, long] = [waiting(app, { waitSeconds: 1 }), waiting(app)]
    assert.deepEqual((await short).json<FeedPage>().events, [])
    await addToOutbox(setup.harness.admin, app, 'su_1')
    assert.deepEqual(usersOf((await long).json<FeedPage>()), ['su_1'])
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
    const ended = service.kill('SIGINT')
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
