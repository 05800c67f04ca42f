/** balance.changed: which operations cause it, and which apps get it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setBalanceEvents } from '../../client-app/change-settings.ts'
import { unlink } from '../../identity/link.ts'
import { digestPair } from '../../ledger/digest.ts'
import { OPERATOR_RELEASE } from '../../ledger/types.ts'
import {
  linkOther,
  noteBalances,
  openBalanceWatcher,
  makeBalanceEventsDue,
  reportAll,
} from '../../test/events/balance-setup.ts'
import { eventsOf, untilNumbered } from '../../test/events/feed-setup.ts'
import { giveBonus } from '../../test/factories.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import { expireHoldsNow, placeHold } from '../../test/ledger/hold-setup.ts'
import { balanceOf, pay, refund } from '../../test/ledger/refund-setup.ts'
import { type Setup } from '../../test/setup.ts'
import { OF_APPS, requestOf, ROWS } from '../../test/tables/kind-rows.ts'
import { expireHolds } from '../../wallet/expire-holds.ts'

let harness: Harness
before(async () => {
  harness = await startHarness({ VERIFY_PERCENT: '0' })
})
after(() => harness.end())

/** The events of an app after `act`, when everything is reported. */
async function reportedTo(shop: Setup, act: () => Promise<unknown>) {
  // What the test has done before is none of its business.
  await reportAll(harness)
  return eventsOf(shop, async () => {
    await act()
    await reportAll(harness)
  })
}

async function changeOf(shop: Setup) {
  const { serviceUserId } = shop.user
  const balance = Number(await balanceOf(shop)) / 100
  return ['balance.changed', { serviceUserId, balance, currency: 'USD' }]
}

const give = ({ user }: Setup, amountMinor = 1_00n) =>
  giveBonus(harness.context.ledger, user.walletId, amountMinor)

describe('balance.changed', () => {
  it('for each kind of operation of the service and of another app, with the new balance only', async () => {
    const shop = await openBalanceWatcher(harness)
    const other = await linkOther(shop)
    for (const row of ROWS) {
      const request = requestOf(row, other.app.ledgerAccount, shop.user.walletId)
      const found = await reportedTo(shop, () => harness.context.ledger.post(request))
      assert.deepEqual(found, [await changeOf(shop)], row.kind)
    }
  })

  it('not for operations of the app itself', async () => {
    const shop = await openBalanceWatcher(harness)
    const found = await reportedTo(shop, async () => {
      for (const row of OF_APPS) {
        const request = requestOf(row, shop.app.ledgerAccount, shop.user.walletId)
        const { decision } = await harness.context.ledger.post(request)
        assert.equal(decision.refusal, null)
      }
    })
    assert.deepEqual(found, [])
  })

  it('for a hold of the app that expired, and for one that an operator released', async () => {
    const shop = await openBalanceWatcher(harness)
    const { ledgerAccount: account } = shop.app
    const { walletId } = shop.user
    await placeHold(shop, 9)
    const expired = await reportedTo(shop, async () => {
      await expireHoldsNow(shop)
      await expireHolds(harness.context)
    })
    assert.deepEqual(
      expired.map(([type]) => type),
      ['hold.expired', 'balance.changed'],
    )
    const { referenceType, referenceId } = await placeHold(shop, 5)
    const released = await reportedTo(shop, () =>
      harness.context.ledger.post({
        kind: 'release',
        referenceType: OPERATOR_RELEASE,
        referenceId: randomUUID(),
        walletId,
        amountMinor: 0n,
        counterAccount: account,
        description: null,
        holdChange: {
          target: digestPair(account, referenceType, referenceId),
          isAmountOmitted: true,
          isFinal: true,
          isBalanceHidden: true,
        },
      }),
    )
    assert.deepEqual(released, [await changeOf(shop)])
  })

  it('one for several changes, and another one for a change after it', async () => {
    const shop = await openBalanceWatcher(harness)
    const other = await linkOther(shop)
    const found = await reportedTo(shop, async () => {
      const paid = await pay(other, 3)
      await give(shop)
      await noteBalances(harness)
      await refund(other, paid, { amount: 1 })
      await noteBalances(harness)
      await give(shop)
    })
    assert.deepEqual(found, [await changeOf(shop)])
    const more = await reportedTo(shop, () => pay(other, 2))
    assert.deepEqual(more, [await changeOf(shop)])
  })

  it('after 2 to 10 seconds, which differ, and its time does not show when the change happened', async () => {
    const watchers = await Promise.all(
      Array.from({ length: 12 }, () => openBalanceWatcher(harness)),
    )
    await reportAll(harness)
    for (const shop of watchers) await give(shop)
    const startMs = Date.now()
    await noteBalances(harness)
    const { rows } = await harness.admin.query<{ due: Date }>(
      'select due_at as due from events.changed_balances',
    )
    const delays = rows.map(({ due }) => due.getTime() - startMs)
    assert.equal(delays.length, watchers.length)
    assert(Math.min(...delays) >= 2_000 && Math.max(...delays) < 15_000, String(delays))
    assert(new Set(delays.map((delay) => Math.floor(delay / 500))).size > 4, String(delays))
    const { admin } = harness
    const early = await admin.query(`select from events.outbox where type = 'balance.changed'`)
    assert.equal(early.rowCount, 0)
    const reportedMs = Date.now()
    await makeBalanceEventsDue(harness)
    await untilNumbered(admin)
    const created = await admin.query<{ at: Date }>(
      `select created_at as at from events.events where type = 'balance.changed' and created_at >= $1`,
      [new Date(reportedMs)],
    )
    assert.equal(created.rowCount, watchers.length)
  })
})

describe('no balance.changed', () => {
  it('for an app for which it is not enabled, that is not linked, or that may not read wallets', async () => {
    const shop = await openBalanceWatcher(harness)
    const silent = await linkOther(shop)
    const blind = await linkOther(shop, { getsBalanceEvents: true, scopes: ['wallet:write'] })
    const stranger = await openBalanceWatcher(harness)
    await reportAll(harness)
    await reportedTo(shop, () => give(shop))
    const { rows } = await harness.admin.query(
      `select from events.events where type = 'balance.changed' and client_app_id = any($1::bigint[])`,
      [[silent, blind, stranger].map(({ app }) => app.id)],
    )
    assert.equal(rows.length, 0)
  })

  it('for what happened before it was enabled, or before the person linked the app', async () => {
    const shop = await openBalanceWatcher(harness, { getsBalanceEvents: false })
    const { db } = harness.context
    const found = await reportedTo(shop, async () => {
      await give(shop)
      await setBalanceEvents(db, shop.app.clientId, true)
    })
    assert.deepEqual(
      found.map(([type]) => type),
      ['client_app.changed'],
    )
    assert.deepEqual(found[0]?.[1].changes, ['getsBalanceEvents'])
    assert.deepEqual(await reportedTo(shop, () => give(shop)), [await changeOf(shop)])
    await give(shop)
    const other = await linkOther(shop, { getsBalanceEvents: true })
    const linked = await eventsOf(other, () => reportAll(harness))
    assert.deepEqual(linked, [])
  })

  it('after it was disabled or the link ended, also while the event waits', async () => {
    const shop = await openBalanceWatcher(harness)
    const other = await linkOther(shop, { getsBalanceEvents: true })
    const { db } = harness.context
    await reportAll(harness)
    await give(shop)
    await noteBalances(harness)
    await setBalanceEvents(db, shop.app.clientId, false)
    await unlink(db, other.app.id, other.user.id)
    const types = async (reader: Setup) =>
      (await eventsOf(reader, () => reportAll(harness))).map(([type]) => type)
    assert.deepEqual(await types(shop), [])
    assert.deepEqual(await types(other), [])
    await give(shop)
    assert.deepEqual(await types(shop), [])
    assert.deepEqual(await types(other), [])
  })
})
