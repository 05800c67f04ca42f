/** Failures that a batch must survive, tested on a real database. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { startTemporaryPostgres } from '../../scripts/temporary-postgres.ts'
import { migrate } from '../database/migrate.ts'
import { ServiceError } from '../service-error.ts'
import { percentile } from '../test/client.ts'
import { makeUser } from '../test/factories.ts'
import { connectAdmin, startHarness, type Harness } from '../test/harness.ts'
import { startDatabaseProxy } from '../test/database-proxy.ts'
import { Ledger } from './ledger.ts'
import { PROCESSOR_ACCOUNT, type Kind, type LedgerRequest } from './types.ts'

let harness: Harness
before(async () => {
  harness = await startHarness()
})
after(() => harness.end())

function requestOf(
  walletId: bigint,
  kind: Kind,
  amountMinor: bigint,
  referenceId: string = randomUUID(),
): LedgerRequest {
  const counterAccount = PROCESSOR_ACCOUNT
  const reference = { referenceType: 'TEST', referenceId }
  return { kind, walletId, amountMinor, counterAccount, ...reference, description: null }
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'executed',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  )

/** Waits until a commit waits for its standby. */
async function untilCommitWaits(admin: pg.Client) {
  for (let tries = 0; tries < 200; tries++) {
    const { rows } = await admin.query(`select from pg_stat_activity where wait_event = 'SyncRep'`)
    if (rows.length > 0) return
    await sleep(50)
  }
  assert.fail('no commit waits for the standby')
}

async function untilBalance(admin: pg.Client, walletId: bigint, wanted: string) {
  let balance: unknown
  for (let tries = 0; balance !== wanted && tries < 200; tries++) {
    await sleep(50)
    const { rows } = await admin.query('select balance from ledger.wallets where id = $1', [
      walletId,
    ])
    balance = rows[0].balance
  }
  return balance
}

async function countOperations(walletId: bigint): Promise<number> {
  const { rows } = await harness.admin.query(
    'select count(*)::int as count from ledger.operations where wallet_id = $1',
    [walletId],
  )
  return rows[0].count as number
}

describe('ledger', () => {
  for (const when of ['before', 'after'] as const) {
    it(`resolves a connection that is lost at COMMIT, ${when} it arrived, and executes once, in order`, async () => {
      const proxy = await startDatabaseProxy(harness.databaseUrl)
      const ledger = new Ledger({ databaseUrl: proxy.url, lanes: 1 })
      const { walletId } = await makeUser(harness.context, 1_000n)
      await ledger.post(requestOf(walletId, 'debit', 1n))
      for (let round = 1; round <= 5; round++) {
        const isCut = proxy.cutNextCommit(when)
        const requests = Array.from({ length: 20 }, () => requestOf(walletId, 'debit', 1n))
        const outcomes = await Promise.all(requests.map((each) => ledger.post(each)))
        assert.deepEqual(
          outcomes.map((each) => each.decision.balanceAfter),
          requests.map((_, index) => BigInt(1_000 - 1 - 20 * (round - 1) - (index + 1))),
        )
        await isCut
      }
      await ledger.close()
      await proxy.stop()
      const wallet = await harness.context.ledger.readWallet(walletId)
      assert.equal(wallet?.balance, 1_000n - 101n)
      assert.equal(await countOperations(walletId), 102)
    })
  }

  for (const when of ['before', 'after'] as const) {
    it(`OUTCOME_UNKNOWN if the database stays down after the connection was lost at COMMIT, ${when} it arrived`, async () => {
      const proxy = await startDatabaseProxy(harness.databaseUrl)
      const ledger = new Ledger({ databaseUrl: proxy.url, deadlineMs: 3_000 })
      const { walletId } = await makeUser(harness.context, 1_000n)
      await ledger.post(requestOf(walletId, 'debit', 1n))
      const isCut = proxy.cutNextCommit(when, { thenRefuse: true })
      const request = requestOf(walletId, 'debit', 1n)
      const code = codeOf(ledger.post(request))
      await isCut
      // Nothing of this request can be sent.
      const later = codeOf(ledger.post(requestOf(walletId, 'debit', 1n)))
      assert.equal(await code, 'OUTCOME_UNKNOWN')
      assert.equal(await later, 'SERVICE_UNAVAILABLE')
      proxy.refuse(false)
      await ledger.close()
      await proxy.stop()
      const { replayed, decision } = await harness.context.ledger.post(request)
      assert.deepEqual([replayed, decision.balanceAfter], [when === 'after', 998n])
      assert.equal(await countOperations(walletId), 3)
    })
  }

  it('SERVICE_UNAVAILABLE while the database is down, and works again when it is up', async () => {
    const proxy = await startDatabaseProxy(harness.databaseUrl)
    const ledger = new Ledger({ databaseUrl: proxy.url, deadlineMs: 3_000 })
    const { walletId } = await makeUser(harness.context, 1_000n)
    await ledger.post(requestOf(walletId, 'debit', 1n))
    proxy.refuse(true)
    const code = await codeOf(ledger.post(requestOf(walletId, 'debit', 1n)))
    proxy.refuse(false)
    assert.equal(code, 'SERVICE_UNAVAILABLE')
    const untilMs = performance.now() + 30_000
    let again = ''
    while (again !== 'executed' && performance.now() < untilMs) {
      again = await codeOf(ledger.post(requestOf(walletId, 'debit', 1n)))
    }
    assert.equal(again, 'executed')
    await ledger.close()
    await proxy.stop()
  })

  it("serves other apps while another transaction holds one app's account", async () => {
    const { ledger } = harness.context
    const limited = await ledger.openAccount('settlement', 1_000_000n)
    const unlimited = await ledger.openAccount('settlement', null)
    const wallets = await Promise.all(
      Array.from({ length: 50 }, () => makeUser(harness.context, 100n)),
    )
    const foreign = await connectAdmin(harness.databaseUrl)
    await foreign.query('begin')
    await foreign.query('select from ledger.accounts where id = $1 for update', [limited])
    const waiting = wallets.map(({ walletId }) =>
      ledger.post({ ...requestOf(walletId, 'credit', 5n), counterAccount: limited }),
    )
    const { walletId } = await makeUser(harness.context, 1_000n)
    const latencies: number[] = []
    for (let index = 0; index < 100; index++) {
      const sentMs = performance.now()
      await ledger.post({ ...requestOf(walletId, 'debit', 1n), counterAccount: unlimited })
      latencies.push(performance.now() - sentMs)
    }
    await sleep(1_500)
    await foreign.query('rollback')
    await foreign.end()
    const outcomes = await Promise.all(waiting)
    assert.ok(outcomes.every((each) => each.decision.balanceAfter === 105n))
    const p90 = percentile(latencies, 0.9)
    assert.ok(p90 < 500, `p90 was ${p90} ms`)
  })

  it('refuses an app that has used up its share and still serves another', async () => {
    const { walletId } = await makeUser(harness.context, 1_000_000n)
    const ledger = new Ledger({ databaseUrl: harness.databaseUrl, queueCapacity: 100, lanes: 1 })
    const flood = Array.from({ length: 200 }, () =>
      codeOf(ledger.post(requestOf(walletId, 'debit', 1n))),
    )
    const { walletId: other } = await makeUser(harness.context, 1_000n)
    const account = await ledger.openAccount('settlement', null)
    const request = { ...requestOf(other, 'debit', 1n), counterAccount: account }
    const refusals = (await Promise.all(flood)).filter((each) => each === 'SERVICE_UNAVAILABLE')
    assert.equal(await codeOf(ledger.post(request)), 'executed')
    assert.equal(refusals.length, 150)
    await ledger.close()
  })
})

describe('the replay barrier', () => {
  it('reports no outcome that the standby may not have: first response, replay and lookup wait', async (test) => {
    const postgres = await startTemporaryPostgres({})
    test.after(() => postgres.stop())
    await migrate(postgres.url, () => undefined)
    const admin = await connectAdmin(postgres.url)
    const ledgers = [1, 2].map(() => new Ledger({ databaseUrl: postgres.url, deadlineMs: 5_000 }))
    const [first, second] = ledgers as [Ledger, Ledger]
    const walletId = await first.openWallet()
    await first.post(requestOf(walletId, 'bonus', 100n))
    await second.post(requestOf(walletId, 'bonus', 100n))
    await second.findDecision(0, 'TEST', 'warm')

    // A standby that never connects: every commit waits for it.
    await admin.query(`alter system set synchronous_standby_names = 'nobody'`)
    await admin.query('select pg_reload_conf()')
    await sleep(300)
    const request = requestOf(walletId, 'debit', 10n, 'in-doubt')
    const response = codeOf(first.post(request))
    await untilCommitWaits(admin)
    // Cancelling the waiting backend makes its commit visible without being replicated.
    await admin.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'coffer'`,
    )
    assert.equal(await untilBalance(admin, walletId, '190'), '190')

    const lookUp = second.findDecision(PROCESSOR_ACCOUNT, 'TEST', 'in-doubt')
    const replayed = codeOf(second.post(request))
    const early = await Promise.race([lookUp.then(() => 'done'), sleep(1_000).then(() => 'silent')])
    assert.equal(early, 'silent')
    assert.equal(await response, 'OUTCOME_UNKNOWN')
    assert.equal(await replayed, 'OUTCOME_UNKNOWN')

    // The standby is no longer required: every outcome is reported, and the request was executed once.
    await admin.query('alter system reset synchronous_standby_names')
    await admin.query('select pg_reload_conf()')
    assert.equal((await lookUp)?.balanceAfter, 190n)
    const settled = await second.post(request)
    assert.deepEqual([settled.replayed, settled.decision.balanceAfter], [true, 190n])
    assert.equal((await second.readWallet(walletId))?.seq, 3n)
    await Promise.all(ledgers.map((each) => each.close()))
    await admin.end()
  })
})
