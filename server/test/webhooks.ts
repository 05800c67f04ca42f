/** Delivers the processor's events as webhooks, valid or with a defect. */
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { StripeEvent } from '../processor/stripe.ts'
import type { TopupSetup } from './topup-setup.ts'

export const WEBHOOK = '/api/processor/webhook'

/** The processor's signature, unless the secret is wrong or the time is shifted. */
export function sign(body: string | Buffer, secret: string, shiftSeconds = 0): string {
  const time = Math.floor(Date.now() / 1000) + shiftSeconds
  const hex = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')
  return `t=${time},v1=${hex}`
}

/** Delivers an event to the service as a webhook, through inject. */
export function deliver(
  { harness, sandbox }: Pick<TopupSetup, 'harness' | 'sandbox'>,
  event: object | undefined,
  signature?: string,
): Promise<LightMyRequestResponse> {
  const payload = JSON.stringify(event)
  return harness.inject({
    method: 'POST',
    url: WEBHOOK,
    payload,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signature ?? sign(payload, sandbox.webhookSecret),
    },
  })
}

/** The processor's events about an object so far, oldest first. */
export function eventsAbout({ sandbox }: Pick<TopupSetup, 'sandbox'>, text: string): StripeEvent[] {
  return [...sandbox.state.events.values()].filter((event) => JSON.stringify(event).includes(text))
}

export function eventOf(setup: Pick<TopupSetup, 'sandbox'>, type: string, text: string) {
  const event = eventsAbout(setup, text).find((each) => each.type === type)
  assert(event !== undefined, `there is no ${type}`)
  return event
}

/** Lets the processor deliver its webhooks over a socket from now on. */
export async function listen({ harness, sandbox }: TopupSetup): Promise<string> {
  const url = await harness.app.listen({ port: 0, host: '127.0.0.1' })
  sandbox.addWebhookEndpoint(`${url}${WEBHOOK}`)
  return url
}
