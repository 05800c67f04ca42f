/** Test doubles of the processor's script and of the network: prepared results in order, then the last one again. */
import type { PaymentIntent, Stripe, StripeError } from '@stripe/stripe-js'
import { mock } from 'node:test'
import type { Payment, StartedPayment } from '../widget/topup/address.ts'

/** What the processor returns; 'rejected' is a promise that rejects. */
export type Outcome =
  { paymentIntent: PaymentIntent } | { error: Partial<StripeError> } | 'rejected' | Promise<never>

export const FROM_ADDRESS: Payment = { clientSecret: 'pi_1_secret_2', publishableKey: 'pk_test_1' }
export const STARTED: StartedPayment = {
  ...FROM_ADDRESS,
  amount: '25.00',
  owner: { firstName: 'Ada', lastName: 'Lovelace', maskedEmail: 'a…@example.com' },
}

export const LOST: Outcome = { error: { type: 'api_connection_error', message: 'Offline.' } }

export function intentIn(status: string, more: Partial<PaymentIntent> = {}): PaymentIntent {
  const fields = { id: 'pi_1', amount: 2500, currency: 'usd', last_payment_error: null }
  return { ...fields, status, ...more } as PaymentIntent
}

export const inStatus = (status: string): Outcome => ({ paymentIntent: intentIn(status) })

export const DECLINED = intentIn('requires_payment_method', {
  last_payment_error: { type: 'card_error', decline_code: 'insufficient_funds' } as never,
})

function take<Item>(list: Item[], what: string): Item {
  const item = list.length > 1 ? list.shift() : list[0]
  if (item === undefined) throw new Error(`No result is prepared for ${what}`)
  return item
}

interface Plan {
  confirm?: Outcome[]
  retrieve?: Outcome[]
  action?: Outcome[]
}

export function scriptStripe({ confirm = [], retrieve = [], action = [] }: Plan) {
  const calls: { name: string; input: unknown }[] = []
  async function respond(name: string, input: unknown, outcomes: Outcome[]) {
    calls.push({ name, input })
    const outcome = await take(outcomes, name)
    if (outcome === 'rejected') throw new Error('The script failed')
    return outcome
  }
  const stripe = {
    confirmPayment: (input: unknown) => respond('confirm', input, confirm),
    retrievePaymentIntent: (input: unknown) => respond('retrieve', input, retrieve),
    handleNextAction: (input: unknown) => respond('action', input, action),
  } as unknown as Stripe
  return { stripe, calls, names: () => calls.map(({ name }) => name) }
}

/** A response of the service; 'offline': no response. */
export type ServiceResponse =
  { status: number; body?: object; headers?: Record<string, string> } | 'offline'

/** Replaces fetch until `mock.restoreAll()`, and returns the list of the requests. */
export function scriptService(...responses: ServiceResponse[]): { url: string; body: unknown }[] {
  const requests: { url: string; body: unknown }[] = []
  // Requests name the language of the page.
  if (!('document' in globalThis)) {
    Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } })
  }
  mock.method(globalThis, 'fetch', async (url: string, init: RequestInit = {}) => {
    const { body } = init
    requests.push({ url, body: typeof body === 'string' ? JSON.parse(body) : undefined })
    const response = take(responses, url)
    if (response === 'offline') throw new TypeError('fetch failed')
    const { status, headers = {} } = response
    return Response.json(response.body ?? {}, { status, headers })
  })
  return requests
}

/** Runs every timer at once until `mock.restoreAll()`, and returns the list of the delays. */
export function skipDelays(): number[] {
  const delaysMs: number[] = []
  mock.method(globalThis, 'setTimeout', (run: () => void, delayMs: number) => {
    delaysMs.push(delayMs)
    queueMicrotask(run)
  })
  return delaysMs
}
