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
import { assertReplay, call, addShop, openSetup, type Setup } from '../test/setup.ts'

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

async function check(shop: Setup) {
  const { serviceUserId } = shop.user
  const response = await call(shop, checkBalance, { serviceUserId, requiredAmount: '100' })
  const { balance, hasSufficientBalance, spendable } = response.json()
  return { balance, hasSufficientBalance, spendable }
}

describe('POST /api/server/wallet/debit', () => {
  it('403 SPEND_LIMIT_EXCEEDED is recorded and replayed literally after the limit is removed', async () => {
    const shop = await addShop(setup.harness)
    await setLimit(shop, { singleMax: 10_00n })
    const pair = pairOf('ORDER')
    const fields = holdFields(shop, 10.01, pair)
    const refused = await call(shop, debit, fields)
    assert.deepEqual(outcomeOf(refused), OVER)
    assert.match(refused.json().error, /Use a new referenceId for a new attempt\.$/)
    assert.equal((await pay(shop, 10)).statusCode, 200)
    const { ledger } = shop.harness.context
    assert.equal(
      await ledger.spendLimits.set(shop.user.walletId, shop.app.ledgerAccount, null),
      'raised',
    )
    assertReplay(await call(shop, debit, fields), refused)
    const found = (await call(shop, findOperation, pair)).json()
    assert.deepEqual([found.status, found.code, found.amount], ['refused', OVER[1], 10.01])
    assert.equal((await pay(shop, 10.01)).statusCode, 200)
  })

  it('counts debits and holds, not credits, and is exact to the cent', async () => {
    const shop = await addShop(setup.harness)
    await setLimit(shop, { day: 30_00n })
    assert.equal((await pay(shop, 10)).statusCode, 200)
    await placeHold(shop, 19.99)
    assert.deepEqual(outcomeOf(await call(shop, hold, holdFields(shop, 0.02))), OVER)
    assert.equal((await pay(shop, 0.01)).statusCode, 200)
    assert.deepEqual(outcomeOf(await pay(shop, 0.01)), OVER)
    assert.deepEqual(await readSpent(shop), [30_00n, 30_00n, 30_00n])
    assert.deepEqual(await sumOperations(shop), [30_00n, 30_00n, 30_00n])
  })
})

describe('POST /api/server/wallet/hold', () => {
  it('403 SPEND_LIMIT_EXCEEDED is recorded and stays the outcome after the limit is raised', async () => {
    const shop = await addShop(setup.harness)
    await setLimit(shop, { singleMax: 10_00n })
    const fields = holdFields(shop, 10.01)
    const refused = await call(shop, hold, fields)
    assert.deepEqual(outcomeOf(refused), OVER)
    await setLimit(shop, { singleMax: 20_00n })
    assertReplay(await call(shop, hold, fields), refused)
    assert.equal((await call(shop, hold, holdFields(shop, 10.01))).statusCode, 200)
  })
})

describe('POST /api/server/wallet/credit', () => {
  it('403 SPEND_LIMIT_EXCEEDED when it repeats a debit with this refusal', async () => {
    const shop = await addShop(setup.harness)
    await setLimit(shop, { singleMax: 0n })
    const fields = holdFields(shop, 1)
    const refused = await call(shop, debit, fields)
    assert.deepEqual(outcomeOf(refused), OVER)
    assertReplay(await call(shop, credit, fields), refused, 'direction')
  })
})

describe('a spending limit', () => {
  it('counts what the app took in the period before the limit was set', async () => {
    const shop = await addShop(setup.harness)
    const paid = pairOf('ORDER')
    await pay(shop, 25, paid)
    await call(shop, refund, { debit: paid, amount: 5, ...pairOf('REFUND') })
    await placeHold(shop, 10)
    assert.equal(await readSpent(shop), undefined)
    await setLimit(shop, { day: 30_01n })
    assert.deepEqual(await readSpent(shop), [30_00n, 30_00n, 30_00n])
    assert.deepEqual(outcomeOf(await pay(shop, 0.02)), OVER)
    assert.equal((await pay(shop, 0.01)).statusCode, 200)
  })

  it('survives unlinking and linking again, with what was taken', async () => {
    const shop = await addShop(setup.harness)
    const { context } = shop.harness
    await setLimit(shop, { day: 10_00n })
    await pay(shop, 9)
    await unlink(context.db, shop.app.id, shop.user.id)
    const serviceUserId = await link(context.db, shop.app.id, shop.user.id)
    const again = { ...shop, user: { ...shop.user, serviceUserId } }
    assert.deepEqual(outcomeOf(await pay(again, 1.01)), OVER)
    assert.deepEqual(await check(again), { balance: 91, hasSufficientBalance: false, spendable: 1 })
    assert.equal((await pay(again, 1)).statusCode, 200)
  })

  it('ends the permission at its end', async () => {
    const shop = await addShop(setup.harness)
    await setLimit(shop, { endsAtMs: Date.now() + 60_000 })
    assert.equal((await pay(shop, 1)).statusCode, 200)
    const placed = await placeHold(shop, 1)
    await setLimit(shop, { endsAtMs: Date.now() - 60_000 })
    assert.deepEqual(outcomeOf(await pay(shop, 1)), OVER)
    assert.equal((await check(shop)).spendable, 0)
    // It is reserved already.
    assert.equal((await captureHold(shop, placed)).statusCode, 200)
  })

  it('is deleted with the account, and a closed wallet gets none', async () => {
    const shop = await addShop(setup.harness)
    const { db, ledger } = shop.harness.context
    await setLimit(shop, { day: 100_00n })
    await pay(shop, 100)
    const { walletId } = shop.user
    assert.equal(await inTransaction(db, (tx) => ledger.closeWallet(walletId, tx)), true)
    const wallet = await ledger.readWallet(walletId)
    assert.equal(wallet?.hasSpendLimits, false)
    const { rowCount } = await shop.harness.admin.query(
      'select from ledger.spend_limits where wallet_id = $1',
      [walletId],
    )
    assert.equal(rowCount, 0)
    const terms = { singleMax: 1n, max: { day: null, week: null, month: null } }
    const more = { ...terms, endsAtMs: null, timeZone: 'UTC' }
    assert.equal(await ledger.spendLimits.set(walletId, shop.app.ledgerAccount, more), 'closed')
  })
})

describe('check-balance', () => {
  it('200 shows what the app may take at once; hasSufficientBalance keeps its meaning', async () => {
    const shop = await addShop(setup.harness)
    assert.deepEqual(await check(shop), {
      balance: 100,
      hasSufficientBalance: true,
      spendable: 100,
    })
    await setLimit(shop, { singleMax: 40_00n, day: 60_00n, month: 1000_00n })
    assert.deepEqual(await check(shop), {
      balance: 100,
      hasSufficientBalance: true,
      spendable: 40,
    })
    await pay(shop, 35.5)
    assert.equal((await check(shop)).spendable, 24.5)
    await setLimit(shop, { day: 1000_00n })
    assert.equal((await check(shop)).spendable, 64.5)
  })
})
