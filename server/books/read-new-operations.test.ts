import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { createPool } from '../database/connect.ts'
import { detachMonths } from '../test/ledger/partition-setup.ts'
import { completeTotals, blockTotals, post } from '../test/books-setup.ts'
import { moveMark } from '../test/events/balance-setup.ts'
import { makeClientApp, makeUser, type TestApp, type TestUser } from '../test/factories.ts'
import { connectAdmin, startHarness, type Harness } from '../test/harness.ts'
import { readNewOperations, type Period, type ReaderJob } from './read-new-operations.ts'

let harness: Harness
let app: TestApp
let user: TestUser
before(async () => {
  harness = await startHarness({ VERIFY_PERCENT: '0' })
  await blockTotals(harness.admin)
  await harness.admin.query('create table public.seen (wallet_id bigint, seq bigint)')
  await harness.admin.query('grant insert on public.seen to coffer_service')
  app = await makeClientApp(harness.context)
  user = await makeUser(harness.context, 1_000_00n)
})
after(() => harness.end())

const pay = () => post(harness, 'debit', { walletId: user.walletId, account: app.ledgerAccount })

/** Records the operations of its periods, in the transaction of the reader. */
function createRecorder(
  start: Date | undefined,
  steps: { after?: (tx: pg.ClientBase) => void } = {},
) {
  const periods: Period[] = []
  const job: ReaderJob = {
    findStart: async () => start,
    async handle(tx, period) {
      periods.push(period)
      await tx.query(
        `insert into public.seen select wallet_id, seq from ledger.operations
         where created_at >= $1 and created_at < $2`,
        [period.from, period.before],
      )
      steps.after?.(tx)
    },
  }
  return { job, periods }
}

/** What this reader reported last. The one of the service itself reports, too, so the metric would show either. */
let delay = NaN

function read(jobs: readonly ReaderJob[], db = harness.context.backgroundDb) {
  const setReaderDelay = (seconds: number) => {
    delay = seconds
  }
  return readNewOperations(
    { backgroundDb: db, metrics: { ...harness.context.metrics, setReaderDelay } },
    jobs,
  )
}

async function readPosition(): Promise<Date> {
  const { rows } = await harness.admin.query<{ read_to: Date }>(
    'select read_to from books.reader_position',
  )
  return rows[0]?.read_to ?? assert.fail()
}

/** Forgets what was seen, and returns the time from which the reader starts. */
async function startOver(): Promise<Date> {
  await moveMark(harness.admin)
  await harness.admin.query(
    'truncate public.seen; update books.reader_position set read_to = totals_up_to from books.progress',
  )
  return readPosition()
}

async function assertSeen(count: number) {
  const { rows } = await harness.admin.query<{ count: number; different: number }>(
    'select count(*)::int, count(distinct (wallet_id, seq))::int as different from public.seen',
  )
  assert.deepEqual(rows, [{ count, different: count }])
}

describe('the reader of new operations', () => {
  it('does nothing but ask its jobs while none needs operations', async () => {
    const position = await startOver()
    await pay()
    await moveMark(harness.admin)
    const { job, periods } = createRecorder(undefined)
    const nowhere = { connect: () => assert.fail(), query: () => assert.fail() }
    await read([job], nowhere as unknown as pg.Pool)
    assert.deepEqual([periods, await readPosition()], [[], position])
    assert.equal(delay, 0)
  })

  it('reads each operation once and continues where another process stopped', async () => {
    const start = await startOver()
    const { job, periods } = createRecorder(start)
    const pools = [1, 2].map(() => createPool(harness.databaseUrl, { size: 2, barrier: false }))
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < 4; index++) await pay()
      await moveMark(harness.admin)
      await Promise.all(pools.flatMap((db) => [read([job], db), read([job], db)]))
    }
    await assertSeen(12)
    for (const [index, { from }] of periods.entries()) {
      assert.deepEqual(from, index === 0 ? start : periods[index - 1]?.before)
    }
    for (const pool of pools) await pool.end()
  })

  it('a job that starts gets nothing from before, and delays no other job', async () => {
    const first = await startOver()
    const early = createRecorder(first)
    await pay()
    await sleep(5)
    const late = createRecorder(new Date())
    await sleep(5)
    await pay()
    await moveMark(harness.admin)
    await read([early.job, late.job])
    assert.deepEqual(early.periods[0]?.from, first)
    assert(late.periods[0] && late.periods[0].from > first)
    // Both have seen the second one.
    const { rows } = await harness.admin.query(
      'select count(*)::int as count from public.seen group by seq order by seq',
    )
    assert.deepEqual(rows, [{ count: 1 }, { count: 2 }])
    // A start in the future needs nothing yet.
    const future = createRecorder(new Date(Date.now() + 60_000))
    await read([future.job])
    assert.deepEqual(future.periods, [])
  })

  it('leaves nothing behind if a job fails, or if its session is killed', async () => {
    const start = await startOver()
    await pay()
    await moveMark(harness.admin)
    const failing = createRecorder(start, { after: () => assert.fail('a fault') })
    await assert.rejects(read([failing.job]), /a fault/)
    await assertSeen(0)
    assert.deepEqual(await readPosition(), start)
    assert(delay > 0)
    const { job } = createRecorder(start)
    const killed: ReaderJob = {
      ...job,
      async handle(tx, period) {
        await job.handle(tx, period)
        const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
        await harness.admin.query('select pg_terminate_backend($1)', [rows[0]?.pid])
      },
    }
    await assert.rejects(read([killed]))
    await assertSeen(0)
    await read([job])
    await assertSeen(1)
    await read([job])
    await assertSeen(1)
    assert.equal(delay, 0)
  })

  it('is not held up by a process that is reading', async () => {
    const start = await startOver()
    await pay()
    await moveMark(harness.admin)
    const holder = await connectAdmin(harness.databaseUrl)
    await holder.query('begin')
    await holder.query('select from books.reader_position for update')
    const { job, periods } = createRecorder(start)
    await read([job])
    assert.deepEqual(periods, [])
    await holder.query('rollback')
    await holder.end()
    await read([job])
    await assertSeen(1)
  })

  it('does not miss an operation whose transaction commits late', async () => {
    const start = await startOver()
    const { job } = createRecorder(start)
    const blocker = await connectAdmin(harness.databaseUrl)
    // The batch has its transaction id and its time, but cannot write its keys.
    await blocker.query('begin')
    await blocker.query('lock table ledger.operation_keys in share mode')
    const posted = pay()
    await sleep(300)
    for (let turn = 0; turn < 3; turn++) {
      await completeTotals(harness)
      await read([job])
    }
    await blocker.query('commit')
    await blocker.end()
    const { decision } = await posted
    // Transactions in other databases delay the mark, too.
    for (let tries = 0; tries < 120; tries++) {
      if ((await completeTotals(harness)).getTime() > decision.decidedAtMs) break
      await sleep(500)
    }
    await read([job])
    await assertSeen(1)
  })

  it('reads a long period in steps, and skips months that are archived', async () => {
    await startOver()
    await pay()
    const restore = await detachMonths(harness.admin)
    await pay()
    await moveMark(harness.admin)
    const start = new Date(Date.now() - 5 * 24 * 3_600_000)
    await harness.admin.query('update books.reader_position set read_to = $1', [start])
    const { job, periods } = createRecorder(start)
    await read([job])
    await restore()
    assert(periods.length > 100)
    assert(periods.every(({ from, before: end }) => end.getTime() - from.getTime() <= 3_600_000))
    // The one that was archived before it was read is not needed: nobody is so far behind.
    await assertSeen(1)
  })
})
