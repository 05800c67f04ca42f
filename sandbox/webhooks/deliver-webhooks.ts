import { setTimeout as pause } from 'node:timers/promises'
import type Stripe from 'stripe'
import type { Settings } from '../settings.ts'
import type { Faults } from '../faults.ts'
import type { State } from '../state.ts'
import { attemptDelivery, describeDelivery, type Attempt } from './attempt-delivery.ts'
import { createQueue } from './queue-attempts.ts'

export type WebhookSender = {
  send: (event: Stripe.Event, endpoint: Stripe.WebhookEndpoint) => void
  /** Sends the webhooks that `reorder` holds back. */
  flush: () => void
  /** Waits until all first attempts have ended; scheduled retries do not count. */
  whenIdle: () => Promise<void>
  /** Drops all held, queued and scheduled attempts. */
  cancel: () => void
}

export function createWebhookSender(
  settings: Settings,
  state: State,
  faults: Faults,
): WebhookSender {
  let held: Attempt[] = []
  const queue = createQueue(async (attempt) => {
    const delivery = await attemptDelivery(settings, state, faults, attempt)
    state.deliveries.push(delivery)
    if (delivery.outcome === 'delivered') {
      attempt.event.pending_webhooks = Math.max(0, attempt.event.pending_webhooks - 1)
      return
    }
    const delayMs = settings.webhookRetryDelaysMs[attempt.number - 1]
    if (delayMs !== undefined) queue.push({ ...attempt, number: attempt.number + 1 }, delayMs)
  })

  function flush() {
    const attempts = faults.webhook.reorder > 0 ? shuffled(held) : held
    held = []
    for (const attempt of attempts) queue.push(attempt, faults.webhook.delayMs)
  }

  return {
    send(event, endpoint) {
      const attempt = { event, endpoint, number: 1 }
      if (takeDrop(faults)) {
        state.deliveries.push(describeDelivery(attempt, 'dropped', null))
        return
      }
      held.push(...Array.from({ length: 1 + faults.webhook.duplicate }, () => attempt))
      if (held.length >= faults.webhook.reorder) flush()
    },
    flush,
    async whenIdle() {
      while (queue.isBusy()) await pause(2)
    },
    cancel() {
      held = []
      queue.cancel()
    },
  }
}

function takeDrop({ webhook }: Faults): boolean {
  if (typeof webhook.drop === 'boolean') return webhook.drop
  if (webhook.drop <= 0) return false
  webhook.drop -= 1
  return true
}

/** Always returns a different order: reverses the list if the shuffle changed nothing. */
function shuffled<T>(items: T[]): T[] {
  const result = items
    .map((item) => ({ item, rank: Math.random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
  const isSame = result.every((item, index) => item === items[index])
  return isSame ? result.toReversed() : result
}
