import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startHarness, type Harness } from '../test/harness.ts'
import { openLease, type Lease } from './leases.ts'

describe('the lease of a job', () => {
  let harness: Harness
  let job: string
  const opened: Lease[] = []
  before(async () => {
    harness = await startHarness()
  })
  after(async () => {
    for (const lease of opened) await lease.release()
    await harness.end()
  })
  beforeEach(() => {
    job = `test ${randomUUID()}`
  })

  /** As another process. */
  function open(): Lease {
    const lease = openLease(harness.context.db, job)
    opened.push(lease)
    return lease
  }

  const setEnd = (end: string) =>
    harness.admin.query(
      `update directory.leases set held_until = now() + $2::interval where job = $1`,
      [job, end],
    )

  async function secondsLeft(): Promise<number> {
    const { rows } = await harness.admin.query<{ seconds: number }>(
      `select extract(epoch from held_until - now())::float8 as seconds from directory.leases where job = $1`,
      [job],
    )
    return rows[0]?.seconds ?? 0
  }

  it('belongs to one of twenty processes that want it at the same time, until that one releases it', async () => {
    const leases = Array.from({ length: 20 }, open)
    const takeAll = async () => {
      const taken = await Promise.all(leases.map((lease) => lease.take()))
      return leases.filter((_, index) => taken[index])
    }
    const [first, ...others] = await takeAll()
    assert(first && others.length === 0)
    assert.deepEqual(await takeAll(), [first], 'the holder keeps it')
    await first.release()
    assert.equal((await takeAll()).length, 1)
  })

  it('passes to another process when it ends, within a minute', async () => {
    const [killed, next] = [open(), open()]
    assert(await killed.take())
    assert((await secondsLeft()) <= 60)
    assert.equal(await next.take(), false)
    await setEnd('0')
    assert(await next.take())
    assert.equal(await killed.take(), false)
  })

  it('is renewed while the process works or rests for long', async (test) => {
    test.mock.timers.enable({ apis: ['setInterval'] })
    const lease = open()
    assert(await lease.take())
    for (let renewal = 0; renewal < 2; renewal++) {
      await setEnd('1 second')
      test.mock.timers.tick(10_000)
      for (let tries = 0; (await secondsLeft()) < 20; tries++) {
        assert(tries < 100, 'it is not renewed')
        await sleep(20)
      }
    }
    await lease.release()
    test.mock.timers.tick(60_000)
    assert.equal(await secondsLeft(), 0)
  })

  it('is not renewed after another process has taken it, and what the late process writes is refused', async (test) => {
    test.mock.timers.enable({ apis: ['setInterval'] })
    const [paused, next] = [open(), open()]
    assert(await paused.take())
    await setEnd('0')
    assert(await next.take())
    // Even if that process ends before the paused one goes on.
    await setEnd('0')
    test.mock.timers.tick(10_000)
    await assert.rejects(
      paused.inTransaction(() => assert.fail('it writes')),
      /another process has taken over the job/,
    )
    await paused.release()
    assert.equal(await next.inTransaction(() => Promise.resolve('written')), 'written')
  })

  it('does not pass to another process during a transaction that needs it', async () => {
    const [holder, next] = [open(), open()]
    assert(await holder.take())
    await setEnd('0')
    let taken: Promise<boolean> | undefined
    const order: string[] = []
    await holder.inTransaction(async (tx) => {
      taken = next.take().finally(() => order.push('taken'))
      await sleep(200)
      await tx.query('select 1')
      order.push('written')
    })
    assert.equal(await taken, true)
    assert.deepEqual(order, ['written', 'taken'])
  })

  it('passes to another process after the clock was set back', async () => {
    const [killed, next] = [open(), open()]
    assert(await killed.take())
    await setEnd('2 hours')
    assert(await next.take())
  })
})
