import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../service-error.ts'
import { connectAdmin, startHarness, type Harness } from '../test/harness.ts'
import { Ledger } from './ledger.ts'
import { BONUS_ACCOUNT } from './types.ts'

describe('closing the ledger', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness({ VERIFY_PERCENT: '0' })
  })
  after(() => harness.end())

  it('responds to a request that cannot be executed, at its deadline, and ends', async () => {
    const ledger = new Ledger({ databaseUrl: harness.databaseUrl, deadlineMs: 1_000 })
    const walletId = await ledger.openWallet()
    const blocker = await connectAdmin(harness.databaseUrl)
    await blocker.query('begin')
    await blocker.query('lock table ledger.wallets in access exclusive mode')
    const posting = ledger
      .post({
        kind: 'bonus',
        walletId,
        amountMinor: 1n,
        counterAccount: BONUS_ACCOUNT,
        referenceType: 'CLOSE',
        referenceId: 'one',
        description: null,
      })
      .then(
        () => 'posted',
        (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
      )
    const closing = ledger.close()
    const response = await Promise.race([posting, sleep(10_000, 'no response')])
    await blocker.query('rollback')
    await blocker.end()
    await closing
    assert.match(response, /^(SERVICE_UNAVAILABLE|OUTCOME_UNKNOWN)$/)
  })
})
