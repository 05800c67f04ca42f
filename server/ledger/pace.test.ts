/** Who is let in when the database is slow, and who is turned away. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { ServiceError } from '../service-error.ts'
import { makeUser } from '../test/factories.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { Ledger } from './ledger.ts'
import { Pace } from './pace.ts'
import { verify } from './verify.ts'

const OPTIONS = { lanes: 1, batchMax: 256, capacity: 4_096 }

describe('the room in the queue', () => {
  it('is all of it while nothing is known, or only small batches are, however slow', () => {
    const pace = new Pace(OPTIONS)
    assert.equal(pace.roomAt(0), 4_096)
    for (let nowMs = 0; nowMs < 1_000; nowMs += 100) {
      pace.observe({ size: 63, durationMs: 2_000 }, nowMs)
    }
    assert.equal(pace.roomAt(1_000), 4_096)
  })

  it('is what full batches carry in half a second, for each lane', () => {
    for (const [lanes, room] of [
      [1, 1_280],
      [2, 2_560],
    ] as const) {
      const pace = new Pace({ ...OPTIONS, lanes })
      for (const nowMs of [0, 100]) pace.observe({ size: 256, durationMs: 100 }, nowMs)
      assert.equal(pace.roomAt(200), room)
    }
  })

  it('is never less than keeps a lane busy, nor more than the queue holds', () => {
    const slow = new Pace(OPTIONS)
    for (const nowMs of [0, 2_000]) slow.observe({ size: 64, durationMs: 2_000 }, nowMs)
    assert.equal(slow.roomAt(2_000), 256)
    const fast = new Pace(OPTIONS)
    for (const nowMs of [0, 5]) fast.observe({ size: 256, durationMs: 5 }, nowMs)
    assert.equal(fast.roomAt(5), 4_096)
  })

  it('does not shrink for one slow batch among others, and grows back with a fast one or when it was long ago', () => {
    const pace = new Pace(OPTIONS)
    pace.observe({ size: 256, durationMs: 10 }, 0)
    pace.observe({ size: 256, durationMs: 2_000 }, 2_000)
    assert.equal(pace.roomAt(2_000), 4_096)
    pace.observe({ size: 256, durationMs: 2_000 }, 4_000)
    assert.equal(pace.roomAt(4_000), 256)
    pace.observe({ size: 64, durationMs: 5 }, 5_000)
    assert.equal(pace.roomAt(5_000), 4_096)
    for (const nowMs of [6_000, 8_000]) pace.observe({ size: 256, durationMs: 2_000 }, nowMs)
    assert.equal(pace.roomAt(67_999), 256)
    assert.equal(pace.roomAt(68_000), 4_096)
  })
})

describe('the ledger on a slow database', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  it('answers soon what it lets in, refuses the rest soon, and lets another app in meanwhile', async (test) => {
    const { walletId: flooded } = await makeUser(harness.context, 1_000_000n)
    const { walletId: other } = await makeUser(harness.context, 1_000n)
    // 4 ms each: 1 500 of them would take 6 s.
    await harness.admin.query(`
      create function ledger.slow() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.004); return new; end $$;
      create trigger slow before insert on ledger.operations
        for each row execute function ledger.slow()`)
    const ledger = new Ledger({ databaseUrl: harness.databaseUrl })
    const [flooder, modest] = await Promise.all([
      ledger.openAccount('flooder', null),
      ledger.openAccount('modest', null),
    ])
    const post = async (walletId: bigint, counterAccount: number) => {
      const sentMs = performance.now()
      const reference = { referenceType: 'SLOW', referenceId: randomUUID(), description: null }
      const request = { kind: 'debit', amountMinor: 1n, walletId, counterAccount } as const
      const answer = await ledger.post({ ...request, ...reference }).then(
        () => 'posted',
        (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
      )
      return { answer, tookMs: performance.now() - sentMs, referenceId: reference.referenceId }
    }
    const flood = Array.from({ length: 1_500 }, () => post(flooded, flooder))
    const beside = await post(other, modest)
    const answers = await Promise.all(flood)
    const count = Object.groupBy(answers, ({ answer }) => answer)
    const slowestMs = Math.max(...answers.map(({ tookMs }) => tookMs))
    test.diagnostic(
      `${count['posted']?.length} posted, ${count['SERVICE_UNAVAILABLE']?.length} refused, the last after ${slowestMs.toFixed(0)} ms`,
    )
    assert.deepEqual(Object.keys(count).toSorted(), ['SERVICE_UNAVAILABLE', 'posted'])
    assert.ok((count['SERVICE_UNAVAILABLE']?.length ?? 0) > 500)
    assert.ok(slowestMs < 6_000, `the last was answered after ${slowestMs} ms`)
    assert.equal(beside.answer, 'posted')
    await ledger.close()
    const { rows } = await harness.admin.query<{ reference_id: string }>(
      `select reference_id from ledger.operations where reference_type = 'SLOW' and wallet_id = $1`,
      [flooded],
    )
    assert.deepEqual(
      new Set(rows.map((row) => row.reference_id)),
      new Set(count['posted']?.map(({ referenceId }) => referenceId)),
    )
    const client = await harness.context.db.connect()
    assert.equal((await verify(client, {})).fault, undefined)
    client.release()
  })
})
