/** A limit that protects against guessing holds for all processes together. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { startHarness, type Harness } from '../test/harness.ts'
import { createThrottles } from './create-throttles.ts'
import { pruneRateLimits, shareRateLimit, type SharedLimitOptions } from './share-rate-limit.ts'

const HOUR = 3600

let harness: Harness
before(async () => {
  harness = await startHarness()
})
after(() => harness.end())

let limits = 0

/** The same limit in several processes, and how many queries they made. */
function openProcesses(count: number, options: Partial<SharedLimitOptions> = {}) {
  const name = `limit ${++limits}`
  const { config, db: pool } = harness.context
  const queries = { count: 0 }
  const db = {
    query: (...args: Parameters<pg.Pool['query']>) => {
      queries.count++
      return pool.query(...args)
    },
  } as unknown as pg.Pool
  const shared = { db, pepper: config.peppers[0], name, count: 20, seconds: HOUR }
  const processes = Array.from({ length: count }, () =>
    shareRateLimit({ ...shared, isFirstFree: false, ...options }),
  )
  return { processes, queries, name }
}

describe('a shared rate limit', () => {
  it('allows as many calls in all processes together as one process would', async () => {
    const { processes } = openProcesses(4)
    let allowed = 0
    for (let call = 0; call < 100; call++) {
      if (await processes[call % 4]?.('key')) allowed++
    }
    assert.equal(allowed, 20)
  })

  it('allows no more calls if they are concurrent', async () => {
    const { processes } = openProcesses(4)
    const calls = Array.from({ length: 200 }, async (_, call) => processes[call % 4]?.('key'))
    const allowed = (await Promise.all(calls)).filter(Boolean)
    assert.equal(allowed.length, 20)
  })

  it('counts each key and each limit separately', async () => {
    const first = openProcesses(1, { count: 1 })
    const second = openProcesses(1, { count: 1 })
    const results: unknown[] = []
    for (const [limit, key] of [
      [first, 'a'],
      [first, 'a'],
      [first, 'b'],
      [second, 'a'],
    ] as const) {
      results.push(await limit.processes[0]?.(key))
    }
    assert.deepEqual(results, [true, false, true, true])
  })

  it('needs one query for several calls, and none while the bucket is empty', async () => {
    const { processes, queries } = openProcesses(1)
    for (let call = 0; call < 20; call++) assert.equal(await processes[0]?.('key'), true)
    assert.equal(queries.count, 5)
    for (let call = 0; call < 1_000; call++) assert.equal(await processes[0]?.('key'), false)
    assert.equal(queries.count, 6)
  })

  it('needs no query for a flood of different keys, if the first call is free; the free call counts', async () => {
    const { processes, queries } = openProcesses(1, { isFirstFree: true })
    for (let key = 0; key < 1_000; key++) assert.equal(await processes[0]?.(`key ${key}`), true)
    assert.equal(queries.count, 0)
    let allowed = 1
    for (let call = 0; call < 50; call++) if (await processes[0]?.('key 1')) allowed++
    assert.equal(allowed, 20)
  })

  it('refills steadily', async () => {
    const { processes } = openProcesses(2, { count: 10, seconds: 1 })
    const drain = async () => {
      let allowed = 0
      for (let call = 0; call < 40; call++) if (await processes[call % 2]?.('key')) allowed++
      return allowed
    }
    const first = await drain()
    assert(first >= 10 && first <= 13, `${first}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
    const second = await drain()
    assert(second >= 3 && second <= 8, `${second}`)
  })

  it('keeps the bucket of a key in use while an attacker fills the table with other keys', async () => {
    const { processes } = openProcesses(1, { count: 3, isFirstFree: true, keysMax: 100 })
    const [mayCall] = processes
    for (let call = 0; call < 3; call++) assert.equal(await mayCall?.('victim'), true)
    for (let key = 0; key < 1_000; key++) {
      await mayCall?.(`invented ${key}`)
      if (key % 50 === 0) assert.equal(await mayCall?.('victim'), false, `reset after ${key} keys`)
    }
  })

  it('stores no key, and its rows are deleted when they are no longer needed', async () => {
    const { processes } = openProcesses(1)
    await processes[0]?.('203.0.113.77')
    const { admin, context } = harness
    const read = () =>
      admin.query<{ row: string }>('select r::text as row from directory.rate_limits r')
    const { rows } = await read()
    assert(rows.length > 0 && rows.every(({ row }) => !row.includes('203.0.113.77')))
    await pruneRateLimits(context)
    assert.equal((await read()).rows.length, rows.length)
    await admin.query(`update directory.rate_limits set refilled_at = now() - interval '3 hours'`)
    await pruneRateLimits(context)
    assert.equal((await read()).rows.length, 0)
  })

  it('allows nothing if the limit is zero', async () => {
    const { processes } = openProcesses(1, { count: 0, isFirstFree: true })
    assert.equal(await processes[0]?.('key'), false)
  })
})

describe('the limits against guessing', () => {
  const HOURLY = { logInsPerMinute: 3, signUpsPerHour: 3 }

  for (const [limit, prefix] of [
    ['mayLogIn', ''],
    ['mayLogIn', 'admin '],
    ['maySignUp', ''],
  ] as const) {
    it(`of ${prefix}${limit} count the networks of one /48 together, and those of others separately`, async () => {
      const { config, db } = harness.context
      const throttles = createThrottles({ ...config, ...HOURLY }, db)
      const site = `2001:db8:${(++limits).toString(16)}`
      const startedMs = performance.now()
      let allowed = 0
      for (let network = 0; network < 80; network++) {
        if (await throttles[limit](`${prefix}${site}:${network.toString(16)}::/64`)) allowed++
      }
      const minutes = (performance.now() - startedMs) / 60_000
      assert(allowed >= 48 && allowed <= 50 + 48 * minutes, `${allowed} in ${minutes} minutes`)
      assert.equal(await throttles[limit](`${prefix}2001:db8:ffff:1::/64`), true)
      assert.equal(await throttles[limit](`${prefix}192.0.2.${limits}`), true)
    })
  }

  it('count no call of a network that has used up its own', async () => {
    const { config, db } = harness.context
    const throttles = createThrottles({ ...config, ...HOURLY }, db)
    const site = `2001:db8:${(++limits).toString(16)}`
    for (let call = 0; call < 200; call++) await throttles.maySignUp(`${site}:1::/64`)
    assert.equal(await throttles.maySignUp(`${site}:2::/64`), true)
  })
})
