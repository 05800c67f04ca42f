/** The only file that uses the card processor's SDK. Production and tests differ only in the URL of Stripe. */
import type { Currency } from '@coffer/contract/money'
import type { Stripe } from 'stripe'
import type { Config } from '../config.ts'

export interface Processor {
  stripe: Stripe
  publishableKey: string
  webhookSecret: string
  /** Where the browser loads Stripe.js from. */
  scriptUrl: string
}

/** Two attempts of three seconds fit into the deadline of eight; both have the same idempotency key. */
const TIMEOUT_MS = 3_000

/** Loads the SDK only if it is configured: it has hundreds of files, and a command starts faster without them. */
export async function createProcessor(
  config: Config['stripe'],
  onCall: OnCall = () => undefined,
): Promise<Processor | undefined> {
  if (config === undefined) return undefined
  const { Stripe } = await import('stripe')
  const { secretKey, publishableKey, webhookSecret, apiUrl, scriptUrl } = config
  const where = apiUrl && {
    host: apiUrl.hostname,
    port: apiUrl.port || (apiUrl.protocol === 'https:' ? 443 : 80),
    protocol: apiUrl.protocol.slice(0, -1) as 'http' | 'https',
  }
  const stripe = new Stripe(secretKey, {
    maxNetworkRetries: 1,
    timeout: TIMEOUT_MS,
    telemetry: false,
    httpClient: observeCalls(Stripe.createNodeHttpClient(), onCall),
    ...where,
  })
  return { stripe, publishableKey, webhookSecret, scriptUrl }
}

/**
 * How a call ended: the processor can refuse one that it understood. An outage, an overload or no response is a
 * failure.
 */
type OnCall = (result: 'ok' | 'refused' | 'failed', seconds: number) => void

function observeCalls(client: Stripe.HttpClient, onCall: OnCall): Stripe.HttpClient {
  return {
    getClientName: () => client.getClientName(),
    async makeRequest(...args) {
      const beganMs = performance.now()
      const observe = (result: Parameters<OnCall>[0]) =>
        onCall(result, (performance.now() - beganMs) / 1000)
      try {
        const response = await client.makeRequest(...args)
        const status = response.getStatusCode()
        if (status < 400) observe('ok')
        else observe(status < 500 && status !== 429 ? 'refused' : 'failed')
        return response
      } catch (error) {
        observe('failed')
        throw error
      }
    },
  }
}

/** What may be logged of an error of the processor; undefined: it is another error. */
export function explainFault(error: unknown): Record<string, unknown> | undefined {
  if (!isStripeError(error)) return undefined
  const { type, code, statusCode, requestId } = error
  return { type, code, statusCode, requestId }
}

/**
 * The processor has refused the request (400, 402, 404), and a retry would not help. A conflict on the same key (409),
 * an overload or an outage is not definite.
 */
export function isDefiniteRefusal(error: unknown): boolean {
  if (!isStripeError(error)) return false
  return error.type === 'StripeInvalidRequestError' || error.type === 'StripeCardError'
}

function isStripeError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe')
}

/** The money of a refund came back to us. */
export function isReturned({ status }: Pick<Refund, 'status'>): boolean {
  return status === 'failed' || status === 'canceled'
}

export type PaymentIntent = Stripe.PaymentIntent
export type Dispute = Stripe.Dispute
export type Refund = Stripe.Refund
export type StripeEvent = Stripe.Event

/** Currencies whose units at Stripe differ from ISO 4217: https://docs.stripe.com/currencies#special-cases */
const DECIMALS: Record<string, number> = { ISK: 2, UGX: 2, MGA: 0 }

function unitsOf({ code, exponent }: Currency) {
  const difference = (DECIMALS[code] ?? exponent) - exponent
  return {
    times: 10n ** BigInt(Math.max(difference, 0)),
    by: 10n ** BigInt(Math.max(-difference, 0)),
  }
}

/** Stripe accepts amounts with three decimals only in multiples of ten, and whole units where it has no decimals. */
export function isPayable(amountMinor: bigint, currency: Currency): boolean {
  const step = currency.exponent === 3 ? 10n : unitsOf(currency).by
  return amountMinor % step === 0n
}

export function toStripeAmount(amountMinor: bigint, currency: Currency): number {
  const { times, by } = unitsOf(currency)
  return Number((amountMinor * times) / by)
}

export function fromStripeAmount(amount: number, currency: Currency): bigint {
  const { times, by } = unitsOf(currency)
  return (BigInt(amount) * by) / times
}

const SIGNATURE_SECONDS = 300

/** Checks the signature of the raw bytes, and that its time is neither too old nor in the future. */
export function readEvent(
  { stripe, webhookSecret }: Processor,
  body: Buffer,
  signature: string,
  nowMs: number,
): StripeEvent | undefined {
  const [seconds = NaN, another] = [...signature.matchAll(/(?:^|,)t=([^,]*)/g)].map(([, t]) =>
    Number(t),
  )
  if (another !== undefined) return undefined
  if (!(Math.abs(nowMs / 1000 - seconds) <= SIGNATURE_SECONDS)) return undefined
  try {
    const event = stripe.webhooks.constructEvent(body, signature, webhookSecret, SIGNATURE_SECONDS)
    return isEvent(event) ? event : undefined
  } catch {
    return undefined
  }
}

/** A signed event may still be malformed; the fields that we use must be present. */
function isEvent({ id, data }: StripeEvent): boolean {
  const object: unknown = data.object
  return (
    typeof id === 'string' &&
    /^\w{1,255}$/.test(id) &&
    typeof object === 'object' &&
    object !== null
  )
}
