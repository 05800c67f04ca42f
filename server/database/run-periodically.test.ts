import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lease } from './leases.ts'
import { runPeriodically, delayFor } from './run-periodically.ts'

function openLog() {
  const lines: string[] = []
  return { lines, log: { warn: (_: object, line: string) => void lines.push(line) } }
}

/** A lease that the test gives and takes away. */
class TestLease implements Lease {
  isFree: boolean
  releases = 0
  constructor(isFree: boolean) {
    this.isFree = isFree
  }
  async take() {
    return this.isFree
  }
  inTransaction = () => assert.fail('nothing is written')
  async release() {
    this.releases++
  }
}

describe('a periodic job', () => {
  it('runs in rounds, one at a time, until it is stopped, and waits for the last one', async () => {
    const tools = openLog()
    let [running, rounds] = [0, 0]
    const job = runPeriodically(tools, {
      everyMs: 10,
      name: 'counting',
      async work() {
        assert.equal(++running, 1)
        await sleep(15)
        running--
        rounds++
      },
    })
    await sleep(200)
    await job.stop()
    const done = rounds
    assert(running === 0 && done >= 2)
    await sleep(50)
    assert.equal(rounds, done)
    assert.deepEqual(tools.lines, [])
  })

  it('waits as long as the work says', async () => {
    let rounds = 0
    const work = async () => (++rounds < 3 ? 0 : 60_000)
    const job = runPeriodically(openLog(), {
      everyMs: 60_000,
      name: 'counting',
      startsNow: true,
      work,
    })
    await sleep(100)
    await job.stop()
    assert.equal(rounds, 3)
  })

  it('waits after a failure and logs it, and lets another process try', async () => {
    const tools = openLog()
    const lease = new TestLease(true)
    let rounds = 0
    const job = runPeriodically(tools, {
      everyMs: 10,
      name: 'failing',
      lease,
      async work() {
        rounds++
        throw new Error('no')
      },
    })
    await sleep(200)
    assert.deepEqual([rounds, lease.releases], [1, 1])
    await job.stop()
    assert.deepEqual(tools.lines, ['failing failed; it runs again shortly'])
  })

  it('is left to the process that has the lease, and releases the lease when it stops', async () => {
    const lease = new TestLease(false)
    const done: string[] = []
    const options = { everyMs: 10, name: 'leased', lease, startsNow: true }
    const work = async () => void done.push('work')
    const withoutLease = () => void done.push('withoutLease')
    const other = runPeriodically(openLog(), { ...options, work, withoutLease })
    await sleep(100)
    await other.stop()
    assert.deepEqual(done, ['withoutLease'])
    lease.isFree = true
    const holder = runPeriodically(openLog(), { ...options, work, withoutLease })
    await sleep(100)
    const { releases } = lease
    await holder.stop()
    assert.equal(lease.releases, releases + 1)
    assert(done.filter((each) => each === 'work').length > 1)
  })

  it('takes a share of the time', () => {
    const startMs = performance.now() - 1_000
    const delayMs = delayFor(10, startMs)
    assert(delayMs >= 9_000 && delayMs < 9_500, `${delayMs} ms`)
    assert.equal(delayFor(100, startMs), 50)
  })
})
