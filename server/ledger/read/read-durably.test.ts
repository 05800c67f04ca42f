import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeUser } from '../../test/factories.ts'
import { connectAdmin, startHarness, type Harness } from '../../test/harness.ts'
import { Ledger } from '../ledger.ts'
import { PROCESSOR_ACCOUNT, type Kind, type LedgerRequest } from '../types.ts'

let harness: Harness
before(async () => {
  harness = await startHarness()
})
after(() => harness.end())

function requestOf(walletId: bigint, kind: Kind, amountMinor: bigint): LedgerRequest {
  const pair = { referenceType: 'TEST', referenceId: randomUUID(), description: null }
  return { kind, walletId, amountMinor, counterAccount: PROCESSOR_ACCOUNT, ...pair }
}

describe('a look-up', () => {
  it('finds the whole amount of an operation that created or paid debt', async () => {
    const { ledger } = harness.context
    const { walletId } = await makeUser(harness.context, 4n)
    for (const request of [requestOf(walletId, 'seizure', 10n), requestOf(walletId, 'topup', 8n)]) {
      await ledger.post(request)
      const found = await ledger.findServiceDecision(request.referenceType, request.referenceId)
      assert.equal(found?.amountMinor, request.amountMinor)
      assert.deepEqual((await ledger.post(request)).mismatch, [])
    }
    const { balance, debt } = (await ledger.readWallet(walletId)) ?? assert.fail()
    assert.deepEqual([balance, debt], [2n, 0n])
  })
})

describe('a look-up that fails', () => {
  /** Cancels the statement that waits for a lock, as the statement timeout does. */
  async function cancelWaiting() {
    const sql = `select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    for (let tries = 0; tries < 400; tries++) {
      const { rowCount } = await harness.admin.query(sql)
      if (rowCount) return
      await sleep(25)
    }
    assert.fail('no look-up waits for the lock')
  }

  it('leaves no connection with a failed transaction for later look-ups', async () => {
    const { walletId } = await makeUser(harness.context, 5n)
    const ledger = new Ledger({ databaseUrl: harness.databaseUrl })
    const request = requestOf(walletId, 'debit', 1n)
    const holder = await connectAdmin(harness.databaseUrl)
    await holder.query('begin')
    await holder.query('select from ledger.wallets where id = $1 for update', [walletId])
    const failing = assert.rejects(ledger.replay(request), { code: '57014' })
    await cancelWaiting()
    await failing
    await holder.query('rollback')
    await holder.end()
    assert.equal((await ledger.readWallet(walletId))?.balance, 5n)
    assert.equal(await ledger.replay(request), undefined)
    await ledger.close()
  })
})
