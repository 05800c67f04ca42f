import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { unlink } from '../../identity/link.ts'
import { eventsOf } from '../../test/events/feed-setup.ts'
import { captureHold, passTime, placeHold } from '../../test/ledger/hold-setup.ts'
import { furnish, openSetup, type Setup } from '../../test/setup.ts'
import { expireHolds } from '../../wallet/expire-holds.ts'

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

async function expire(there: Setup) {
  await passTime(there)
  const { context } = there.harness
  await Promise.all([expireHolds(context), expireHolds(context), expireHolds(context)])
}

describe('hold.expired', () => {
  it('one event with the rest of the hold, however many processes book it', async () => {
    const there = await furnish(setup.harness)
    const placed = await placeHold(there, 50)
    await captureHold(there, placed, { amount: 20, isFinal: false })
    const { serviceUserId } = there.user
    const found = await eventsOf(there, () => expire(there))
    const data = { serviceUserId, hold: placed, amount: 30, currency: 'USD' }
    assert.deepEqual(found, [['hold.expired', data]])
    assert.deepEqual(await eventsOf(there, () => expire(there)), [])
  })

  it('does not name a person who has unlinked the app', async () => {
    const there = await furnish(setup.harness)
    const placed = await placeHold(there, 5)
    await unlink(there.harness.context.db, there.app.id, there.user.id)
    const found = await eventsOf(there, () => expire(there))
    const data = { hold: placed, amount: 5, currency: 'USD' }
    assert.deepEqual(found.at(-1), ['hold.expired', data])
  })
})
