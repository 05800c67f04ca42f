import type Stripe from 'stripe'
import type { Settings } from '../settings.ts'
import type { Faults } from '../faults.ts'
import { nowSeconds, type Delivery, type State } from '../state.ts'
import { signWebhook } from './sign-webhook.ts'

export type Attempt = {
  event: Stripe.Event
  endpoint: Stripe.WebhookEndpoint
  number: number
}

/** Signs every attempt with its own timestamp. */
export async function attemptDelivery(
  settings: Settings,
  state: State,
  { webhook }: Faults,
  attempt: Attempt,
): Promise<Delivery> {
  const { event, endpoint } = attempt
  const body = JSON.stringify(event, null, 2)
  const secret = state.webhookSecrets.get(endpoint.id) ?? settings.webhookSecret
  const timestamp = nowSeconds() + webhook.timestampShiftSeconds
  const signature = signWebhook(body, webhook.badSignature ? `${secret}x` : secret, timestamp)
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signature,
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body,
      signal: AbortSignal.timeout(settings.webhookTimeoutMs),
    })
    await response.body?.cancel()
    return describeDelivery(attempt, response.ok ? 'delivered' : 'refused', response.status)
  } catch {
    return describeDelivery(attempt, 'unreachable', null)
  }
}

export function describeDelivery(
  { event, endpoint, number }: Attempt,
  outcome: Delivery['outcome'],
  httpStatus: number | null,
): Delivery {
  const at = new Date().toISOString()
  const { id: eventId, type: eventType } = event
  return { eventId, eventType, url: endpoint.url, attempt: number, outcome, httpStatus, at }
}
