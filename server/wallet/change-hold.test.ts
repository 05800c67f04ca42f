/** What captures and releases do with a hold. */
import { capture, hold, release } from '@coffer/contract/server/holds'
import { debit, findOperation } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeClientApp } from '../test/factories.ts'
import {
  captureHold,
  holdFields,
  expireHoldsNow,
  placeHold,
  readMoney,
  releaseHold,
} from '../test/ledger/hold-setup.ts'
import { pairOf, refund } from '../test/ledger/refund-setup.ts'
import * as refusals from '../test/refusals.ts'
import {
  assertRefusal,
  assertReplay,
  call,
  addShop,
  movesNothing,
  openSetup,
  type Fields,
  type Setup,
} from '../test/setup.ts'

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

const outcomeOf = (response: { statusCode: number; json: () => Fields }) => [
  response.statusCode,
  response.json()['code'],
]

const pick = ({ referenceType, referenceId }: Fields) => ({ referenceType, referenceId })

describe('POST /api/server/wallet/capture', () => {
  it('200 takes a part and releases the rest, or keeps it for further captures', async () => {
    const shop = await addShop(setup.harness)
    const placed = await placeHold(shop, 20)
    const first = await captureHold(shop, placed, { amount: 5, isFinal: false })
    const { transactionId: _, ...body } = first.json()
    assert.deepEqual(body, {
      balance: 80,
      captured: 5,
      released: 0,
      held: 15,
      message: 'Capture completed.',
      currency: 'USD',
    })
    const pair = pairOf('CAPTURE')
    const last = await captureHold(shop, placed, { ...pair, amount: '4.00' })
    const { balance, captured, released, held } = last.json()
    assert.deepEqual([balance, captured, released, held], [91, 4, 11, 0])
    assertReplay(await captureHold(shop, placed, { ...pair, amount: 4 }), last)
    assert.deepEqual(await readMoney(shop), [91_00n, 0n, 0n])
  })

  it('can be refunded like a debit', async () => {
    const shop = await addShop(setup.harness)
    const placed = await placeHold(shop, 20)
    const pair = pairOf('CAPTURE')
    await captureHold(shop, placed, { ...pair, amount: 5 })
    const first = (await refund(shop, pair, { amount: 2 })).json()
    assert.deepEqual([first.balance, first.refundable], [97, 3])
    assert.deepEqual(outcomeOf(await refund(shop, pair, { amount: 4 })), [
      409,
      'REFUND_EXCEEDS_DEBIT',
    ])
    assert.equal((await call(shop, findOperation, { ...pair })).json().refunded, 2)
    assert.deepEqual(outcomeOf(await refund(shop, placed)), [404, 'OPERATION_NOT_FOUND'])
  })

  it('409 CAPTURE_EXCEEDS_HOLD is recorded, also after the hold is closed', async () => {
    const shop = await addShop(setup.harness)
    const placed = await placeHold(shop, 10)
    const pair = pairOf('CAPTURE')
    const response = await captureHold(shop, placed, { ...pair, amount: 10.01 })
    assert.deepEqual(outcomeOf(response), [409, 'CAPTURE_EXCEEDS_HOLD'])
    await releaseHold(shop, placed)
    assertReplay(await captureHold(shop, placed, { ...pair, amount: 10.01 }), response)
  })

  it('409 HOLD_CLOSED is recorded: after the final capture, a release, and for a refused hold', async () => {
    const shop = await addShop(setup.harness)
    const [captured, released] = [await placeHold(shop, 10), await placeHold(shop, 10)]
    await captureHold(shop, captured, { amount: 1 })
    await releaseHold(shop, released)
    const refused = pairOf('HOLD')
    await call(shop, hold, holdFields(shop, 1000, refused))
    const money = await readMoney(shop)
    for (const placed of [captured, released, refused]) {
      for (const fields of [{}, { amount: 1 }]) {
        const pair = pairOf('CAPTURE')
        const response = await captureHold(shop, placed, { ...pair, ...fields })
        assert.deepEqual(outcomeOf(response), [409, 'HOLD_CLOSED'])
        assertReplay(await captureHold(shop, placed, { ...pair, ...fields }), response)
      }
    }
    assert.deepEqual(await readMoney(shop), money)
  })

  it('409 HOLD_EXPIRED is recorded, and the money is back in the balance', async () => {
    const shop = await addShop(setup.harness)
    const placed = await placeHold(shop, 10)
    await expireHoldsNow(shop)
    const pair = pairOf('CAPTURE')
    const response = await captureHold(shop, placed, pair)
    assert.deepEqual(outcomeOf(response), [409, 'HOLD_EXPIRED'])
    assertReplay(await captureHold(shop, placed, pair), response)
    assert.deepEqual(await readMoney(shop), [100_00n, 0n, 0n])
  })

  it('404 OPERATION_NOT_FOUND is not recorded: unknown, of another app, a debit', async () => {
    const shop = await addShop(setup.harness)
    const stranger = await makeClientApp(shop.harness.context)
    const placed = await placeHold(shop, 10)
    const paid = holdFields(shop, 1)
    await call(shop, debit, paid)
    await movesNothing(shop.harness.admin, async () => {
      for (const [who, target] of [
        [shop, pairOf('HOLD')],
        [{ ...shop, app: stranger }, placed],
        [shop, pick(paid)],
      ] as const) {
        const response = await captureHold(who, target as ReturnType<typeof pairOf>)
        assert.deepEqual(outcomeOf(response), [404, 'OPERATION_NOT_FOUND'])
        assert.match(response.json().error, /nothing was executed/)
      }
    })
  })

  it('400 INVALID_AMOUNT for 0, and INVALID_REQUEST for another isFinal than true or false', async () => {
    const placed = await placeHold(setup, 1)
    const zero = await captureHold(setup, placed, { amount: 0 })
    assert.equal(zero.json().code, 'INVALID_AMOUNT')
    const wrong = await captureHold(setup, placed, { isFinal: 'no' })
    assert.deepEqual([wrong.statusCode, wrong.json().field], [400, 'isFinal'])
    const bare = await call(setup, capture, { hold: 'order-1', ...pairOf('CAPTURE') })
    assert.deepEqual([bare.statusCode, bare.json().field], [400, 'hold'])
  })

  it('409 REFERENCE_MISMATCH for the reference of a release', async () => {
    const shop = await addShop(setup.harness)
    const placed = await placeHold(shop, 10)
    const pair = pairOf('RELEASE')
    await releaseHold(shop, placed, pair)
    assert.deepEqual(outcomeOf(await captureHold(shop, placed, pair)), [409, 'REFERENCE_MISMATCH'])
    assert.deepEqual(outcomeOf(await captureHold(shop, placed, placed)), [
      409,
      'REFERENCE_MISMATCH',
    ])
  })

  it('503 OUTCOME_UNKNOWN when the wallet is locked too long, and a retry returns the outcome', async () => {
    const placed = await placeHold(setup, 2)
    await refusals.outcomeUnknown(setup, capture, () => ({ hold: placed, ...pairOf('CAPTURE') }))
  })
})

describe('POST /api/server/wallet/release', () => {
  it('200 returns what is left of the hold', async () => {
    const shop = await addShop(setup.harness)
    const placed = await placeHold(shop, 20)
    await captureHold(shop, placed, { amount: 5, isFinal: false })
    const pair = pairOf('RELEASE')
    const response = await releaseHold(shop, placed, pair)
    const { transactionId: _, ...body } = response.json()
    assert.deepEqual(body, {
      balance: 95,
      released: 15,
      held: 0,
      message: 'Hold released.',
      currency: 'USD',
    })
    assertReplay(await releaseHold(shop, placed, pair), response)
  })

  it('409 HOLD_CLOSED is recorded after a release or the final capture', async () => {
    const shop = await addShop(setup.harness)
    const [captured, released] = [await placeHold(shop, 10), await placeHold(shop, 10)]
    await captureHold(shop, captured)
    await releaseHold(shop, released)
    for (const placed of [captured, released]) {
      const pair = pairOf('RELEASE')
      const response = await releaseHold(shop, placed, pair)
      assertRefusal(response, release, 'HOLD_CLOSED')
      assert.match(response.body, /There is nothing to release: the hold was captured completely/)
      assertReplay(await releaseHold(shop, placed, pair), response)
    }
    assert.deepEqual(await readMoney(shop), [90_00n, 0n, 0n])
  })

  it('409 HOLD_EXPIRED is recorded', async () => {
    const shop = await addShop(setup.harness)
    const placed = await placeHold(shop, 10)
    await expireHoldsNow(shop)
    const response = await releaseHold(shop, placed)
    assertRefusal(response, release, 'HOLD_EXPIRED')
    assert.match(response.body, /already back in the wallet\. There is nothing to release/)
  })

  it('404 OPERATION_NOT_FOUND for an unknown hold', async () => {
    const response = await releaseHold(setup, pairOf('HOLD'))
    assert.deepEqual(outcomeOf(response), [404, 'OPERATION_NOT_FOUND'])
  })

  it('409 REFERENCE_MISMATCH for the reference of a capture', async () => {
    const shop = await addShop(setup.harness)
    const placed = await placeHold(shop, 10)
    const pair = pairOf('CAPTURE')
    await captureHold(shop, placed, pair)
    assert.deepEqual(outcomeOf(await releaseHold(shop, placed, pair)), [409, 'REFERENCE_MISMATCH'])
  })

  it('503 OUTCOME_UNKNOWN when the wallet is locked too long, and a retry returns the outcome', async () => {
    const placed = await placeHold(setup, 2)
    await refusals.outcomeUnknown(setup, release, () => ({ hold: placed, ...pairOf('RELEASE') }))
  })
})
