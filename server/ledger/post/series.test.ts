/** A series: requests that wait for room and run in order, until one of them fails. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Overloaded, ServiceError } from '../../service-error.ts'
import { makeUser } from '../../test/factories.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import { pendingOf } from '../../test/pending.ts'
import { startDatabaseProxy } from '../../test/database-proxy.ts'
import { Admission } from './admit.ts'
import { Ledger } from '../ledger.ts'
import { QueueLimit } from './queue-limit.ts'
import { Queue } from './queue.ts'
import type { LedgerRequest } from '../types.ts'

function requestOf(walletId: bigint, counterAccount = 1): LedgerRequest {
  const reference = { referenceType: 'TEST', referenceId: randomUUID() }
  return {
    kind: 'debit',
    walletId,
    amountMinor: 1n,
    counterAccount,
    ...reference,
    description: null,
  }
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'executed',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  )
const codesOf = (promises: Promise<unknown>[]) => Promise.all(promises.map(codeOf))

/** An admission whose queue no lane empties. */
function openAdmission(capacity: number, deadlineMs: number) {
  const queue = new Queue(capacity)
  const queueLimit = new QueueLimit({ lanes: 1, batchMax: 10, capacity })
  return { queue, queueLimit, admission: new Admission({ queue, queueLimit, deadlineMs }) }
}

describe('a series that finds no room', () => {
  it('enters the queue in order as places become free, and leaves room for another scope', async () => {
    const { queue, admission } = openAdmission(6, 60_000)
    const requests = Array.from({ length: 5 }, () => requestOf(7n))
    const series = admission.postSeries(requests)
    assert.equal(queue.size, 3)
    assert.equal(queue.hasRoomFor(1), false)
    assert.equal(queue.hasRoomFor(2), true)
    const taken = []
    while (taken.length < 5) {
      const [next] = queue.take(1)
      assert(next)
      taken.push(next.request.referenceId)
      next.resolve({ decision: {} as never, replayed: false, mismatch: [] })
      queue.release([7n])
    }
    assert.deepEqual(
      taken,
      requests.map(({ referenceId }) => referenceId),
    )
    assert.deepEqual(await codesOf(series), Array(5).fill('executed'))
    assert.equal(queue.size, 0)
    await admission.close()
  })

  it('is refused as overloaded at its deadline, and the places that it held are free', async () => {
    const { queue, admission } = openAdmission(2, 300)
    const series = admission.postSeries([requestOf(7n), requestOf(8n), requestOf(8n)])
    const [first, second, third] = await Promise.allSettled(series)
    assert.equal(first?.status, 'rejected')
    assert(second?.status === 'rejected' && second.reason instanceof Overloaded)
    assert(third?.status === 'rejected')
    assert.equal((third.reason as ServiceError).code, 'EARLIER_OPERATION_FAILED')
    assert.equal(queue.size, 0)
    assert.equal(queue.hasRoomFor(1), true)
    await admission.close()
  })

  it('is refused while the ledger closes', async () => {
    const { admission } = openAdmission(10, 300)
    await admission.close()
    assert.deepEqual(await codesOf(admission.postSeries([requestOf(7n)])), ['SERVICE_UNAVAILABLE'])
  })
})

describe('a series whose queue becomes too long', () => {
  it('loses requests from the end of each wallet, and counts its places once', async () => {
    const { queue, admission, queueLimit } = openAdmission(40, 2_000)
    const series = codesOf(admission.postSeries(Array.from({ length: 20 }, () => requestOf(7n))))
    const other = pendingOf(2, 9n)
    assert.equal(queue.add(other), true)
    // 10 requests in 500 ms: the queue gets the size of one batch.
    queueLimit.observe({ size: 10, durationMs: 500, isSide: false }, performance.now())
    await sleep(250)
    assert.equal(queue.size, 4)
    assert.deepEqual(
      queue.take(10).map(({ request }) => request.walletId),
      [7n, 7n, 7n, 9n],
    )
    queue.finish(other)
    const codes = await series
    assert.deepEqual(codes.slice(0, 2), ['SERVICE_UNAVAILABLE', 'EARLIER_OPERATION_FAILED'])
    assert.deepEqual(new Set(codes.slice(3)), new Set(['SERVICE_UNAVAILABLE']))
    assert.equal(queue.size, 0)
    await admission.close()
  })
})

describe('a series in which a request fails', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  for (const when of ['before', 'after'] as const) {
    it(`is unknown as far as it was sent, if the database stays down after COMMIT was cut ${when} it arrived`, async () => {
      const proxy = await startDatabaseProxy(harness.databaseUrl)
      const ledger = new Ledger({ databaseUrl: proxy.url, deadlineMs: 3_000 })
      const [one, two] = await Promise.all([
        makeUser(harness.context, 1_000n),
        makeUser(harness.context, 1_000n),
      ])
      await ledger.post(requestOf(one.walletId))
      void proxy.cutNextCommit(when, { thenRefuse: true })
      const requests = Array.from({ length: 258 }, () => requestOf(one.walletId))
      const series = ledger.postSeries([...requests, requestOf(two.walletId)])
      // A batch has at most 256 requests.
      assert.deepEqual(await codesOf(series), [
        ...Array<string>(256).fill('OUTCOME_UNKNOWN'),
        'EARLIER_OPERATION_FAILED',
        'EARLIER_OPERATION_FAILED',
        'SERVICE_UNAVAILABLE',
      ])
      proxy.refuse(false)
      await ledger.close()
      await proxy.stop()
      const outcomes = await Promise.all(harness.context.ledger.postSeries(requests))
      assert.deepEqual(
        outcomes.map(({ replayed, decision }) => [replayed, decision.balanceAfter]),
        requests.map((_, index) => [when === 'after' && index < 256, BigInt(998 - index)]),
      )
    })
  }

  it('runs none of the later ones, wherever a batch is split', async () => {
    await harness.admin.query(`
      create function poison() returns trigger language plpgsql as
        $$ begin if new.description = 'poison' then raise 'poisoned'; end if; return new; end $$;
      create trigger poison before insert on ledger.operations for each row execute function poison()`)
    const { ledger } = harness.context
    for (let place = 0; place < 9; place++) {
      const { walletId } = await makeUser(harness.context, 1_000n)
      const neighbour = await makeUser(harness.context, 1_000n)
      const series = Array.from({ length: 18 }, (_, index) => {
        const request = requestOf(index % 2 ? neighbour.walletId : walletId)
        return index === 2 * place ? { ...request, description: 'poison' } : request
      })
      const codes = await codesOf(ledger.postSeries(series))
      for (const [index, code] of codes.entries()) {
        if (index % 2 === 1 || index < 2 * place) assert.equal(code, 'executed')
        else if (index > 2 * place) assert.equal(code, 'EARLIER_OPERATION_FAILED')
        else assert.match(code, /poisoned/)
      }
      assert.equal((await ledger.readWallet(walletId))?.balance, 1_000n - BigInt(place))
    }
    await harness.admin.query('drop function poison() cascade')
  })
})
