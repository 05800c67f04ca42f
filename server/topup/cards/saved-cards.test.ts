import * as endpoints from '@coffer/contract/account/cards'
import { createOwnIntent } from '@coffer/contract/account/topup'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ask } from '../../test/account-setup.ts'
import { confirmOwn, makePayer, topUpOwn } from '../../test/own-topup-setup.ts'
import { assertRefusal } from '../../test/setup.ts'
import { assertBooks, openTopupSetup, walletOf, type TopupSetup } from '../../test/topup-setup.ts'
import { beginWith, cardsOf, confirmInBrowser, saveCard } from '../../test/topup/card-setup.ts'

let setup: TopupSetup
before(async () => {
  setup = await openTopupSetup({ LOG_INS_PER_MINUTE: '10000', PASSWORD_HASHES_PER_SECOND: '1000' })
})
after(async () => {
  await assertBooks(setup)
  await setup.close()
})

const newPayer = () => makePayer(setup)

describe('GET /api/account/topup/cards', () => {
  it('200 lists a card that was saved with a payment, and no other', async () => {
    const payer = await newPayer()
    assert.deepEqual(await cardsOf(payer), [])
    await topUpOwn(setup, payer)
    assert.deepEqual(await cardsOf(payer), [])
    const id = await saveCard(setup, payer, 'pm_card_mastercard')
    const { expMonth, expYear, ...card } = (await cardsOf(payer))[0] ?? assert.fail()
    assert.deepEqual(card, { id, brand: 'mastercard', last4: '4444', isDefault: false })
    assert(expMonth >= 1 && expYear > 2000)
    assert.equal((await walletOf(payer)).balance, 40_00n)
  })

  it('200 lists a card once that was saved twice, and removes both', async () => {
    const payer = await newPayer()
    const first = await saveCard(setup, payer)
    const second = await saveCard(setup, payer)
    assert.deepEqual(
      (await cardsOf(payer)).map(({ id }) => id),
      [second],
    )
    await ask(payer, endpoints.removeCard, { id: first })
    assert.deepEqual(await cardsOf(payer), [])
  })

  it('502 PAYMENT_PROVIDER_ERROR if the processor does not respond as expected', async () => {
    const payer = await newPayer()
    await saveCard(setup, payer)
    setup.sandbox.faults.status500 = { times: 2, route: 'GET /v1/payment_methods' }
    const response = await ask(payer, endpoints.listCards, {})
    assertRefusal(response, endpoints.listCards, 'PAYMENT_PROVIDER_ERROR')
  })
})

describe('POST /api/account/topup/cards/default', () => {
  const endpoint = endpoints.setDefaultCard

  it('200 keeps a card as the default that is saved once more', async () => {
    const payer = await newPayer()
    const first = await saveCard(setup, payer)
    assert.equal((await ask(payer, endpoint, { id: first })).statusCode, 200)
    const again = await saveCard(setup, payer)
    const [card] = await cardsOf(payer)
    assert.deepEqual([card?.id, card?.isDefault], [again, true])
    assert.equal((await ask(payer, endpoint, { id: again })).statusCode, 200)
    assert.equal((await cardsOf(payer))[0]?.isDefault, true)
  })

  it('200 lists this card first', async () => {
    const payer = await newPayer()
    const older = await saveCard(setup, payer)
    const newer = await saveCard(setup, payer, 'pm_card_mastercard')
    const order = async () => (await cardsOf(payer)).map(({ id, isDefault }) => [id, isDefault])
    assert.deepEqual(await order(), [
      [newer, false],
      [older, false],
    ])
    assert.equal((await ask(payer, endpoint, { id: older })).statusCode, 200)
    assert.deepEqual(await order(), [
      [older, true],
      [newer, false],
    ])
  })

  it('502 PAYMENT_PROVIDER_ERROR if the processor does not respond as expected', async () => {
    const payer = await newPayer()
    const id = await saveCard(setup, payer)
    setup.sandbox.faults.status500 = { times: 2, route: 'POST /v1/customers/:id' }
    assertRefusal(await ask(payer, endpoint, { id }), endpoint, 'PAYMENT_PROVIDER_ERROR')
  })

  it('404 CARD_NOT_FOUND for a card of somebody else', async () => {
    const victim = await newPayer()
    const id = await saveCard(setup, victim)
    for (const card of [id, 'pm_unknown']) {
      assertRefusal(await ask(await newPayer(), endpoint, { id: card }), endpoint, 'CARD_NOT_FOUND')
    }
  })
})

describe('POST /api/account/topup/cards/remove', () => {
  it('502 PAYMENT_PROVIDER_ERROR if the processor does not remove it; it is still listed', async () => {
    const payer = await newPayer()
    const id = await saveCard(setup, payer)
    setup.sandbox.faults.status500 = { times: 2, route: 'POST /v1/payment_methods/:id/detach' }
    const response = await ask(payer, endpoints.removeCard, { id })
    assertRefusal(response, endpoints.removeCard, 'PAYMENT_PROVIDER_ERROR')
    assert.equal((await cardsOf(payer)).length, 1)
  })

  it("200 removes only one's own card, and has no effect twice", async () => {
    const [payer, other] = [await newPayer(), await newPayer()]
    const id = await saveCard(setup, payer)
    assert.equal((await ask(other, endpoints.removeCard, { id })).statusCode, 200)
    assert.equal((await cardsOf(payer)).length, 1)
    for (let count = 0; count < 2; count++) {
      assert.equal((await ask(payer, endpoints.removeCard, { id })).statusCode, 200)
    }
    assert.deepEqual(await cardsOf(payer), [])
  })
})

describe('POST /api/account/topup/create-intent', () => {
  const endpoint = createOwnIntent

  it('200 with a saved card is paid without a card form, and credited once', async () => {
    const payer = await newPayer()
    const cardId = await saveCard(setup, payer)
    const intent = await beginWith(payer, { cardId, amount: '7.50' })
    assert.equal(intent.status, 'requires_confirmation')
    const { body } = await confirmInBrowser(setup, intent.clientSecret)
    assert.equal(body.status, 'succeeded')
    await Promise.all([confirmOwn(payer, intent), confirmOwn(payer, intent)])
    assert.equal((await walletOf(payer)).balance, 27_50n)
  })

  it('404 CARD_NOT_FOUND for a removed card and for one of somebody else; nothing is started', async () => {
    const [payer, victim] = [await newPayer(), await newPayer()]
    const removed = await saveCard(setup, payer)
    await ask(payer, endpoints.removeCard, { id: removed })
    for (const cardId of [removed, await saveCard(setup, victim), 'pm_unknown']) {
      const response = await ask(payer, endpoint, { amount: 20, cardId })
      assertRefusal(response, endpoint, 'CARD_NOT_FOUND')
    }
    const { rowCount } = await setup.harness.admin.query(
      'select from directory.topups where service_user_id = $1',
      [payer.person.id],
    )
    assert.equal(rowCount, 1)
  })

  it('404 CARD_NOT_FOUND if the card is removed at the same moment; the top-up ends', async () => {
    const payer = await newPayer()
    const cardId = await saveCard(setup, payer)
    // The card is listed, but refused when the intent is created.
    setup.sandbox.state.detached.add(cardId)
    const response = await ask(payer, endpoint, { amount: 20, cardId })
    assertRefusal(response, endpoint, 'CARD_NOT_FOUND')
    const { rows } = await setup.harness.admin.query<{ status: string }>(
      'select status from directory.topups where service_user_id = $1 and card_id = $2',
      [payer.person.id, cardId],
    )
    assert.deepEqual(rows, [{ status: 'ended' }])
  })

  it('400 INVALID_REQUEST if a saved card is to be saved', async () => {
    const payer = await newPayer()
    const cardId = await saveCard(setup, payer)
    const response = await ask(payer, endpoint, { amount: 20, cardId, saveCard: true })
    assertRefusal(response, endpoint, 'INVALID_REQUEST', 'saveCard')
  })

  it('one customer per person, however many payments start at once', async () => {
    const payer = await newPayer()
    const intents = await Promise.all(
      Array.from({ length: 5 }, () => beginWith(payer, { saveCard: true })),
    )
    const customers = intents.map(
      ({ paymentIntentId }) => setup.sandbox.state.paymentIntents.get(paymentIntentId)?.customer,
    )
    assert.equal(new Set(customers).size, 1)
  })
})
