import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ADVISORY_LOCKS } from '../../database/advisory-locks.ts'
import { clientConfig, createPool } from '../../database/connect.ts'
import { makeClientApp, type TestApp } from '../../test/factories.ts'
import { addToOutbox, listFeed, untilNumbered } from '../../test/events/feed-setup.ts'
import { connectAdmin, spawnService } from '../../test/harness.ts'
import { openSetup, type Setup } from '../../test/setup.ts'
import { dropOldEvents, prepareEventPartitions } from './keep-partitions.ts'
import { numberEvents } from './number-events.ts'

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

async function makeApp(): Promise<Pick<Setup, 'harness' | 'app'>> {
  return { harness: setup.harness, app: await makeClientApp(setup.harness.context) }
}

const usersOf = async (shop: Pick<Setup, 'harness' | 'app'>) =>
  (await listFeed(shop)).map(({ data }) => data.serviceUserId)

const connect = async () => {
  const client = new pg.Client(clientConfig(setup.harness.databaseUrl))
  await client.connect()
  return client
}

describe('the numbers of events', () => {
  it('an event whose transaction commits late gets the next number and is not skipped', async () => {
    const shop = await makeApp()
    const late = await connect()
    await late.query('begin')
    await addToOutbox(late, shop.app, 'su_late')
    for (const user of ['su_1', 'su_2']) await addToOutbox(setup.harness.admin, shop.app, user)
    for (let tries = 0; tries < 400 && (await listNumbers(shop.app)).length < 2; tries++) {
      await sleep(25)
    }
    assert.deepEqual(await listNumbers(shop.app), [1, 2])
    await late.query('commit')
    await late.end()
    assert.deepEqual(await usersOf(shop), ['su_1', 'su_2', 'su_late'])
  })

  it('the time of an event does not decide about its number', async () => {
    const shop = await makeApp()
    const { admin } = setup.harness
    await addToOutbox(admin, shop.app, 'su_1')
    await untilNumbered(admin)
    // As if the clock had been set back.
    await admin.query(
      `insert into events.outbox (client_app_id, type, data, created_at)
       select $1, 'link.created', '{"serviceUserId": "su_2"}', now() - interval '1 hour'`,
      [shop.app.id],
    )
    await untilNumbered(admin)
    await addToOutbox(admin, shop.app, 'su_3')
    assert.deepEqual(await usersOf(shop), ['su_1', 'su_2', 'su_3'])
  })

  it('have no gap and no duplicate with several processes, and after transactions that fail', async () => {
    const { harness } = setup
    const apps = await Promise.all([makeApp(), makeApp(), makeApp()])
    const pools = [1, 2].map(() => createPool(harness.databaseUrl, { size: 2, barrier: false }))
    const work = { isDone: false }
    const projectors = pools.map(async (db) => {
      while (!work.isDone)
        await numberEvents({ backgroundDb: db, metrics: harness.context.metrics })
    })
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      const client = await connect()
      for (let index = 0; index < 40; index++) {
        await client.query('begin')
        for (const { app } of apps) await addToOutbox(client, app, `su_${writer}_${index}`)
        await client.query(index % 4 === 3 ? 'rollback' : 'commit')
      }
      await client.end()
    })
    await Promise.all(writers)
    work.isDone = true
    await Promise.all(projectors)
    for (const shop of apps) {
      const users = await usersOf(shop)
      assert.equal(users.length, 6 * 30)
      assert.equal(new Set(users).size, users.length)
      for (let writer = 0; writer < 6; writer++) {
        const own = users.flatMap((user) => user?.match(`^su_${writer}_(\\d+)$`)?.[1] ?? [])
        assert.deepEqual(
          own,
          own.toSorted((a, b) => Number(a) - Number(b)),
        )
      }
    }
    for (const pool of pools) await pool.end()
  })

  it('nothing is lost or doubled if the database session that numbers events is killed', async () => {
    const shop = await makeApp()
    const { admin } = setup.harness
    await addToOutbox(admin, shop.app, 'su_1')
    await untilNumbered(admin)
    // Stops the statement after it has taken the events from the outbox.
    const holder = await connectAdmin(setup.harness.databaseUrl)
    await holder.query('begin')
    await holder.query('select from events.feeds where client_app_id = $1 for update', [
      shop.app.id,
    ])
    for (const user of ['su_2', 'su_3']) await addToOutbox(admin, shop.app, user)
    await killWaiting(admin)
    await holder.query('commit')
    await holder.end()
    assert.deepEqual(await usersOf(shop), ['su_1', 'su_2', 'su_3'])
  })

  it('nothing is lost or doubled if processes of the service are killed', async () => {
    const shop = await makeApp()
    const { harness } = setup
    let count = 0
    for (let round = 0; round < 2; round++) {
      const service = await spawnService(harness.databaseUrl)
      const killed = sleep(300 + round * 130).then(() => service.kill('SIGKILL'))
      for (let index = 0; index < 150; index++) {
        await addToOutbox(harness.admin, shop.app, `su_${++count}`)
      }
      await killed
    }
    const expected = Array.from({ length: count }, (_, index) => `su_${index + 1}`)
    assert.deepEqual(await usersOf(shop), expected)
  })
})

async function listNumbers({ id }: TestApp): Promise<number[]> {
  const { rows } = await setup.harness.admin.query<{ sequence: string }>(
    'select sequence from events.events where client_app_id = $1 order by sequence',
    [id],
  )
  return rows.map(({ sequence }) => Number(sequence))
}

async function killWaiting(admin: pg.Client) {
  const sql = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%events.feeds%'`
  for (let tries = 0; tries < 400; tries++) {
    if ((await admin.query(sql)).rowCount) return
    await sleep(25)
  }
  assert.fail('nothing waits for the lock')
}

describe('the delay of events', () => {
  it('is in the metrics while no process can number them', async () => {
    const shop = await makeApp()
    const { admin, context } = setup.harness
    const lock = await connectAdmin(setup.harness.databaseUrl)
    await lock.query(`select pg_advisory_lock(${ADVISORY_LOCKS.eventNumbers})`)
    await addToOutbox(admin, shop.app, 'su_1')
    await sleep(1_000)
    await numberEvents(context)
    const delay = await readDelay()
    await lock.end()
    // A round of the service may show what it read a quarter of a second before.
    assert(delay >= 0.5, String(delay))
    await untilNumbered(admin)
    await numberEvents(context)
    assert.equal(await readDelay(), 0)
  })

  async function readDelay(): Promise<number> {
    const text = await setup.harness.context.metrics.registry.metrics()
    return Number(/^coffer_events_delay_seconds (\S+)$/m.exec(text)?.[1])
  }
})

describe('the partitions of events', () => {
  const listWeeks = async () => {
    const { rows } = await setup.harness.admin.query<{ name: string }>(
      `select relname as name from pg_inherits join pg_class on oid = inhrelid
       where inhparent = 'events.events'::regclass order by relname`,
    )
    return rows.map(({ name }) => name)
  }
  const addWeek = async (daysAgo: number) => {
    const { rows } = await setup.harness.admin.query<{ name: string; from: string; to: string }>(
      `select 'events_' || to_char(week, 'YYYY_MM_DD') as name, week || ' 00:00+00' as from, week + 7 || ' 00:00+00' as to
       from (select (now() at time zone 'UTC')::date - $1::int as week) as weeks`,
      [daysAgo],
    )
    const { name, from, to } = rows[0] ?? assert.fail()
    await setup.harness.admin.query(
      `create table events.${name} partition of events.events for values from ('${from}') to ('${to}')`,
    )
    return name
  }

  it('are prepared for four weeks, and dropped 30 days after their end', async () => {
    const { backgroundDb } = setup.harness.context
    const prepared = await listWeeks()
    assert.equal(prepared.length, 5)
    await prepareEventPartitions(backgroundDb)
    assert.deepEqual(await listWeeks(), prepared)
    const [kept, expired, older] = [await addWeek(36), await addWeek(37 + 7), await addWeek(90)]
    await dropOldEvents(backgroundDb)
    const left = await listWeeks()
    assert(left.includes(kept))
    assert(!left.includes(expired) && !left.includes(older))
    assert.equal(left.length, 6)
  })

  it('the service can neither change events nor delete them', async () => {
    const client = await connect()
    for (const sql of [
      'delete from events.events',
      `update events.events set type = 'link.ended'`,
      'truncate events.events',
    ]) {
      await assert.rejects(client.query(sql), { code: '42501' })
    }
    await client.end()
  })
})
