/** While writes are paused, nothing is written, and earlier decisions are still returned. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, beforeEach, describe, it } from 'node:test'
import { makeUser } from '../test/factories.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { movesNothing } from '../test/setup.ts'
import { startDatabaseProxy } from '../test/database-proxy.ts'
import { Ledger } from './ledger.ts'
import { BONUS_ACCOUNT, type LedgerRequest } from './types.ts'
import { WritesPaused } from '../service-error.ts'

const PAUSE = { by: 'ada@example.com', reason: 'the disk is nearly full' }

describe('a pause of all writes', () => {
  let harness: Harness
  let ledger: Ledger
  before(async () => {
    harness = await startHarness()
    ledger = harness.context.ledger
  })
  after(() => harness.end())
  beforeEach(() => ledger.setPause(null))

  function bonus(walletId: bigint, fields: Partial<LedgerRequest> = {}): LedgerRequest {
    const counterAccount = BONUS_ACCOUNT
    const pair = { referenceType: 'BONUS', referenceId: randomUUID(), description: null }
    return { kind: 'bonus', walletId, amountMinor: 5n, counterAccount, ...pair, ...fields }
  }

  const refused = (attempt: Promise<unknown>) =>
    assert.rejects(attempt, (error: WritesPaused) => {
      assert(error instanceof WritesPaused)
      assert.deepEqual([error.code, error.retryAfterSeconds], ['SERVICE_UNAVAILABLE', 30])
      return true
    })

  it('reports who paused writes and why, and returns the previous state', async () => {
    assert.equal(await ledger.readPause(), null)
    assert.equal(await ledger.setPause(PAUSE), null)
    const paused = await ledger.readPause()
    assert.deepEqual({ ...paused, at: undefined }, { ...PAUSE, at: undefined })
    assert(Math.abs(Number(paused?.at) - Date.now()) < 60_000)
    assert.deepEqual(await ledger.setPause(null), paused)
    assert.equal(await ledger.readPause(), null)
  })

  it('refuses every kind and writes nothing; afterwards the same pair can be executed', async () => {
    const user = await makeUser(harness.context, 100n)
    const kinds = [
      'debit',
      'credit',
      'topup',
      'bonus',
      'seizure',
      'reversal',
      'card_refund',
    ] as const
    const requests = kinds.map((kind) => bonus(user.walletId, { kind }))
    await ledger.setPause(PAUSE)
    await movesNothing(harness.admin, async () => {
      await Promise.all(requests.map((request) => refused(ledger.post(request))))
    })
    await ledger.setPause(null)
    for (const request of requests) {
      const outcome = await ledger.post(request)
      assert.equal(outcome.replayed, false)
      assert.equal(outcome.decision.refusal, null)
    }
  })

  it('applies to other processes and to requests that waited for a wallet when it started', async () => {
    const { walletId } = await makeUser(harness.context)
    const elsewhere = new Ledger({ databaseUrl: harness.databaseUrl })
    const { admin } = harness
    await admin.query('begin')
    await admin.query('select from ledger.wallets where id = $1 for update', [walletId])
    const waiting = [bonus(walletId), bonus(walletId)].map((each) => refused(elsewhere.post(each)))
    await sleep(300)
    await ledger.setPause(PAUSE)
    await admin.query('rollback')
    await Promise.all(waiting)
    await refused(elsewhere.post(bonus(walletId)))
    assert.equal((await ledger.readWallet(walletId))?.seq, 0n)
    await ledger.setPause(null)
    await elsewhere.post(bonus(walletId))
    await elsewhere.close()
  })

  /** The connection is lost at COMMIT, the backend continues for 1.5 s, and meanwhile an operator pauses writes. */
  async function pauseDuringCommit(deadlineMs: number) {
    const { walletId } = await makeUser(harness.context)
    const slow = `slow_${walletId}`
    await harness.admin.query(`create function ${slow}() returns trigger language plpgsql as
      $$ begin if new.wallet_id = ${walletId} then perform pg_sleep(1.5); end if; return new; end $$;
      create trigger ${slow} before insert on ledger.operation_keys for each row execute function ${slow}()`)
    const proxy = await startDatabaseProxy(harness.databaseUrl)
    const cut = new Ledger({ databaseUrl: proxy.url, deadlineMs })
    await cut.readWallet(walletId)
    const isCut = proxy.cutNextCommit('after')
    const request = bonus(walletId)
    const result = cut.post(request).then(
      (outcome) => outcome.decision.balanceAfter,
      (error: { code: string }) => error.code,
    )
    await isCut
    await ledger.setPause(PAUSE)
    const reported = await result
    await sleep(2_000)
    const [decision, wallet] = [await ledger.replay(request), await ledger.readWallet(walletId)]
    await harness.admin.query(`drop function ${slow} cascade`)
    await cut.close()
    await proxy.stop()
    return { reported, posted: decision?.decision.balanceAfter, balance: wallet?.balance }
  }

  it('reports the outcome of a commit in doubt as soon as its backend has finished it', async () => {
    const result = await pauseDuringCommit(7_000)
    assert.deepEqual(result, { reported: 5n, posted: 5n, balance: 5n })
  })

  it('OUTCOME_UNKNOWN if the backend takes longer than the deadline of the request', async () => {
    const result = await pauseDuringCommit(700)
    assert.deepEqual(result, { reported: 'OUTCOME_UNKNOWN', posted: 5n, balance: 5n })
  })

  it('OUTCOME_UNKNOWN if its COMMIT was lost before writes were paused', async () => {
    const { walletId } = await makeUser(harness.context)
    const proxy = await startDatabaseProxy(harness.databaseUrl)
    const cut = new Ledger({ databaseUrl: proxy.url })
    const isCut = proxy.cutNextCommit('before', { thenRefuse: true })
    const result = assert.rejects(cut.post(bonus(walletId)), { code: 'OUTCOME_UNKNOWN' })
    await isCut
    await ledger.setPause(PAUSE)
    proxy.refuse(false)
    await result
    await cut.close()
    await proxy.stop()
  })
})
