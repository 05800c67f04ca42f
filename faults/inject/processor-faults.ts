/** Faults of the card processor and of the connection to it. They stop no debits; they must lose no payments. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createFaults, type Faults } from '../../sandbox/faults.ts'
import type { Dice } from '../clients/dice.ts'
import type { Inject } from './ledger-faults.ts'
import type { Setup } from '../setup/prepare-setup.ts'
import { withAdmin } from '../setup/with-admin.ts'

export const PROCESSOR_FAULTS: Record<string, Inject> = {
  'webhooks lost': withWebhooks({ drop: true }),
  'webhooks sent ten times in a different order': withWebhooks({ duplicate: 9, reorder: 40 }),
  'webhooks late': withWebhooks({ delayMs: 5_000 }),
  'webhooks forged': withWebhooks({ badSignature: true }),
  'webhooks signed ten minutes ago': withWebhooks({ timestampShiftSeconds: -600 }),
  'no response when creating an intent, intent not created': withCalls('timeoutBefore'),
  'no response when creating an intent, intent created': withCalls('timeoutAfter'),
  'connection lost while creating an intent, intent created': withCalls('timeoutAfter', {
    reset: true,
  }),
  'the processor returns 500': withCalls('status500', { route: '*' }),
  'the processor returns 500, but executes the request': withCalls('status500After', {
    route: '*',
  }),
  'the processor returns 429': withCalls('status429', { route: '*' }),
  'sessions expire while people pay': expireSessions,
  'payments refunded at the processor': refundSome,
}

function withWebhooks(webhook: Partial<Faults['webhook']>): Inject {
  return async ({ sandbox }, dice) => {
    Object.assign(sandbox.faults.webhook, webhook)
    await sleep(dice.between(4_000, 6_000))
    // Flush before the switch is reset, so that held-back webhooks are sent in a different order.
    sandbox.flushWebhooks()
    Object.assign(sandbox.faults.webhook, createFaults().webhook)
  }
}

function withCalls(
  name: 'timeoutBefore' | 'timeoutAfter' | 'status500' | 'status500After' | 'status429',
  more: { route?: string; reset?: boolean } = {},
): Inject {
  return async ({ sandbox }, dice) => {
    sandbox.faults[name] = { times: dice.between(3, 8), ...more }
    await sleep(dice.between(3_000, 5_000))
    sandbox.faults[name] = { times: 0 }
  }
}

/** A person who has paid by then can no longer ask for the result; the payment must be credited anyway. */
async function expireSessions({ database }: Setup) {
  for (let round = 0; round < 10; round++) {
    await withAdmin(database.url, (admin) =>
      admin.query(
        'update directory.widget_sessions set expires_at = now() where expires_at > now()',
      ),
    )
    await sleep(250)
  }
}

/** Somebody refunds at the processor, and the service learns of it afterwards. Some refunds fail later. */
async function refundSome({ sandbox, topups }: Setup, dice: Dice) {
  const { paymentIntents, disputes } = sandbox.state
  const disputed = new Set([...disputes.values()].map((each) => each.payment_intent))
  const paid = [...topups.payments.keys()].filter(
    (id) => paymentIntents.get(id)?.status === 'succeeded' && !disputed.has(id),
  )
  const refunded = new Set([...sandbox.state.refunds.values()].map((each) => each.payment_intent))
  for (const intent of dice.shuffle(paid.filter((id) => !refunded.has(id))).slice(0, 5)) {
    const response = await fetch(`${sandbox.url}/v1/refunds`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${sandbox.secretKey}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `payment_intent=${intent}`,
    })
    const refund = (await response.json()) as { id: string }
    if (response.ok && dice.chance(0.4)) sandbox.failRefund(refund.id)
  }
}
