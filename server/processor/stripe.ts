/** The only file that knows the card processor's SDK. What changes between production and tests is where Stripe is. */
import type { Currency } from '@coffer/contract/money'
import { Stripe } from 'stripe'
import type { Config } from '../config.ts'

export interface Processor {
  stripe: Stripe
  publishableKey: string
  webhookSecret: string
  /** Where the browser loads Stripe.js from. */
  scriptUrl: string
}

/** Two tries of three seconds fit into the eight that a caller waits; the second carries the same key as the first. */
const TIMEOUT_MS = 3_000

export function createProcessor(config: Config['stripe']): Processor | undefined {
  if (config === undefined) return undefined
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
    ...where,
  })
  return { stripe, publishableKey, webhookSecret, scriptUrl }
}

/** What may be logged of an answer that is none; undefined: it is not the processor's fault. */
export function explainFault(error: unknown): Record<string, unknown> | undefined {
  if (!(error instanceof Stripe.errors.StripeError)) return undefined
  const { type, code, statusCode, requestId } = error
  return { type, code, statusCode, requestId }
}

/**
 * The processor has looked at it and said no (400, 402, 404); asking again changes nothing. That it is still at work
 * on the same key (409), too busy or out of order says nothing.
 */
export function isDefiniteRefusal(error: unknown): boolean {
  const { StripeInvalidRequestError, StripeCardError } = Stripe.errors
  return error instanceof StripeInvalidRequestError || error instanceof StripeCardError
}

export type PaymentIntent = Stripe.PaymentIntent
export type Dispute = Stripe.Dispute
export type Refund = Stripe.Refund
export type StripeEvent = Stripe.Event

/** Where Stripe counts in other units than ISO 4217: https://docs.stripe.com/currencies#special-cases */
const DECIMALS: Record<string, number> = { ISK: 2, UGX: 2, MGA: 0 }

function unitsOf({ code, exponent }: Currency) {
  const difference = (DECIMALS[code] ?? exponent) - exponent
  return {
    times: 10n ** BigInt(Math.max(difference, 0)),
    by: 10n ** BigInt(Math.max(-difference, 0)),
  }
}

/** Stripe takes three decimals only in multiples of ten, and whole units where it has no decimals. */
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

/** Checks the signature over the raw bytes, and the time on both sides: too old, and from the future. */
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

/** Signed, but by a processor that has gone wrong; what is stored and followed must be there. */
function isEvent({ id, data }: StripeEvent): boolean {
  const object: unknown = data.object
  return (
    typeof id === 'string' &&
    /^\w{1,255}$/.test(id) &&
    typeof object === 'object' &&
    object !== null
  )
}
