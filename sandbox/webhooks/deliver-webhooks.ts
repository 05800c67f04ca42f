import { setTimeout as pause } from 'node:timers/promises'
import type Stripe from 'stripe'
import type { Settings } from '../context.ts'
import type { Faults } from '../faults.ts'
import type { State } from '../state.ts'
import { attemptDelivery, describeDelivery, type Letter } from './attempt-delivery.ts'
import { createQueue } from './queue-letters.ts'

export type Courier = {
  post: (event: Stripe.Event, endpoint: Stripe.WebhookEndpoint) => void
  /** Sends what `reorder` holds back. */
  flush: () => void
  /** Waits until nothing is on its way; retries that wait for their pause do not count. */
  settled: () => Promise<void>
  /** Forgets everything that is held back, waiting or to be sent again. */
  cancel: () => void
}

export function createCourier(settings: Settings, state: State, faults: Faults): Courier {
  let held: Letter[] = []
  const queue = createQueue(async (letter) => {
    const delivery = await attemptDelivery(settings, state, faults, letter)
    state.deliveries.push(delivery)
    if (delivery.outcome === 'delivered') {
      letter.event.pending_webhooks = Math.max(0, letter.event.pending_webhooks - 1)
      return
    }
    const pauseMs = settings.webhookRetryPausesMs[letter.attempt - 1]
    if (pauseMs !== undefined) queue.push({ ...letter, attempt: letter.attempt + 1 }, pauseMs)
  })

  function flush() {
    const letters = faults.webhook.reorder > 0 ? shuffled(held) : held
    held = []
    for (const letter of letters) queue.push(letter, faults.webhook.delayMs)
  }

  return {
    post(event, endpoint) {
      const letter = { event, endpoint, attempt: 1 }
      if (takeDrop(faults)) {
        state.deliveries.push(describeDelivery(letter, 'dropped', null))
        return
      }
      held.push(...Array.from({ length: 1 + faults.webhook.duplicate }, () => letter))
      if (held.length >= faults.webhook.reorder) flush()
    },
    flush,
    async settled() {
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

/** Another order, surely: a shuffle that changes nothing is reversed. */
function shuffled<T>(items: T[]): T[] {
  const result = items
    .map((item) => ({ item, rank: Math.random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
  const isSame = result.every((item, index) => item === items[index])
  return isSame ? result.toReversed() : result
}
