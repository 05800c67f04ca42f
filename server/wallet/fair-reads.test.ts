/** Reads of one client app must not make those of the others wait. */
import { checkBalance, findOperation, readWallet } from '@coffer/contract/server/wallet'
import { lookUpOperation } from '@coffer/contract/admin/operations'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { digestPair } from '../ledger/digest.ts'
import { ADMIN_ENV, askAs, makeOperator, outcomesOf } from '../test/admin-setup.ts'
import { connectAdmin, startHarness, type Harness } from '../test/harness.ts'
import { call, addShop, type Setup } from '../test/setup.ts'

const LOOK_UPS = 20

let harness: Harness
before(async () => {
  harness = await startHarness(ADMIN_ENV)
})
after(() => harness.end())

/** Somebody is writing this pair, so each look-up of it waits on its connection. */
async function whileWriting(
  app: Setup['app'],
  pair: Record<string, string>,
  work: () => Promise<void>,
) {
  const holder = await connectAdmin(harness.databaseUrl)
  await holder.query('begin')
  await holder.query(
    `insert into ledger.operation_keys (digest, wallet_id, seq, decided_at, kind, amount, balance_after)
      values ($1, 1, 1, now(), 'debit', 1, 0)`,
    [digestPair(app.ledgerAccount, pair['referenceType'] ?? '', pair['referenceId'] ?? '')],
  )
  try {
    await work()
  } finally {
    await holder.query('rollback')
    await holder.end()
  }
}

async function waitForLookUps() {
  const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  for (let tries = 0; tries < 400; tries++) {
    const { rowCount } = await harness.admin.query(sql)
    if (rowCount && rowCount >= 3) return
    await sleep(10)
  }
  assert.fail('the look-ups do not wait')
}

describe('fair share of reads', () => {
  it('answers balances, wallets and look-ups of others while the look-ups of one app wait', async () => {
    const curious = await addShop(harness)
    const quiet = await addShop(harness)
    const viewer = await makeOperator(harness, 'viewer')
    const pair = { referenceType: 'ORDER', referenceId: 'being-written' }
    const lookUps: Promise<unknown>[] = []
    let ended = 0
    await whileWriting(curious.app, pair, async () => {
      for (let n = 0; n < LOOK_UPS; n++)
        lookUps.push(call(curious, findOperation, pair).then(() => ended++))
      await waitForLookUps()
      const { serviceUserId } = quiet.user
      const { clientId } = curious.app
      const other = { referenceType: 'ORDER', referenceId: 'unknown' }
      const others = await Promise.all([
        call(quiet, checkBalance, { serviceUserId, requiredAmount: 1 }),
        call(quiet, readWallet, { serviceUserId }),
        call(quiet, findOperation, other),
        askAs({ harness }, viewer, lookUpOperation, { clientId, ...other }),
      ])
      assert.deepEqual(outcomesOf(others), ['200', '200', '200', 'OPERATION_NOT_FOUND'])
      assert.equal(ended, 0)
    })
    await Promise.all(lookUps)
  })
})
