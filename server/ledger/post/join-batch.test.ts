/** Requests that arrive while a batch waits for its locks, and batches that do not look for earlier decisions. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, afterEach, before, beforeEach, describe, it, mock } from 'node:test'
import pg from 'pg'
import { WritesPaused, type ServiceError } from '../../service-error.ts'
import { makeUser } from '../../test/factories.ts'
import { connectAdmin, startHarness, type Harness } from '../../test/harness.ts'
import { movesNothing } from '../../test/setup.ts'
import { startDatabaseProxy } from '../../test/database-proxy.ts'
import { digestPair } from '../digest.ts'
import { Ledger } from '../ledger.ts'
import type { LedgerRequest, Outcome } from '../types.ts'

let harness: Harness
let ledger: Ledger
let account: number
let sizes: number[]
before(async () => {
  harness = await startHarness({ VERIFY_PERCENT: '0' })
})
after(() => harness.end())
beforeEach(async () => {
  ledger = await openLedger(harness.databaseUrl)
  account = await ledger.openAccount('app', null)
})
afterEach(() => ledger.close())

/** Its lane is connected, and has executed one batch. */
async function openLedger(databaseUrl: string): Promise<Ledger> {
  const opened = new Ledger({ databaseUrl, onBatch: ({ size }) => sizes.push(size) })
  sizes = []
  const { walletId } = await makeUser(harness.context)
  const own = await opened.openAccount('warm-up', null)
  await opened.post(requestOf(walletId, { kind: 'credit', counterAccount: own }))
  sizes = []
  return opened
}

function requestOf(walletId: bigint, fields: Partial<LedgerRequest> = {}): LedgerRequest {
  const pair = { referenceType: 'TEST', referenceId: randomUUID(), description: null }
  const money = { kind: 'debit' as const, amountMinor: 6n, counterAccount: account }
  return { walletId, ...money, ...pair, ...fields }
}

function refundOf({ referenceType, referenceId }: LedgerRequest) {
  const target = digestPair(account, referenceType, referenceId)
  return { target, isAmountOmitted: false, isBalanceHidden: false }
}

/** Posts the others when the batch of the first one is waiting for the response to its locks. */
async function postLate(first: LedgerRequest, ...others: LedgerRequest[]) {
  const outcomes = [ledger.post(first)]
  await new Promise(setImmediate)
  outcomes.push(...others.map((each) => ledger.post(each)))
  return Promise.allSettled(outcomes)
}

/** The refusal, or the balance afterwards. */
const show = (result: PromiseSettledResult<Outcome>) => {
  if (result.status === 'rejected') return result.reason as unknown
  const { decision } = result.value
  return decision.refusal ?? decision.balanceAfter
}

describe('a request that arrives while a batch waits for its locks', () => {
  it('is executed with the batch, after the requests before it', async () => {
    const { walletId } = await makeUser(harness.context, 100n)
    const results = await postLate(
      requestOf(walletId),
      requestOf(walletId),
      requestOf(walletId, { kind: 'credit', amountMinor: 1n }),
    )
    assert.deepEqual(results.map(show), [94n, 88n, 89n])
    assert.deepEqual(sizes, [3])
  })

  it('cannot overdraw the wallet', async () => {
    const { walletId } = await makeUser(harness.context, 10n)
    const results = await postLate(requestOf(walletId), requestOf(walletId))
    assert.deepEqual(results.map(show), [4n, 'INSUFFICIENT_BALANCE'])
    assert.deepEqual(sizes, [2])
    assert.equal((await ledger.readWallet(walletId))?.balance, 4n)
  })

  it('cannot exceed the credit limit of its app', async () => {
    const { walletId } = await makeUser(harness.context)
    const counterAccount = await ledger.openAccount('limited', 10n)
    const credit = () => requestOf(walletId, { kind: 'credit', counterAccount })
    const results = await postLate(credit(), credit())
    assert.deepEqual(results.map(show), [6n, 'CREDIT_LIMIT_EXCEEDED'])
    assert.deepEqual(sizes, [2])
  })

  it('waits for the next batch if it needs another account, another wallet or an earlier decision', async () => {
    const { walletId } = await makeUser(harness.context, 100n)
    const other = await makeUser(harness.context, 100n)
    const counterAccount = await ledger.openAccount('limited', 5n)
    const paid = requestOf(walletId)
    await ledger.post(paid)
    const refund = refundOf(paid)
    for (const [late, shown] of [
      [requestOf(walletId, { kind: 'credit', counterAccount }), 'CREDIT_LIMIT_EXCEEDED'],
      [requestOf(other.walletId), 94n],
      [requestOf(walletId, { kind: 'refund', refund }), 82n],
    ] as const) {
      sizes = []
      const results = await postLate(requestOf(walletId), late)
      assert.deepEqual([show(results[1] as PromiseSettledResult<Outcome>), sizes], [shown, [1, 1]])
    }
  })

  it('does not overtake an earlier request for its wallet', async () => {
    const { walletId } = await makeUser(harness.context, 20n)
    const paid = requestOf(walletId)
    await ledger.post(paid)
    sizes = []
    const results = await postLate(
      requestOf(walletId),
      requestOf(walletId, { kind: 'refund', refund: refundOf(paid) }),
      requestOf(walletId, { amountMinor: 14n }),
    )
    assert.deepEqual(results.map(show), [8n, 14n, 0n])
    assert.deepEqual(sizes, [1, 2])
  })

  it('is refused while writes are paused, and a repeat gets its decision', async () => {
    const { walletId } = await makeUser(harness.context, 100n)
    const decided = requestOf(walletId)
    const earlier = await ledger.post(decided)
    await ledger.setPause({ by: 'ada@example.com', reason: 'the disk is nearly full' })
    sizes = []
    try {
      await movesNothing(harness.admin, async () => {
        const [one, other] = [requestOf(walletId), requestOf(walletId)]
        const [first, second, third] = await postLate(one, other, decided)
        for (const each of [first, second]) {
          assert(each?.status === 'rejected' && each.reason instanceof WritesPaused)
        }
        assert(third?.status === 'fulfilled')
        assert.deepEqual(third.value, { ...earlier, replayed: true })
      })
      assert.deepEqual(sizes, [3])
    } finally {
      await ledger.setPause(null)
    }
  })

  it('is a repeat of a request in the batch or of an earlier one', async () => {
    const { walletId } = await makeUser(harness.context, 100n)
    const request = requestOf(walletId)
    const [first, second] = await postLate(request, request)
    assert(first?.status === 'fulfilled' && second?.status === 'fulfilled')
    assert.deepEqual(second.value, { ...first.value, replayed: true })
    const [, third] = await postLate(requestOf(walletId), request)
    assert(third?.status === 'fulfilled')
    assert.deepEqual(third.value, { ...first.value, replayed: true })
    assert.equal((await ledger.readWallet(walletId))?.balance, 88n)
  })

  it('fails alone if it cannot be written', async () => {
    const { walletId } = await makeUser(harness.context, 100n)
    const results = await postLate(
      requestOf(walletId),
      requestOf(walletId, { description: 'not valid: \0' }),
      requestOf(walletId),
    )
    const [first, second, third] = results.map(show)
    assert.deepEqual([first, third], [94n, 88n])
    assert(second instanceof pg.DatabaseError)
  })

  it('is executed with its batch when another transaction gives up its key', async () => {
    const { walletId } = await makeUser(harness.context, 100n)
    const late = requestOf(walletId)
    const holder = await connectAdmin(harness.databaseUrl)
    await holder.query('begin')
    await holder.query(
      `insert into ledger.operation_keys (digest, wallet_id, seq, decided_at, kind, amount, balance_after)
        values ($1, 1, 1, now(), 'debit', 1, 1)`,
      [digestPair(account, late.referenceType, late.referenceId)],
    )
    const results = postLate(requestOf(walletId), late, requestOf(walletId))
    // Longer than a lane waits for a lock.
    await sleep(300)
    await holder.query('rollback')
    await holder.end()
    assert.deepEqual((await results).map(show), [94n, 88n, 82n])
    assert.equal((await ledger.readWallet(walletId))?.balance, 82n)
  })

  for (const when of ['before', 'after'] as const) {
    it(`is executed once if the connection is lost at COMMIT, ${when} it arrived`, async () => {
      const { walletId } = await makeUser(harness.context, 100n)
      const proxy = await startDatabaseProxy(harness.databaseUrl)
      await ledger.close()
      ledger = await openLedger(proxy.url)
      const one = () => requestOf(walletId, { amountMinor: 1n })
      for (let round = 0; round < 5; round++) {
        const isCut = proxy.cutNextCommit(when)
        const results = await postLate(one(), one(), one())
        assert.deepEqual(
          results.map(show),
          [1, 2, 3].map((each) => BigInt(100 - 3 * round - each)),
        )
        await isCut
      }
      await ledger.close()
      await proxy.stop()
      ledger = await openLedger(harness.databaseUrl)
      assert.equal((await ledger.readWallet(walletId))?.balance, 85n)
    })
  }

  it('is in doubt like its batch if the database stays down', async () => {
    const { walletId } = await makeUser(harness.context, 100n)
    const proxy = await startDatabaseProxy(harness.databaseUrl)
    await ledger.close()
    ledger = new Ledger({ databaseUrl: proxy.url, deadlineMs: 1_500 })
    await ledger.post(requestOf(walletId))
    void proxy.cutNextCommit('after', { thenRefuse: true })
    const results = await postLate(requestOf(walletId), requestOf(walletId))
    assert.deepEqual(
      results.map((each) => each.status === 'rejected' && (each.reason as ServiceError).code),
      ['OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN'],
    )
    await ledger.close()
    await proxy.stop()
    ledger = await openLedger(harness.databaseUrl)
    assert.equal((await ledger.readWallet(walletId))?.balance, 82n)
  })
})

describe('a batch of new requests', () => {
  async function looksUp(request: LedgerRequest): Promise<boolean> {
    const { mock: spy } = mock.method(pg.Client.prototype, 'query')
    await ledger.post(request)
    spy.restore()
    const sent = spy.calls.map((each) => each.arguments[0] as unknown as pg.QueryConfig)
    return sent.some(({ name }) => name === 'find-decisions')
  }

  it('does not look for earlier decisions until a request is repeated, and then for a hundred batches', async () => {
    const { walletId } = await makeUser(harness.context, 1_000n)
    const request = requestOf(walletId)
    assert.equal(await looksUp(request), false)
    assert.equal(await looksUp(requestOf(walletId)), false)
    assert.equal(await looksUp(request), true)
    for (let turn = 1; turn < 100; turn++) assert.equal(await looksUp(requestOf(walletId)), true)
    assert.equal(await looksUp(requestOf(walletId)), false)
  })

  it('repeats every decision literally, whatever it was and whichever wallet is named', async () => {
    const { walletId } = await makeUser(harness.context, 10n)
    const other = await makeUser(harness.context, 10n)
    for (const request of [requestOf(walletId), requestOf(walletId, { amountMinor: 5n })]) {
      const first = await ledger.post(request)
      const again = new Ledger({ databaseUrl: harness.databaseUrl })
      try {
        assert.deepEqual(await again.post(request), { ...first, replayed: true })
        const moved = await again.post({ ...request, walletId: other.walletId })
        const mismatch = ['serviceUserId']
        assert.deepEqual(moved, { ...first, replayed: true, mismatch })
      } finally {
        await again.close()
      }
    }
    assert.equal((await ledger.readWallet(other.walletId))?.balance, 10n)
  })
})
