/** Placing and listing holds. */
import { hold, listHolds } from '@coffer/contract/server/holds'
import { debit, findOperation, readWallet } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeClientApp } from '../test/factories.ts'
import { startOwnHarness } from '../test/harness.ts'
import {
  captureHold,
  holdFields,
  expireHoldsNow,
  placeHold,
  readMoney,
  releaseHold,
} from '../test/ledger/hold-setup.ts'
import * as refusals from '../test/refusals.ts'
import {
  assertReplay,
  call,
  addShop,
  movesNothing,
  type Fields,
  type Setup,
} from '../test/setup.ts'

let setup: Setup
before(async () => {
  // Without the job that books holds whose time is over.
  setup = await addShop(await startOwnHarness({}, undefined, { runsJobs: false }))
})
after(() => setup.harness.end())

const outcomeOf = (response: { statusCode: number; json: () => Fields }) => [
  response.statusCode,
  response.json()['code'],
]

const pick = ({ referenceType, referenceId }: Fields) => ({ referenceType, referenceId })

describe('GET /api/server/holds', () => {
  it('200 lists the holds of the app, newest first, by state and user, in pages', async () => {
    const shop = await addShop(setup.harness)
    const [expired, captured] = [await placeHold(shop, 1), await placeHold(shop, 2)]
    await captureHold(shop, captured, { amount: 1.5 })
    await expireHoldsNow(shop)
    const [released, open] = [await placeHold(shop, 3), await placeHold(shop, 4)]
    await releaseHold(shop, released)
    await captureHold(shop, open, { amount: 1, isFinal: false })
    const list = async (fields: Fields = {}) => (await call(shop, listHolds, fields)).json()
    const { holds, nextCursor } = await list()
    assert.equal(nextCursor, null)
    assert.deepEqual(
      holds.map(({ state, amount, captured: paid, held, referenceId }: Fields) => [
        state,
        amount,
        paid,
        held,
        referenceId,
      ]),
      [
        ['open', 4, 1, 3, open.referenceId],
        ['released', 3, 0, 0, released.referenceId],
        ['captured', 2, 1.5, 0, captured.referenceId],
        ['expired', 1, 0, 0, expired.referenceId],
      ],
    )
    const { serviceUserId } = shop.user
    assert.equal(holds[0].serviceUserId, serviceUserId)
    for (const each of holds) assert.deepEqual((await list({ state: each.state })).holds, [each])
    assert.deepEqual((await list({ serviceUserId })).holds, holds)
    const pages = [await list({ limit: 3 })]
    pages.push(await list({ limit: 3, cursor: pages[0].nextCursor }))
    assert.deepEqual(
      pages.flatMap((page) => page.holds),
      holds,
    )
    assert.equal(pages[1].nextCursor, null)
    const stranger = await makeClientApp(shop.harness.context)
    assert.deepEqual((await call({ ...shop, app: stranger }, listHolds, {})).json().holds, [])
  })

  it('200 shows a hold whose time is over as expired before it is booked, with nothing held', async () => {
    const shop = await addShop(setup.harness)
    await placeHold(shop, 5)
    await expireHoldsNow(shop)
    const stranger = { ...shop, app: await makeClientApp(shop.harness.context) }
    for (const fields of [{}, { state: 'expired' }]) {
      const { holds } = (await call(shop, listHolds, fields)).json()
      const shown = holds.map(({ state, amount, held }: Fields) => [state, amount, held])
      assert.deepEqual(shown, [['expired', 5, 0]])
      assert.deepEqual((await call(stranger, listHolds, fields)).json().holds, [])
    }
    assert.deepEqual((await call(shop, listHolds, { state: 'open' })).json().holds, [])
    assert.deepEqual(await readMoney(shop), [95_00n, 5_00n, 0n])
  })

  it('404 USER_NOT_FOUND for a user who is not linked', async () => {
    const response = await call(setup, listHolds, { serviceUserId: 'su_unknown' })
    assert.deepEqual(outcomeOf(response), [404, 'USER_NOT_FOUND'])
  })

  it('400 INVALID_REQUEST for an unknown state and a cursor of another list', async () => {
    for (const fields of [{ state: 'closed' }, { cursor: '1.txn_1' }]) {
      const response = await call(setup, listHolds, fields)
      assert.deepEqual([response.statusCode, response.json().field], [400, Object.keys(fields)[0]])
    }
  })
})

describe('POST /api/server/wallet/hold', () => {
  it('200 moves money from the balance to the hold, for 7 days or as long as requested', async () => {
    const shop = await addShop(setup.harness)
    for (const [seconds, expected] of [
      [undefined, 604_800],
      [60, 60],
      [2_592_000, 2_592_000],
    ]) {
      const fields = holdFields(shop, 10, { expiresInSeconds: seconds })
      const response = await call(shop, hold, fields)
      assert.equal(response.statusCode, 200)
      const { transactionId: _, expiresAt, balance, ...rest } = response.json()
      assert.deepEqual(rest, { held: 10, message: 'Hold placed.', currency: 'USD' })
      const { createdAt } = (await call(shop, findOperation, pick(fields))).json()
      assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 1000 * (expected ?? 0))
      assertReplay(await call(shop, hold, fields), response)
      const { serviceUserId } = shop.user
      assert.equal((await call(shop, readWallet, { serviceUserId })).json().balance, balance)
    }
    assert.deepEqual(await readMoney(shop), [70_00n, 30_00n, 0n])
  })

  it('400 INSUFFICIENT_BALANCE is recorded, and so is what a debit cannot spend', async () => {
    const shop = await addShop(setup.harness)
    await placeHold(shop, 60)
    const fields = holdFields(shop, 40.01)
    const response = await call(shop, hold, fields)
    assert.deepEqual(outcomeOf(response), [400, 'INSUFFICIENT_BALANCE'])
    assertReplay(await call(shop, hold, fields), response)
    assert.deepEqual(outcomeOf(await call(shop, debit, holdFields(shop, 40.01))), [
      400,
      'INSUFFICIENT_BALANCE',
    ])
    assert.equal((await call(shop, debit, holdFields(shop, 40))).statusCode, 200)
  })

  it('403 WALLET_INACTIVE is recorded; open holds stay capturable', async () => {
    const shop = await addShop(setup.harness)
    const placed = await placeHold(shop, 10)
    await shop.harness.context.ledger.setWalletActive(shop.user.walletId, false)
    const fields = holdFields(shop, 1)
    const response = await call(shop, hold, fields)
    assert.equal(response.json().code, 'WALLET_INACTIVE')
    assertReplay(await call(shop, hold, fields), response)
    assert.equal((await captureHold(shop, placed)).statusCode, 200)
  })

  it('404 USER_NOT_FOUND is not recorded', async () => {
    await movesNothing(setup.harness.admin, async () => {
      const fields = holdFields(setup, 1, { serviceUserId: 'su_unknown' })
      assert.deepEqual(outcomeOf(await call(setup, hold, fields)), [404, 'USER_NOT_FOUND'])
    })
  })

  it('400 INVALID_AMOUNT for 0, and INVALID_REQUEST for a time that is too short or too long', async () => {
    assert.equal((await call(setup, hold, holdFields(setup, 0))).json().code, 'INVALID_AMOUNT')
    for (const expiresInSeconds of [59, 2_592_001, 60.5, '60', null]) {
      const response = await call(setup, hold, holdFields(setup, 1, { expiresInSeconds }))
      assert.deepEqual([response.statusCode, response.json().field], [400, 'expiresInSeconds'])
      assert.match(response.json().error, /must be an integer from 60 to 2592000/)
    }
  })

  it('409 REFERENCE_MISMATCH for the reference of a debit, and the other way round', async () => {
    const shop = await addShop(setup.harness)
    const fields = holdFields(shop, 1)
    await call(shop, hold, fields)
    assert.deepEqual(outcomeOf(await call(shop, debit, fields)), [409, 'REFERENCE_MISMATCH'])
    const paid = holdFields(shop, 1)
    await call(shop, debit, paid)
    assert.deepEqual(outcomeOf(await call(shop, hold, paid)), [409, 'REFERENCE_MISMATCH'])
    assert.deepEqual(await readMoney(shop), [98_00n, 1_00n, 0n])
  })

  it('503 OUTCOME_UNKNOWN when the wallet is locked too long, and a retry returns the outcome', () =>
    refusals.outcomeUnknown(setup, hold, (shop) => holdFields(shop, 1)))
})
