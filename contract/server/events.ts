/** The events of a client app, which it did not cause itself. */
import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { EVENT_DAYS, EVENT_WAIT_SECONDS, EVENT_WAITERS_MAX, EVENTS_MAX } from '../limits.ts'
import { ANY_CALL } from './operation-fields.ts'
import * as shape from '../shapes.ts'

/** Types may be added, so a client must ignore types that it does not know. */
export const EVENT_TYPES = [
  'topup.credited',
  'balance.changed',
  'link.created',
  'link.ended',
  'wallet.frozen',
  'wallet.unfrozen',
  'hold.expired',
  'client_app.secret_rotated',
  'client_app.changed',
  'webhook.disabled',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** A known value, or another one that a newer service added. */
function extensibleEnum(known: readonly string[]) {
  return z.string().meta({
    pattern: '^[a-z][a-z_.]*$',
    maxLength: 64,
    'x-extensible-enum': known,
  })
}

const ON_TOPUP = 'Only on topup.credited'
export const eventData = z.object({
  serviceUserId: shape.serviceUserId
    .optional()
    .describe(
      'The user that the event is about. Absent on client_app and webhook events, and on hold.expired if the user has unlinked your app.',
    ),
  reason: extensibleEnum(['user', 'erasure', 'gone', 'failing', 'secret_ended'])
    .optional()
    .describe(
      'On link.ended: user if the person unlinked your app, erasure if the account is being deleted. On webhook.disabled: gone if the receiver responded with 410, failing if every delivery failed for five days, secret_ended if the client secret that created or last changed it was revoked.',
    ),
  webhookId: shape
    .shown(64)
    .optional()
    .describe('Only on webhook.disabled: the webhook that gets no more events.'),
  topupId: z
    .string()
    .meta({ format: 'uuid', maxLength: 36 })
    .optional()
    .describe(`${ON_TOPUP}: the id of the top-up.`),
  transactionId: shape.transactionId.optional().describe(`${ON_TOPUP}: the entry in the history.`),
  amount: shape.money
    .optional()
    .describe(
      'On topup.credited: the amount that was paid by card. On hold.expired: the amount that was released.',
    ),
  currency: shape.currency
    .optional()
    .describe('Only on topup.credited, balance.changed and hold.expired.'),
  hold: z
    .object({ referenceType: shape.shown(64), referenceId: shape.shown(255) })
    .optional()
    .describe('Only on hold.expired: the reference of the hold.'),
  balance: shape.money
    .optional()
    .describe(
      'On topup.credited: the balance right after the top-up. On balance.changed: the balance at createdAt.',
    ),
  change: extensibleEnum(['rotated', 'revoked'])
    .optional()
    .describe(
      'Only on client_app.secret_rotated: rotated if there is a new secret, revoked if one or all secrets were revoked without a new one.',
    ),
  changes: z
    .array(shape.shown(64))
    .max(64)
    .optional()
    .describe('Only on client_app.changed: the names of the settings that changed.'),
})

export const event = z.object({
  id: z.string().meta({
    description: 'If an event is delivered again, it has the same id.',
    pattern: '^evt_[0-9a-f]{32}$',
    maxLength: 36,
    examples: ['evt_3f2504e04f8941d39a0c0305e82c3301'],
  }),
  sequence: z
    .number()
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .describe('The number of the event: 1, 2, 3, … for your app, without gaps.'),
  type: extensibleEnum(EVENT_TYPES).describe('Ignore events of a type that you do not know.'),
  createdAt: shape.timestamp.describe(
    'When the event happened. Events are ordered by sequence, not by this time.',
  ),
  data: eventData,
  cursor: shape.shown(64).describe('Continues after this event.'),
})

const TYPE = '[a-z_]{1,40}(?:[.][a-z_]{1,40})?'
const LIMIT = `a number from 1 to ${EVENTS_MAX}`
export const eventLimit = shape
  .matching(/^[1-9]\d{0,2}$/, LIMIT)
  .transform(Number)
  .refine((value) => value <= EVENTS_MAX, { error: `must be ${LIMIT}` })
const WAIT = `a number from 0 to ${EVENT_WAIT_SECONDS}`
export const waitSeconds = shape
  .matching(/^\d{1,2}$/, WAIT)
  .transform(Number)
  .refine((value) => value <= EVENT_WAIT_SECONDS, { error: `must be ${WAIT}` })

export const readEvents = defineEndpoint({
  method: 'GET',
  path: '/api/server/events',
  summary: 'Read events',
  description: `Returns the events that your app did not cause itself, oldest first: top-ups, links, frozen wallets, expired holds, changes of your app and, if an operator has enabled it, changed balances. Each event is returned only once it is durable, and is kept for at least ${EVENT_DAYS} days. Store nextCursor and pass it as after in the next request, even if the page is empty. With waitSeconds the request waits for the first event; at most ${EVENT_WAITERS_MAX} requests of an app can wait in each process.`,
  scope: 'wallet:read',
  secretScopes: ['wallet:read'],
  // The time to wait plus the deadline of other endpoints.
  deadlineMs: EVENT_WAIT_SECONDS * 1_000 + 7_500,
  input: z.object({
    after: shape.cursor
      .optional()
      .describe('The nextCursor of the previous page. Without it: all events that are kept.'),
    types: shape
      .matching(
        new RegExp(`^${TYPE}(?:,${TYPE}){0,19}$`),
        'up to 20 types separated by commas, such as link.created,link.ended',
      )
      .transform((types) => types.split(','))
      .optional()
      .meta({
        description: 'Only events of these types. Their sequence numbers then have gaps.',
        maxLength: 1_639,
        pattern: '^[a-z_.]+(,[a-z_.]+)*$',
        examples: ['link.created,link.ended'],
      }),
    limit: eventLimit.optional().describe(`How many events to return. Default ${EVENTS_MAX}.`),
    waitSeconds: waitSeconds
      .optional()
      .describe('How long to wait if there is no event. Default 0.'),
  }),
  response: z.object({
    events: z.array(event).max(EVENTS_MAX).describe('Oldest first.'),
    nextCursor: shape.shown(64).describe('Continues after this page. Never null.'),
  }),
  errors: { ...ANY_CALL, INSUFFICIENT_SCOPE: {}, CURSOR_EXPIRED: {} },
})
