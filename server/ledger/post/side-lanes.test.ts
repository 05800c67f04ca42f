/** Requests that wait for a lock of another transaction are executed in the order in which they arrived. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it, type TestContext } from 'node:test'
import { makeUser } from '../../test/factories.ts'
import { connectAdmin, startHarness, type Harness } from '../../test/harness.ts'
import { Ledger } from '../ledger.ts'

describe('requests that wait for a lock', () => {
  let harness: Harness
  let ledger: Ledger
  let account: number
  before(async () => {
    harness = await startHarness()
    ledger = new Ledger({ databaseUrl: harness.databaseUrl, sideLanes: 1 })
    account = await ledger.openAccount('app', 500n)
  })
  after(async () => {
    await ledger.close()
    await harness.end()
  })

  /** Locks the row until the returned function is called. */
  async function lock(table: 'wallets' | 'accounts', id: bigint | number) {
    const holder = await connectAdmin(harness.databaseUrl)
    await holder.query('begin')
    await holder.query(`select from ledger.${table} where id = $1 for update`, [id])
    return () => holder.end()
  }

  async function post(kind: 'debit' | 'credit', walletId: bigint, by = ledger) {
    const pair = { referenceType: 'TEST', referenceId: randomUUID(), description: null }
    const amount = { walletId, amountMinor: 500n, counterAccount: account }
    const { decision } = await by.post({ kind, ...amount, ...pair })
    return decision.refusal ?? 'posted'
  }

  async function waitForWaiters(t: TestContext, least = 1) {
    const hasWaiter = async () => {
      const { rowCount } = await harness.admin.query(
        `select from pg_locks l join pg_stat_activity a using (pid)
         where not l.granted and a.datname = current_database()`,
      )
      assert((rowCount ?? 0) >= least)
    }
    await t.waitFor(hasWaiter, { timeout: 10_000 })
  }

  it('keep their order when they wait for longer than a side lane', async (t) => {
    const [first, second] = [await makeUser(harness.context), await makeUser(harness.context)]
    const unlock = await lock('accounts', account)
    const older = post('credit', first.walletId)
    await waitForWaiters(t)
    const newer = post('credit', second.walletId)
    // A side lane gives up after a second and puts its request back.
    await sleep(1_500)
    await unlock()
    assert.equal(await older, 'posted')
    assert.equal(await newer, 'CREDIT_LIMIT_EXCEEDED')
  })

  it('keep their order on a wallet that waits for the accounts of two apps', async (t) => {
    const [one, two] = [await ledger.openAccount('a', 500n), await ledger.openAccount('b', 500n)]
    const wide = new Ledger({ databaseUrl: harness.databaseUrl })
    for (let gapMs = 10; gapMs < 30; gapMs += 1) {
      const { walletId } = await makeUser(harness.context, 10_000n)
      const [unlockOne, unlockTwo] = [await lock('accounts', one), await lock('accounts', two)]
      const debitFor = (counterAccount: number) =>
        wide.post({
          kind: 'debit',
          walletId,
          amountMinor: 1n,
          counterAccount,
          description: null,
          referenceType: 'TEST',
          referenceId: randomUUID(),
        })
      const [other, older] = [debitFor(one), debitFor(two)]
      await waitForWaiters(t, 2)
      const newer = [debitFor(two), debitFor(two)]
      await unlockOne()
      await sleep(gapMs)
      await unlockTwo()
      const [, ...outcomes] = await Promise.all([other, older, ...newer])
      const seqs = outcomes.map(({ decision }) => Number(decision.seq))
      const inOrder = seqs.toSorted((first, second) => first - second)
      assert.deepEqual(seqs, inOrder, `after ${gapMs} ms`)
    }
    await wide.close()
  })

  it('keep their order when no side lane is free', async (t) => {
    const [busy, person] = [
      await makeUser(harness.context, 500n),
      await makeUser(harness.context, 500n),
    ]
    const unlockBusy = await lock('wallets', busy.walletId)
    const unlock = await lock('wallets', person.walletId)
    const other = post('debit', busy.walletId)
    await waitForWaiters(t)
    const older = post('debit', person.walletId)
    // Longer than a lane waits for a lock, and shorter than the side lane does.
    await sleep(300)
    await unlock()
    const newer = post('debit', person.walletId)
    assert.equal(await newer, 'INSUFFICIENT_BALANCE')
    assert.equal(await older, 'posted')
    await unlockBusy()
    assert.equal(await other, 'posted')
  })

  it('leave their wallet to later ones if they give up before they get the lock', async () => {
    const { walletId } = await makeUser(harness.context, 1_000n)
    const unlock = await lock('wallets', walletId)
    const hasty = new Ledger({ databaseUrl: harness.databaseUrl, sideLanes: 1, deadlineMs: 500 })
    try {
      await assert.rejects(post('debit', walletId, hasty), { code: 'OUTCOME_UNKNOWN' })
      // The side lane gives up after a second. Then nobody waits for its request.
      await sleep(1_500)
      await unlock()
      assert.equal(await post('debit', walletId, hasty), 'posted')
    } finally {
      await hasty.close()
    }
    assert.equal((await ledger.readWallet(walletId))?.seq, 2n)
  })
})
