/** A person adds money at /account: no client app is involved, everything else is as in the widget. */
import {
  confirmOwnTopup,
  createOwnIntent as endpoint,
  readTopupWallet,
} from '@coffer/contract/account/topup'
import { listTopups, readTopup, refundTopup } from '@coffer/contract/admin/topups'
import { confirmTopup } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { inTransaction } from '../database/in-transaction.ts'
import { run } from '../database/statement.ts'
import { link } from '../identity/link.ts'
import { lockUser } from '../topup/queries.ts'
import { ask, openPersonSetup } from '../test/account-setup.ts'
import { askAs } from '../test/admin-setup.ts'
import { openAdminTopupSetup, type AdminTopupSetup } from '../test/admin-topup-setup.ts'
import { confirmOwn, makePayer, topUpOwn } from '../test/own-topup-setup.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal } from '../test/setup.ts'
import { mintSession } from '../test/shop.ts'
import {
  assertBooks,
  begin,
  beginOwn,
  inSession,
  post,
  sweepNow,
  walletOf,
} from '../test/topup-setup.ts'
import { deliver, eventOf } from '../test/webhooks.ts'
import { deletePerson } from './queries.ts'

/** The same limits as in the widget; generous where a test does not look at them. */
const ENV = { TOPUP_MAX: '1000', TOPUP_MAX_PER_DAY: '5000', LOG_INS_PER_MINUTE: '10000' }

const RETRIEVE = 'GET /v1/payment_intents/:id'

let setup: AdminTopupSetup
before(async () => {
  setup = await openAdminTopupSetup(ENV)
})
after(async () => {
  // Credits what was paid and never confirmed.
  await sweepNow(setup)
  await assertBooks(setup)
  await setup.close()
})

const newPayer = () => makePayer(setup)

async function appOf({ paymentIntentId }: { paymentIntentId: string }) {
  const { rows } = await setup.harness.admin.query<{ client_app_id: bigint | null }>(
    'select client_app_id from directory.topups where intent_id = $1',
    [paymentIntentId],
  )
  return rows[0]?.client_app_id
}

describe('POST /api/account/topup/create-intent', () => {
  it('200 starts a top-up without a client app, and names the owner', async () => {
    const payer = await newPayer()
    const intent = await beginOwn(payer, 12.5)
    assert.equal(await appOf(intent), null)
    assert.equal(intent.amount, 12.5)
    assert.deepEqual(
      { ...intent.user },
      {
        firstName: 'Ada',
        lastName: 'Example',
        maskedEmail: `${payer.person.email[0]}…@example.com`,
      },
    )
    assert.deepEqual(await walletOf(payer), { balance: 0n, debt: 0n, isActive: true })
  })

  it('429 TOPUP_LIMIT_EXCEEDED above the limit per day, together with top-ups in the widget', async () => {
    const payer = await newPayer()
    const serviceUserId = await link(setup.harness.context.db, setup.app.id, payer.person.id)
    const shop = { ...setup, user: { ...payer.person, serviceUserId } }
    for (let index = 0; index < 4; index++) {
      const intent = await begin(shop, 1000)
      setup.sandbox.complete(intent.paymentIntentId)
    }
    await topUpOwn(setup, payer, 1000)
    const response = await ask(payer, endpoint, { amount: 1 })
    const seconds = Number(response.headers['retry-after'])
    assertRefusal(response, endpoint, 'TOPUP_LIMIT_EXCEEDED', undefined, seconds)
  })

  it('400 INVALID_AMOUNT for the amounts that the widget refuses', async () => {
    await refusals.refusesValues(await newPayer(), endpoint, () => ({ amount: '20.00' }), {
      amount: ['0', '-1', '0.001', '1000.01', '1e3', '', 'x'],
    })
  })

  it('401 LOGIN_REQUIRED without the login, and with a widget session', async () => {
    const { harness } = setup
    assertRefusal(await ask({ harness }, endpoint, { amount: 20 }), endpoint, 'LOGIN_REQUIRED')
    const session = await mintSession(setup)
    const withSession = inSession(endpoint, session)
    const response = await ask({ harness }, withSession, { amount: 20 })
    assertRefusal(response, endpoint, 'LOGIN_REQUIRED')
  })

  it('401 LOGIN_REQUIRED if the account is deleted at the same moment, and starts nothing', async () => {
    const payer = await newPayer()
    const { context, admin } = setup.harness
    const started = await inTransaction(context.db, async (tx) => {
      await run(tx, lockUser(payer.person.id))
      const waiting = ask(payer, endpoint, { amount: 20 })
      // The request has found the login and waits for the lock.
      for (let waits = 0; waits === 0;) {
        const { rows } = await admin.query<{ waits: number }>(
          `select count(*)::int as waits from pg_stat_activity
           where wait_event_type = 'Lock' and query like '%service_users%' and datname = current_database()`,
        )
        waits = rows[0]?.waits ?? 0
      }
      await run(tx, deletePerson(payer.person.id))
      return { waiting }
    })
    assertRefusal(await started.waiting, endpoint, 'LOGIN_REQUIRED')
    const { rowCount } = await admin.query(
      'select from directory.topups where service_user_id = $1',
      [payer.person.id],
    )
    assert.equal(rowCount, 0)
  })

  it('403 ORIGIN_NOT_ALLOWED for other pages, with the cookie of the person', async () => {
    const payer = await newPayer()
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'sec-fetch-site': site }
      const response = await ask(payer, endpoint, { amount: 20 }, headers)
      assertRefusal(response, endpoint, 'ORIGIN_NOT_ALLOWED')
    }
  })

  it('403 WALLET_INACTIVE for a frozen wallet', async () => {
    const payer = await newPayer()
    await setup.harness.context.ledger.setWalletActive(payer.person.walletId, false)
    assertRefusal(await ask(payer, endpoint, { amount: 20 }), endpoint, 'WALLET_INACTIVE')
  })

  it('502 PAYMENT_PROVIDER_ERROR if no card processor is configured', async () => {
    const bare = await openPersonSetup()
    try {
      const response = await ask(bare, endpoint, { amount: 20 })
      assertRefusal(response, endpoint, 'PAYMENT_PROVIDER_ERROR')
    } finally {
      await bare.harness.end()
    }
  })
})

describe('POST /api/account/topup/confirm', () => {
  it('200 credits a paid top-up once, however often it is called, and the webhook too', async () => {
    const payer = await newPayer()
    const intent = await beginOwn(payer, 25)
    setup.sandbox.complete(intent.paymentIntentId)
    const event = eventOf(setup, 'payment_intent.succeeded', intent.paymentIntentId)
    const responses = await Promise.all([
      ...Array.from({ length: 5 }, () => confirmOwn(payer, intent)),
      deliver(setup, event),
      deliver(setup, event),
    ])
    for (const { statusCode, body } of responses) assert.equal(statusCode, 200, body)
    assert.equal((await walletOf(payer)).balance, 25_00n)
    const again = (await confirmOwn(payer, intent)).json<{ status: string; balance: number }>()
    assert.deepEqual([again.status, again.balance], ['succeeded', 25])
  })

  it('402 PAYMENT_FAILED after a declined card, and 200 after another card', async () => {
    const payer = await newPayer()
    const intent = await beginOwn(payer, 10)
    assertRefusal(await confirmOwn(payer, intent), confirmOwnTopup, 'PAYMENT_FAILED')
    setup.sandbox.complete(intent.paymentIntentId)
    assert.equal((await confirmOwn(payer, intent)).statusCode, 200)
    assert.equal((await walletOf(payer)).balance, 10_00n)
  })

  it('502 PAYMENT_PROVIDER_ERROR when the processor does not respond; credits the payment once it does', async () => {
    const payer = await newPayer()
    const intent = await beginOwn(payer, 10)
    setup.sandbox.complete(intent.paymentIntentId)
    setup.sandbox.faults.status500 = { times: 2, route: RETRIEVE, reset: true }
    assertRefusal(await confirmOwn(payer, intent), confirmOwnTopup, 'PAYMENT_PROVIDER_ERROR')
    setup.sandbox.resetFaults()
    assert.equal((await confirmOwn(payer, intent)).statusCode, 200)
    assert.equal((await walletOf(payer)).balance, 10_00n)
  })

  it('503 OUTCOME_UNKNOWN while the wallet is locked, and one credit afterwards', async () => {
    const payer = await newPayer()
    const { paymentIntentId } = await beginOwn(payer, 10)
    setup.sandbox.complete(paymentIntentId)
    await refusals.outcomeUnknown(payer, confirmOwnTopup, () => ({
      paymentIntentId,
      referenceId: paymentIntentId,
    }))
    assert.equal((await walletOf(payer)).balance, 10_00n)
  })

  it('404 PAYMENT_INTENT_NOT_FOUND across the widget and /account, also for the same person', async () => {
    const payer = await newPayer()
    const { context } = setup.harness
    const serviceUserId = await link(context.db, setup.app.id, payer.person.id)
    const shop = { ...setup, user: { ...payer.person, serviceUserId } }
    const inWidget = await begin(shop, 10)
    const here = await beginOwn(payer, 10)
    const notFound = 'PAYMENT_INTENT_NOT_FOUND'
    assertRefusal(await confirmOwn(payer, inWidget), confirmOwnTopup, notFound)
    const session = await mintSession(shop)
    const { paymentIntentId } = here
    const response = await post(shop, inSession(confirmTopup, session), { paymentIntentId })
    assertRefusal(response, confirmTopup, notFound)
  })
})

describe('GET /api/account/topup/wallet', () => {
  it('200 returns the balance and the owner, and nothing about apps or the history', async () => {
    const payer = await newPayer()
    await topUpOwn(setup, payer, 20)
    const body = (await ask(payer, readTopupWallet)).json<Record<string, unknown>>()
    assert.deepEqual(Object.keys(body).toSorted(), ['balance', 'currency', 'isActive', 'user'])
    assert.deepEqual([body['balance'], body['isActive']], [20, true])
  })
})

describe('a top-up that was started at /account', () => {
  it('is listed for operators without a client app, and can be refunded', async () => {
    const payer = await makePayer(setup)
    const { id, paymentIntentId } = await topUpOwn(setup, payer, 20)
    const asViewer = (endpointOf: typeof listTopups | typeof readTopup, fields: object) =>
      askAs(setup, setup.viewer, endpointOf, { ...fields })
    for (const search of [paymentIntentId, payer.person.email, id]) {
      const { topups } = (await asViewer(listTopups, { search })).json<{
        topups: { id: string; clientApp: unknown }[]
      }>()
      assert.deepEqual(
        topups.map((each) => [each.id, each.clientApp]),
        [[id, null]],
      )
    }
    const ofApp = { clientId: setup.app.clientId, search: id }
    assert.deepEqual((await asViewer(listTopups, ofApp)).json<{ topups: [] }>().topups, [])
    const fields = { refundId: randomUUID(), topupId: id, amount: 5, reason: 'Paid twice' }
    const refunded = await askAs(setup, setup.operator, refundTopup, fields)
    assert.deepEqual(refunded.json(), { state: 'sent' })
    const read = (await asViewer(readTopup, { id })).json<{ clientApp: null; refunded: number }>()
    assert.deepEqual([read.clientApp, read.refunded], [null, 5])
    assert.equal((await walletOf(payer)).balance, 15_00n)
  })
})
