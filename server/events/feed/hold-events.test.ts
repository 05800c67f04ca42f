import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { unlink } from '../../identity/link.ts'
import { eventsOf } from '../../test/events/feed-setup.ts'
import { captureHold, expireHoldsNow, placeHold } from '../../test/ledger/hold-setup.ts'
import { addShop, openSetup, type Setup } from '../../test/setup.ts'
import { expireHolds } from '../../wallet/expire-holds.ts'

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

async function expire(shop: Setup) {
  await expireHoldsNow(shop)
  const { context } = shop.harness
  await Promise.all([expireHolds(context), expireHolds(context), expireHolds(context)])
}

describe('hold.expired', () => {
  it('one event with the rest of the hold, however many processes book it', async () => {
    const shop = await addShop(setup.harness)
    const placed = await placeHold(shop, 50)
    await captureHold(shop, placed, { amount: 20, isFinal: false })
    const { serviceUserId } = shop.user
    const found = await eventsOf(shop, () => expire(shop))
    const data = { serviceUserId, hold: placed, amount: 30, currency: 'USD' }
    assert.deepEqual(found, [['hold.expired', data]])
    assert.deepEqual(await eventsOf(shop, () => expire(shop)), [])
  })

  it('does not name a person who has unlinked the app', async () => {
    const shop = await addShop(setup.harness)
    const placed = await placeHold(shop, 5)
    await unlink(shop.harness.context.db, shop.app.id, shop.user.id)
    const found = await eventsOf(shop, () => expire(shop))
    const data = { hold: placed, amount: 5, currency: 'USD' }
    assert.deepEqual(found.at(-1), ['hold.expired', data])
  })
})
