import type Stripe from 'stripe'
import type { Settings } from '../context.ts'
import type { Faults } from '../faults.ts'
import { nowSeconds, type Delivery, type State } from '../state.ts'
import { signWebhook } from './sign-webhook.ts'

export type Letter = { event: Stripe.Event; endpoint: Stripe.WebhookEndpoint; attempt: number }

/** Every attempt is signed anew, with its own time. */
export async function attemptDelivery(
  settings: Settings,
  state: State,
  { webhook }: Faults,
  letter: Letter,
): Promise<Delivery> {
  const { event, endpoint } = letter
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
    return describeDelivery(letter, response.ok ? 'delivered' : 'refused', response.status)
  } catch {
    return describeDelivery(letter, 'unreachable', null)
  }
}

export function describeDelivery(
  { event, endpoint, attempt }: Letter,
  outcome: Delivery['outcome'],
  httpStatus: number | null,
): Delivery {
  const at = new Date().toISOString()
  const { id: eventId, type: eventType } = event
  return { eventId, eventType, url: endpoint.url, attempt, outcome, httpStatus, at }
}
