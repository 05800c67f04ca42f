/** People with saved cards, and what the service does with them. */
import { setAutomaticTopup } from '@coffer/contract/account/automatic-topup'
import { listCards } from '@coffer/contract/account/cards'
import { createOwnIntent } from '@coffer/contract/account/topup'
import { listWidgetCards } from '@coffer/contract/widget/cards'
import assert from 'node:assert/strict'
import { idOf } from '../../../sandbox/state.ts'
import { link } from '../../identity/link.ts'
import { ask } from '../account-setup.ts'
import { confirmOwn, makePayer, type OwnPayer } from '../own-topup-setup.ts'
import type { Fields, Setup } from '../setup.ts'
import { mintSession } from '../shop.ts'
import { PASSWORD } from '../sign-in.ts'
import { inSession, post, type Intent, type TopupSetup } from '../topup-setup.ts'

/** Starts a top-up at /account, with these fields. */
export async function beginWith(payer: OwnPayer, fields: Fields) {
  const response = await ask(payer, createOwnIntent, { amount: 20, ...fields })
  assert.equal(response.statusCode, 200, response.body)
  return response.json<Omit<Intent, 'session'>>()
}

/** Pays once and saves the card. Returns its id. */
export async function saveCard(
  { sandbox }: Pick<TopupSetup, 'sandbox'>,
  payer: OwnPayer,
  card = 'pm_card_visa',
): Promise<string> {
  const intent = await beginWith(payer, { saveCard: true })
  sandbox.complete(intent.paymentIntentId, card, 'succeeded')
  assert.equal((await confirmOwn(payer, intent)).statusCode, 200)
  return idOf(sandbox.state.paymentIntents.get(intent.paymentIntentId)?.payment_method)
}

/** Saves a card as the processor would, without a payment: one that every charge declines, for example. */
export async function attachCard(
  { harness, tools }: Pick<TopupSetup, 'harness' | 'tools'>,
  payer: { person: { id: bigint } },
  card: string,
): Promise<string> {
  const { stripe } = tools.processor
  const known = await harness.admin.query<{ customer_id: string }>(
    'select customer_id from directory.customers where service_user_id = $1',
    [payer.person.id],
  )
  const customer = known.rows[0]?.customer_id ?? (await stripe.customers.create()).id
  await harness.admin.query(
    'insert into directory.customers (service_user_id, customer_id) values ($1, $2) on conflict do nothing',
    [payer.person.id, customer],
  )
  return (await stripe.paymentMethods.attach(card, { customer })).id
}

export interface ListedCard {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  isDefault: boolean
}

export async function cardsOf(payer: OwnPayer): Promise<ListedCard[]> {
  const response = await ask(payer, listCards, {})
  assert.equal(response.statusCode, 200, response.body)
  return response.json<{ cards: ListedCard[] }>().cards
}

/** A widget session of the person in the client app, which they are linked to. */
export async function mintPersonSession(setup: Setup, { person }: OwnPayer): Promise<string> {
  const serviceUserId = await link(setup.harness.context.db, setup.app.id, person.id)
  return mintSession({ ...setup, user: { ...person, serviceUserId } })
}

/** The person enters the password in the widget, and gets a ticket for one payment. */
export async function proveInWidget(setup: Setup, payer: OwnPayer) {
  const session = await mintPersonSession(setup, payer)
  const fields = { password: PASSWORD }
  const response = await post(setup, inSession(listWidgetCards, session), fields)
  assert.equal(response.statusCode, 200, response.body)
  return { session, ticket: response.json<{ ticket: string }>().ticket }
}

export const TERMS = {
  password: PASSWORD,
  threshold: '10.00',
  amount: '20.00',
  monthMax: '100.00',
  timeZone: 'UTC',
}

/** A person with automatic top-up and an empty wallet. */
export async function makeAutomatic(
  setup: Pick<TopupSetup, 'harness' | 'tools'>,
  terms: Fields = {},
  card = 'pm_card_visa',
) {
  const payer = await makePayer(setup)
  const cardId = await attachCard(setup, payer, card)
  const response = await ask(payer, setAutomaticTopup, { ...TERMS, cardId, ...terms })
  assert.equal(response.statusCode, 200, response.body)
  return { ...payer, cardId }
}

/** As Stripe.js confirms: with the publishable key and the client secret. */
export async function confirmInBrowser(
  { sandbox }: Pick<TopupSetup, 'sandbox'>,
  clientSecret: string,
  fields: Record<string, string> = {},
) {
  const id = clientSecret.split('_secret_')[0]
  const response = await fetch(`${sandbox.url}/v1/payment_intents/${id}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.publishableKey}` },
    body: new URLSearchParams({ client_secret: clientSecret, use_stripe_sdk: 'true', ...fields }),
  })
  return { status: response.status, body: (await response.json()) as { status?: string } }
}
