import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectAdmin } from '../test/harness.ts'
import { assertRefusal, call, openSetup, type Setup } from '../test/setup.ts'

describe('the deadline of a call', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  it('is 8 s in total, even if checking the credentials takes half of it', async () => {
    const { harness, user } = setup
    const apps = await connectAdmin(harness.databaseUrl)
    const wallet = await connectAdmin(harness.databaseUrl)
    await wallet.query('begin')
    await wallet.query('select from ledger.wallets where id = $1 for update', [user.walletId])
    await apps.query('begin')
    await apps.query('lock table directory.client_apps in access exclusive mode')
    const { serviceUserId } = user
    const reference = { referenceType: 'ORDER', referenceId: 'late' }
    const startedMs = performance.now()
    const response = call(setup, debit, { serviceUserId, amount: 1, ...reference })
    await sleep(4_000)
    await apps.query('rollback')
    assertRefusal(await response, debit, 'OUTCOME_UNKNOWN')
    const seconds = (performance.now() - startedMs) / 1000
    assert.ok(seconds < 9, `response after ${seconds} s`)
    await wallet.query('rollback')
    await apps.end()
    await wallet.end()
  })
})
