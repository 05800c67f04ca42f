import type Stripe from 'stripe'
import type { Sandbox } from '../context.ts'
import { createId, nowSeconds } from '../state.ts'

/** The API version whose objects the sandbox imitates: the version of the pinned SDK. */
export const API_VERSION = '2026-10-28.endive'

/** Records an event and sends it to every endpoint that subscribes to its type. */
export function emitEvent(
  sandbox: Sandbox,
  type: string,
  object: object,
  previous?: Record<string, unknown>,
) {
  const { state, webhookSender } = sandbox
  const endpoints = [...state.webhookEndpoints.values()].filter(
    ({ status, enabled_events: events }) =>
      status === 'enabled' && (events.includes('*') || events.includes(type)),
  )
  const event = {
    id: createId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: nowSeconds(),
    data: {
      object: structuredClone(object),
      ...(previous === undefined ? {} : { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: endpoints.length,
    request: state.request ?? { id: null, idempotency_key: null },
    type,
  } as unknown as Stripe.Event
  state.events.set(event.id, event)
  for (const endpoint of endpoints) webhookSender.send(event, endpoint)
}
