/** Compares what the service shows with the model. Times and ids are fixed as soon as they are seen. */
import * as adminEndpoints from '@coffer/contract/admin/webhooks'
import type { Endpoint } from '@coffer/contract/endpoint'
import { readEvents, type event as eventShape } from '@coffer/contract/server/events'
import type {
  Delivery as ShownDelivery,
  Webhook as ShownWebhook,
} from '@coffer/contract/server/webhook-shapes'
import * as ownEndpoints from '@coffer/contract/server/webhooks'
import assert from 'node:assert/strict'
import type { z } from 'zod'
import { ANSWERS } from './answers.ts'
import {
  webhooksOf,
  type App,
  type Delivery,
  type Event,
  type Span,
  type Webhook,
} from './model.ts'

type ShownEvent = z.output<typeof eventShape>
type ShownAttempt = ShownDelivery['attempts'][number]
/** Calls an endpoint successfully. */
export type Read = <Body>(endpoint: Endpoint, fields: Record<string, unknown>) => Promise<Body>

/** Times are shown in milliseconds, and the database has microseconds. */
const ROUNDING_MS = 2

/** The time is as the model expects, and stays so. */
export function fix(span: Span, shown: string, what: string) {
  const ms = Date.parse(shown)
  const { fromMs, toMs } = span
  const isRight = ms >= fromMs - ROUNDING_MS && ms <= toMs + ROUNDING_MS
  assert(isRight, `${what}: ${shown} is not from ${show(fromMs)} to ${show(toMs)}`)
  Object.assign(span, { fromMs: ms, toMs: ms })
}

const show = (ms: number) => new Date(ms).toISOString()

function fixOrNull(span: Span | undefined, shown: string | null, what: string) {
  assert.equal(shown !== null, span !== undefined, `${what}: ${shown}`)
  if (span && shown !== null) fix(span, shown, what)
}

/** The list of webhooks, as the app or an operator sees it. */
export function compareWebhooks(app: App, shown: readonly ShownWebhook[]) {
  const expected = webhooksOf(app)
  assert.deepEqual(
    shown.map(({ id }) => id),
    expected.map(({ id }) => id),
  )
  for (const [index, webhook] of expected.entries()) {
    const each = shown[index]
    if (each) compareWebhook(webhook, each)
  }
}

function compareWebhook(webhook: Webhook, shown: ShownWebhook) {
  const { createdAt, disabled, failingSince, oldSecretUntil, ...rest } = shown
  const { id, url, types, description, owner, deliveries, oldSecret } = webhook
  const waiting = [...deliveries.values()].filter(({ next }) => next).length
  assert.deepEqual(rest, { id, url, types, description, isOwn: owner !== undefined, waiting })
  fix(webhook.createdAt, createdAt, 'createdAt')
  assert.equal(disabled?.reason, webhook.disabled?.reason, 'disabled')
  if (disabled && webhook.disabled) fix(webhook.disabled.at, disabled.at, 'disabled')
  fixOrNull(webhook.failingSince, failingSince, 'failingSince')
  const isOver = oldSecret !== undefined && oldSecret.until.fromMs <= Date.now()
  fixOrNull(isOver ? undefined : oldSecret?.until, oldSecretUntil, 'oldSecretUntil')
}

/** All deliveries of a webhook, newest events first, page by page. */
export async function readDeliveries(
  read: Read,
  { id, app }: Webhook,
  by: 'app' | 'operator',
  state: ShownDelivery['state'] | undefined,
): Promise<ShownDelivery[]> {
  const endpoint = by === 'app' ? ownEndpoints.listOwnDeliveries : adminEndpoints.listDeliveries
  const which = { webhookId: id, ...(by === 'operator' && { clientId: app.clientId }) }
  const found: ShownDelivery[] = []
  let cursor: string | null | undefined
  do {
    const page = await read<{ deliveries: ShownDelivery[]; nextCursor: string | null }>(endpoint, {
      ...which,
      state,
      cursor: cursor ?? undefined,
    })
    found.push(...page.deliveries)
    cursor = page.nextCursor
  } while (cursor !== null)
  return found
}

const stateOf = ({ next, isDelivered }: Delivery) =>
  next ? 'waiting' : isDelivered ? 'delivered' : 'failed'

export function compareDeliveries(
  webhook: Webhook,
  shown: readonly ShownDelivery[],
  state: ShownDelivery['state'] | undefined,
) {
  const expected = [...webhook.deliveries.values()]
    .filter((each) => state === undefined || stateOf(each) === state)
    .toSorted((a, b) => b.event.sequence - a.event.sequence)
  assert.deepEqual(
    shown.map(({ eventId }) => eventId),
    expected.map(({ event }) => event.shown?.id),
  )
  for (const [index, delivery] of expected.entries()) {
    const each = shown[index]
    if (each) compareDelivery(delivery, each)
  }
}

function compareDelivery(delivery: Delivery, shown: ShownDelivery) {
  const { event } = delivery
  assert.deepEqual([shown.sequence, shown.state], [event.sequence, stateOf(delivery)])
  if (event.isKept) {
    assert.deepEqual([shown.type, shown.createdAt], [event.type, event.shown?.createdAt])
    assert.deepEqual(JSON.parse(shown.body ?? ''), bodyOf(event))
  } else assert.equal(shown.body, null)
  fixOrNull(delivery.next, shown.nextAttemptAt, 'nextAttemptAt')
  assert.equal(shown.attempts.length, delivery.attempts.length, 'attempts')
  for (const [index, { at, answer }] of delivery.attempts.entries()) {
    const attempt = shown.attempts[index]
    if (attempt) compareAttempt(attempt, ANSWERS[answer], at)
  }
}

export function compareAttempt(
  { at, status, error, response }: ShownAttempt,
  answer: (typeof ANSWERS)[keyof typeof ANSWERS],
  span: Span,
) {
  assert.deepEqual([status, response], [answer.status, answer.shown])
  assert.equal(error === null, answer.isSuccess, `error: ${error}`)
  fix(span, at, 'attempt')
}

/** What a webhook sends: the event as in the feed, without its cursor. */
export function bodyOf({ shown, sequence, type, data }: Event) {
  return { id: shown?.id, sequence, type, createdAt: shown?.createdAt, data }
}

/** An event that was read again. */
export function compareEvent({ cursor, ...shown }: ShownEvent, event: Event) {
  assert.deepEqual(shown, bodyOf(event))
  assert.equal(cursor, event.shown?.cursor)
}

/** Reads a feed to its end, page by page: the events, and the cursor with which the reader waits for the next one. */
export async function readFeed(
  read: Read,
  { limit, types }: { limit: number; types: string | undefined },
): Promise<{ events: ShownEvent[]; end: string | undefined }> {
  const found: ShownEvent[] = []
  let after: string | undefined
  for (let isEnd = false; !isEnd;) {
    const fields: Record<string, unknown> = { after, types, limit }
    const page = await read<{ events: ShownEvent[]; nextCursor: string }>(readEvents, fields)
    assert(page.events.length <= limit, 'the page is too long')
    isEnd = page.nextCursor === after
    if (isEnd) assert.deepEqual(page.events, [])
    found.push(...page.events)
    after = page.nextCursor
  }
  return { events: found, end: after }
}
