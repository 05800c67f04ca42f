/** A saved card in the widget: the client app creates the session, and only the person's password lets it pay. */
import { changePassword } from '@coffer/contract/account/account'
import { logIn } from '@coffer/contract/widget/widget'
import { createCardIntent, listWidgetCards } from '@coffer/contract/widget/cards'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ask } from '../../test/account-setup.ts'
import { makeClientApp } from '../../test/factories.ts'
import { makePayer, topUpOwn, type OwnPayer } from '../../test/own-topup-setup.ts'
import { assertRefusal, type Fields } from '../../test/setup.ts'
import { PASSWORD, step } from '../../test/sign-in.ts'
import {
  assertBooks,
  confirm,
  inSession,
  openTopupSetup,
  post,
  walletOf,
  type Intent,
  type TopupSetup,
} from '../../test/topup-setup.ts'
import {
  confirmInBrowser,
  mintPersonSession,
  proveInWidget,
  saveCard,
} from '../../test/topup/card-setup.ts'

const NEW_PASSWORD = 'another harbour at dusk'

let setup: TopupSetup
before(async () => {
  setup = await openTopupSetup({
    LOG_INS_PER_MINUTE: '10000',
    PASSWORD_HASHES_PER_SECOND: '1000',
    TOPUP_MAX_PER_DAY: '5000',
  })
})
after(async () => {
  await assertBooks(setup)
  await setup.close()
})

async function makeCardHolder() {
  const payer = await makePayer(setup)
  return { payer, cardId: await saveCard(setup, payer) }
}

const begin = ({ session, ...fields }: Fields & { session: string }) =>
  post(setup, inSession(createCardIntent, session), { amount: 20, ...fields })

async function countTopups({ person }: OwnPayer): Promise<number> {
  const { rows } = await setup.harness.admin.query<{ count: bigint }>(
    'select count(*) from directory.topups where service_user_id = $1',
    [person.id],
  )
  return Number(rows[0]?.count)
}

describe('POST /api/widget/topup/cards', () => {
  const list = (session: string, password: string) =>
    post(setup, inSession(listWidgetCards, session), { password })

  it('200 lists the saved cards of the owner of the session', async () => {
    const { payer, cardId } = await makeCardHolder()
    const response = await list(await mintPersonSession(setup, payer), PASSWORD)
    const { cards, ticket } = response.json<{ cards: Fields[]; ticket: string }>()
    assert.deepEqual(
      cards.map(({ expMonth: _month, expYear: _year, ...card }) => card),
      [{ id: cardId, brand: 'visa', last4: '4242', isDefault: false }],
    )
    assert(ticket.length >= 32)
  })

  it('401 LOGIN_FAILED with a wrong password, also with that of somebody else', async () => {
    const { payer } = await makeCardHolder()
    const session = await mintPersonSession(setup, payer)
    const other = await makePayer(setup)
    const fields = { password: PASSWORD, newPassword: NEW_PASSWORD }
    assert.equal((await ask(other, changePassword, fields)).statusCode, 200)
    for (const password of ['not the password', NEW_PASSWORD]) {
      assertRefusal(await list(session, password), listWidgetCards, 'LOGIN_FAILED')
    }
  })

  it('429 RATE_LIMITED after many wrong passwords, also with the right one', async () => {
    const { payer } = await makeCardHolder()
    const session = await mintPersonSession(setup, payer)
    let response = await list(session, 'not the password')
    for (let attempt = 0; attempt < 30 && response.statusCode === 401; attempt++) {
      response = await list(session, 'not the password')
    }
    assertRefusal(response, listWidgetCards, 'RATE_LIMITED')
    const another = await mintPersonSession(setup, payer)
    assertRefusal(await list(another, PASSWORD), listWidgetCards, 'RATE_LIMITED')
  })

  it('502 PAYMENT_PROVIDER_ERROR if the processor does not respond as expected', async () => {
    const { payer } = await makeCardHolder()
    const session = await mintPersonSession(setup, payer)
    setup.sandbox.faults.status500 = { times: 2, route: 'GET /v1/payment_methods' }
    assertRefusal(await list(session, PASSWORD), listWidgetCards, 'PAYMENT_PROVIDER_ERROR')
  })
})

describe('POST /api/widget/topup/cards/create-intent', () => {
  it('200 pays with the card, and the wallet is credited once', async () => {
    const { payer, cardId } = await makeCardHolder()
    const { balance } = await walletOf(payer)
    const proof = await proveInWidget(setup, payer)
    const response = await begin({ ...proof, cardId })
    assert.equal(response.statusCode, 200, response.body)
    const intent = response.json<Intent>()
    const stored = setup.sandbox.state.paymentIntents.get(intent.paymentIntentId)
    assert.equal(stored?.payment_method, cardId)
    const confirmed = await confirmInBrowser(setup, intent.clientSecret)
    assert.equal(confirmed.body.status, 'succeeded')
    for (let times = 0; times < 2; times++) {
      const repeat = await confirm(setup, { ...intent, session: proof.session })
      assert.equal(repeat.json<Fields>()['status'], 'succeeded', repeat.body)
    }
    assert.equal((await walletOf(payer)).balance, balance + 20_00n)
  })

  it('401 LOGIN_REQUIRED if the ticket has paid already, also at the same moment', async () => {
    const { payer, cardId } = await makeCardHolder()
    const known = await countTopups(payer)
    const proof = await proveInWidget(setup, payer)
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => begin({ ...proof, cardId })),
    )
    const statuses = responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [200, 401, 401, 401])
    assert.equal(await countTopups(payer), known + 1)
  })

  it('401 LOGIN_REQUIRED with the ticket of another person or for another app', async () => {
    const { payer, cardId } = await makeCardHolder()
    const other = await makeCardHolder()
    const { ticket } = await proveInWidget(setup, payer)
    const theirs = await mintPersonSession(setup, other.payer)
    const first = await begin({ session: theirs, ticket, cardId })
    assertRefusal(first, createCardIntent, 'LOGIN_REQUIRED')
    const again = await proveInWidget(setup, payer)
    const app = await makeClientApp(setup.harness.context)
    const elsewhere = await mintPersonSession({ ...setup, app }, payer)
    const second = await begin({ session: elsewhere, ticket: again.ticket, cardId })
    assertRefusal(second, createCardIntent, 'LOGIN_REQUIRED')
  })

  it('401 LOGIN_REQUIRED with a ticket for something else', async () => {
    const { payer, cardId } = await makeCardHolder()
    const { email } = payer.person
    const app = await makeClientApp(setup.harness.context)
    const fields = { clientId: app.clientId, email, password: PASSWORD }
    const { ticket } = await step(setup, logIn, fields)
    const session = await mintPersonSession(setup, payer)
    assertRefusal(await begin({ session, ticket, cardId }), createCardIntent, 'LOGIN_REQUIRED')
  })

  it('401 SESSION_EXPIRED after the password was changed, and the ticket is gone', async () => {
    const { payer, cardId } = await makeCardHolder()
    const proof = await proveInWidget(setup, payer)
    const fields = { password: PASSWORD, newPassword: NEW_PASSWORD }
    assert.equal((await ask(payer, changePassword, fields)).statusCode, 200)
    assertRefusal(await begin({ ...proof, cardId }), createCardIntent, 'SESSION_EXPIRED')
    const session = await mintPersonSession(setup, payer)
    const { ticket } = proof
    assertRefusal(await begin({ session, ticket, cardId }), createCardIntent, 'LOGIN_REQUIRED')
  })

  it('400 INVALID_AMOUNT for an amount outside of the bounds', async () => {
    const { payer, cardId } = await makeCardHolder()
    for (const amount of ['0.99', '1000.01', 'ten']) {
      const proof = await proveInWidget(setup, payer)
      const response = await begin({ ...proof, cardId, amount })
      assertRefusal(response, createCardIntent, 'INVALID_AMOUNT')
    }
  })

  it('403 WALLET_INACTIVE while the wallet is frozen', async () => {
    const { payer, cardId } = await makeCardHolder()
    const proof = await proveInWidget(setup, payer)
    await setup.harness.context.ledger.setWalletActive(payer.user.walletId, false)
    assertRefusal(await begin({ ...proof, cardId }), createCardIntent, 'WALLET_INACTIVE')
  })

  it('429 TOPUP_LIMIT_EXCEEDED above the limit per day', async () => {
    const { payer, cardId } = await makeCardHolder()
    for (let times = 0; times < 4; times++) await topUpOwn(setup, payer, 1000)
    await topUpOwn(setup, payer, 980)
    const proof = await proveInWidget(setup, payer)
    const response = await begin({ ...proof, cardId, amount: 1 })
    const seconds = Number(response.headers['retry-after'])
    assertRefusal(response, createCardIntent, 'TOPUP_LIMIT_EXCEEDED', undefined, seconds)
  })

  it('404 CARD_NOT_FOUND with the card of another person', async () => {
    const { payer } = await makeCardHolder()
    const other = await makeCardHolder()
    const proof = await proveInWidget(setup, payer)
    const response = await begin({ ...proof, cardId: other.cardId })
    assertRefusal(response, createCardIntent, 'CARD_NOT_FOUND')
  })

  it('502 PAYMENT_PROVIDER_ERROR if the response of the processor is lost; the ticket is used up', async () => {
    const { payer, cardId } = await makeCardHolder()
    const known = await countTopups(payer)
    const proof = await proveInWidget(setup, payer)
    setup.sandbox.faults.status500 = { times: 2, route: 'POST /v1/payment_intents' }
    const lost = await begin({ ...proof, cardId })
    assertRefusal(lost, createCardIntent, 'PAYMENT_PROVIDER_ERROR')
    assertRefusal(await begin({ ...proof, cardId }), createCardIntent, 'LOGIN_REQUIRED')
    assert.equal(await countTopups(payer), known + 1)
  })
})
