/** What users let an app take: decided by the ledger, recorded, and shown by check-balance. */
import { hold } from '@coffer/contract/server/holds'
import { checkBalance, credit, debit, findOperation, refund } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inTransaction } from '../database/in-transaction.ts'
import { link, unlink } from '../identity/link.ts'
import { captureHold, holdFields, placeHold } from '../test/ledger/hold-setup.ts'
import { pairOf } from '../test/ledger/refund-setup.ts'
import {
  OVER,
  outcomeOf,
  payWith as pay,
  readSpent,
  setLimit,
  sumOperations,
} from '../test/ledger/spend-setup.ts'
import { assertReplay, call, furnish, openSetup, type Setup } from '../test/setup.ts'

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

async function check(there: Setup) {
  const { serviceUserId } = there.user
  const response = await call(there, checkBalance, { serviceUserId, requiredAmount: '100' })
  const { balance, hasSufficientBalance, spendable } = response.json()
  return { balance, hasSufficientBalance, spendable }
}

describe('POST /api/server/wallet/debit', () => {
  it('403 SPEND_LIMIT_EXCEEDED is recorded and replayed literally after the limit is removed', async () => {
    const there = await furnish(setup.harness)
    await setLimit(there, { singleMax: 10_00n })
    const pair = pairOf('ORDER')
    const fields = holdFields(there, 10.01, pair)
    const refused = await call(there, debit, fields)
    assert.deepEqual(outcomeOf(refused), OVER)
    assert.match(refused.json().error, /Use a new referenceId for a new attempt\.$/)
    assert.equal((await pay(there, 10)).statusCode, 200)
    const { ledger } = there.harness.context
    assert.equal(
      await ledger.spendLimits.set(there.user.walletId, there.app.account, null),
      'raised',
    )
    assertReplay(await call(there, debit, fields), refused)
    const found = (await call(there, findOperation, pair)).json()
    assert.deepEqual([found.status, found.code, found.amount], ['refused', OVER[1], 10.01])
    assert.equal((await pay(there, 10.01)).statusCode, 200)
  })

  it('counts debits and holds, not credits, and is exact to the cent', async () => {
    const there = await furnish(setup.harness)
    await setLimit(there, { day: 30_00n })
    assert.equal((await pay(there, 10)).statusCode, 200)
    await placeHold(there, 19.99)
    assert.deepEqual(outcomeOf(await call(there, hold, holdFields(there, 0.02))), OVER)
    assert.equal((await pay(there, 0.01)).statusCode, 200)
    assert.deepEqual(outcomeOf(await pay(there, 0.01)), OVER)
    assert.deepEqual(await readSpent(there), [30_00n, 30_00n, 30_00n])
    assert.deepEqual(await sumOperations(there), [30_00n, 30_00n, 30_00n])
  })
})

describe('POST /api/server/wallet/hold', () => {
  it('403 SPEND_LIMIT_EXCEEDED is recorded and stays the outcome after the limit is raised', async () => {
    const there = await furnish(setup.harness)
    await setLimit(there, { singleMax: 10_00n })
    const fields = holdFields(there, 10.01)
    const refused = await call(there, hold, fields)
    assert.deepEqual(outcomeOf(refused), OVER)
    await setLimit(there, { singleMax: 20_00n })
    assertReplay(await call(there, hold, fields), refused)
    assert.equal((await call(there, hold, holdFields(there, 10.01))).statusCode, 200)
  })
})

describe('POST /api/server/wallet/credit', () => {
  it('403 SPEND_LIMIT_EXCEEDED when it repeats a debit with this refusal', async () => {
    const there = await furnish(setup.harness)
    await setLimit(there, { singleMax: 0n })
    const fields = holdFields(there, 1)
    const refused = await call(there, debit, fields)
    assert.deepEqual(outcomeOf(refused), OVER)
    assertReplay(await call(there, credit, fields), refused, 'direction')
  })
})

describe('a spending limit', () => {
  it('counts what the app took in the period before the limit was set', async () => {
    const there = await furnish(setup.harness)
    const paid = pairOf('ORDER')
    await pay(there, 25, paid)
    await call(there, refund, { debit: paid, amount: 5, ...pairOf('REFUND') })
    await placeHold(there, 10)
    assert.equal(await readSpent(there), undefined)
    await setLimit(there, { day: 30_01n })
    assert.deepEqual(await readSpent(there), [30_00n, 30_00n, 30_00n])
    assert.deepEqual(outcomeOf(await pay(there, 0.02)), OVER)
    assert.equal((await pay(there, 0.01)).statusCode, 200)
  })

  it('survives unlinking and linking again, with what was taken', async () => {
    const there = await furnish(setup.harness)
    const { context } = there.harness
    await setLimit(there, { day: 10_00n })
    await pay(there, 9)
    await unlink(context.db, there.app.id, there.user.id)
    const serviceUserId = await link(context.db, there.app.id, there.user.id)
    const again = { ...there, user: { ...there.user, serviceUserId } }
    assert.deepEqual(outcomeOf(await pay(again, 1.01)), OVER)
    assert.deepEqual(await check(again), { balance: 91, hasSufficientBalance: false, spendable: 1 })
    assert.equal((await pay(again, 1)).statusCode, 200)
  })

  it('ends the permission at its end', async () => {
    const there = await furnish(setup.harness)
    await setLimit(there, { endsAtMs: Date.now() + 60_000 })
    assert.equal((await pay(there, 1)).statusCode, 200)
    const placed = await placeHold(there, 1)
    await setLimit(there, { endsAtMs: Date.now() - 60_000 })
    assert.deepEqual(outcomeOf(await pay(there, 1)), OVER)
    assert.equal((await check(there)).spendable, 0)
    // It is reserved already.
    assert.equal((await captureHold(there, placed)).statusCode, 200)
  })

  it('is deleted with the account, and a closed wallet gets none', async () => {
    const there = await furnish(setup.harness)
    const { db, ledger } = there.harness.context
    await setLimit(there, { day: 100_00n })
    await pay(there, 100)
    const { walletId } = there.user
    assert.equal(await inTransaction(db, (tx) => ledger.closeWallet(walletId, tx)), true)
    const wallet = await ledger.readWallet(walletId)
    assert.equal(wallet?.hasSpendLimits, false)
    const { rowCount } = await there.harness.admin.query(
      'select from ledger.spend_limits where wallet_id = $1',
      [walletId],
    )
    assert.equal(rowCount, 0)
    const terms = { singleMax: 1n, max: { day: null, week: null, month: null } }
    const more = { ...terms, endsAtMs: null, timeZone: 'UTC' }
    assert.equal(await ledger.spendLimits.set(walletId, there.app.account, more), 'closed')
  })
})

describe('check-balance', () => {
  it('200 shows what the app may take at once; hasSufficientBalance keeps its meaning', async () => {
    const there = await furnish(setup.harness)
    assert.deepEqual(await check(there), {
      balance: 100,
      hasSufficientBalance: true,
      spendable: 100,
    })
    await setLimit(there, { singleMax: 40_00n, day: 60_00n, month: 1000_00n })
    assert.deepEqual(await check(there), {
      balance: 100,
      hasSufficientBalance: true,
      spendable: 40,
    })
    await pay(there, 35.5)
    assert.equal((await check(there)).spendable, 24.5)
    await setLimit(there, { day: 1000_00n })
    assert.equal((await check(there)).spendable, 64.5)
  })
})
