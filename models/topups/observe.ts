/** Which of the service's and the processor's objects are those of the model. */
import assert from 'node:assert/strict'
import type { StripeEvent } from '../../server/processor/stripe.ts'
import type { Model } from './model.ts'
import type { Service, TestPayer } from './service.ts'
import { isOneOf, type Topup } from './state.ts'

/** The events that the service must handle; it accepts and ignores others. */
const KNOWN = [
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'charge.updated',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
] as const

interface TopupRow {
  id: string
  service_user_id: string
  amount: string
}

export class Observer {
  readonly #service: Service
  readonly #model: Model
  readonly #payers: readonly TestPayer[]
  readonly #rowIds = new Map<Topup, string>()
  readonly #intentIds = new Map<Topup, string>()
  #seenEvents = 0

  constructor(service: Service, model: Model, payers: readonly TestPayer[]) {
    this.#service = service
    this.#model = model
    this.#payers = payers
  }

  rowId = (topup: Topup): string => this.#rowIds.get(topup) ?? assert.fail('no row')
  intentId = (topup: Topup): string => this.#intentIds.get(topup) ?? assert.fail('no intent')
  hasIntent = (topup: Topup): boolean => this.#intentIds.has(topup)

  intentOf(topup: Topup) {
    const intent = this.#service.sandbox.state.paymentIntents.get(this.intentId(topup))
    return intent ?? assert.fail('the processor lost a payment')
  }

  eventOf(id: string): StripeEvent {
    return this.#service.sandbox.state.events.get(id) ?? assert.fail('no event')
  }

  /** After each command: new top-ups, payments and events, and the state of each payment. */
  async observe() {
    await this.#findRows()
    this.#findIntents()
    for (const topup of this.#model.topups) {
      const status = this.hasIntent(topup) ? this.intentOf(topup).status : undefined
      assert.equal(
        status,
        topup.intent?.status,
        `payment of top-up ${topup.index} at the processor`,
      )
    }
    this.#findEvents()
  }

  async #findRows() {
    const { rows } = await this.#service.harness.admin.query<TopupRow>(
      `select id, service_user_id, amount from directory.topups
        where service_user_id = any($1) and not id = any($2::uuid[]) order by created_at`,
      [this.#payers.map(({ id }) => id), [...this.#rowIds.values()]],
    )
    for (const { id, service_user_id: owner, amount } of rows) {
      const person = this.#payers.findIndex((payer) => String(payer.id) === owner)
      const topup = this.#model.topups.find(
        (each) => each.person.index === person && !this.#rowIds.has(each),
      )
      assert(topup, `a top-up of ${amount} that nobody started`)
      assert.equal(Number(amount), topup.amount, 'amount of the stored top-up')
      this.#rowIds.set(topup, id)
    }
    assert.equal(this.#rowIds.size, this.#model.topups.length, 'number of top-ups')
  }

  #findIntents() {
    const topups = new Map([...this.#rowIds].map(([topup, id]) => [id, topup]))
    const { paymentIntents } = this.#service.sandbox.state
    for (const { id, metadata, amount } of paymentIntents.values()) {
      const topup = topups.get(metadata['topupId'] ?? '')
      assert(topup, 'a payment of no top-up')
      assert.equal(amount, topup.amount, 'amount at the processor')
      assert.equal(this.#intentIds.get(topup) ?? id, id, 'one payment per top-up')
      this.#intentIds.set(topup, id)
    }
  }

  #findEvents() {
    const { events } = this.#service.sandbox.state
    for (const { id, type, data } of [...events.values()].slice(this.#seenEvents)) {
      const { id: objectId, payment_intent: about } = data.object as {
        id: string
        payment_intent?: string | null
      }
      const topup = this.#model.topups.find(
        (each) => this.hasIntent(each) && [objectId, about].includes(this.intentId(each)),
      )
      if (topup)
        this.#model.events.push({ id, type, topup, isKnown: isOneOf(KNOWN, type), isDone: false })
    }
    this.#seenEvents = events.size
  }
}
