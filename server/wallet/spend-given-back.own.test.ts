/** Which refunds, releases and expiries make room in a spending limit again. */
import { refund } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { clientConfig } from '../database/connect.ts'
import { link } from '../identity/link.ts'
import { verify } from '../ledger/verify/verify.ts'
import { makeClientApp } from '../test/factories.ts'
import { captureHold, expireHoldsNow, placeHold, releaseHold } from '../test/ledger/hold-setup.ts'
import { pairOf } from '../test/ledger/refund-setup.ts'
import {
  OVER,
  outcomeOf,
  payWith as pay,
  readSpent,
  setLimit,
  sumOperations,
} from '../test/ledger/spend-setup.ts'
import { call, addShop, openSetup, type Setup } from '../test/setup.ts'

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

describe('what is given back', () => {
  it('a refund, a release, an expiry and the rest of a final capture', async () => {
    const shop = await addShop(setup.harness)
    await setLimit(shop, { month: 100_00n })
    const paid = pairOf('ORDER')
    await pay(shop, 10, paid)
    const [captured, released] = [await placeHold(shop, 20), await placeHold(shop, 30)]
    await placeHold(shop, 40)
    assert.deepEqual(outcomeOf(await pay(shop, 0.01)), OVER)
    await call(shop, refund, { debit: paid, amount: 4, ...pairOf('REFUND') })
    const capture = pairOf('CAPTURE')
    await captureHold(shop, captured, { amount: 15, ...capture })
    assert.deepEqual(await readSpent(shop), [91_00n, 91_00n, 91_00n])
    await call(shop, refund, { debit: capture, amount: 5, ...pairOf('REFUND') })
    await releaseHold(shop, released)
    assert.deepEqual(await readSpent(shop), [56_00n, 56_00n, 56_00n])
    await expireHoldsNow(shop)
    // Not booked yet, but what the next debit finds.
    assert.deepEqual(await readSpent(shop), [16_00n, 16_00n, 16_00n])
    assert.equal((await pay(shop, 1)).statusCode, 200)
    assert.deepEqual(await readSpent(shop), [17_00n, 17_00n, 17_00n])
    assert.deepEqual(await sumOperations(shop), [17_00n, 17_00n, 17_00n])
  })

  it('to the limit of the app that took it, not to that of another app', async () => {
    const shop = await addShop(setup.harness)
    const { context } = shop.harness
    const app = await makeClientApp(context)
    const serviceUserId = await link(context.db, app.id, shop.user.id)
    const other = { ...shop, app, user: { ...shop.user, serviceUserId } }
    for (const each of [shop, other]) await setLimit(each, { month: 100_00n })
    await pay(shop, 10)
    await placeHold(other, 4)
    await expireHoldsNow(shop)
    assert.deepEqual(await readSpent(shop), [10_00n, 10_00n, 10_00n])
    assert.deepEqual(await readSpent(other), [0n, 0n, 0n])
  })
})

describe('the books', () => {
  it('are correct afterwards', async () => {
    const client = new pg.Client(clientConfig(setup.harness.databaseUrl))
    await client.connect()
    const { fault } = await verify(client, {})
    await client.end()
    assert.equal(fault, undefined)
  })
})
