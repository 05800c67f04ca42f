/** The fields of webhooks, for client apps and for operators. */
import { z } from 'zod'
import { EVENT_TYPES } from './events.ts'
import * as shape from '../shapes.ts'

const URL_MAX = 2_048
const TYPES_MAX = 20
const DESCRIPTION_MAX = 200
const NEEDS_URL = `a URL of up to ${URL_MAX} characters, such as https://shop.example/webhooks`
const NEEDS_TYPES = `must be a list of 1 to ${TYPES_MAX} types such as link.ended, or null for all`

export const OVERLAPS = ['none', '1h', '24h', '7d'] as const

export const webhookId = shape.matching(/^wh_[0-9a-f]{32}$/, 'the id of a webhook').meta({
  description: 'The id of the webhook.',
  maxLength: 35,
  examples: ['wh_3f2504e04f8941d39a0c0305e82c3301'],
})
export const eventId = shape.matching(/^evt_[0-9a-f]{32}$/, 'the id of an event').meta({
  description: 'The id of the event.',
  maxLength: 36,
  examples: ['evt_3f2504e04f8941d39a0c0305e82c3301'],
})

export const webhookSettings = {
  url: shape.text(1, URL_MAX, NEEDS_URL).meta({
    description:
      'The URL that receives the events: https, with a public address, on port 443 or a port of 1024 or higher.',
    examples: ['https://shop.example/webhooks'],
  }),
  types: z
    .array(z.enum(EVENT_TYPES, { error: NEEDS_TYPES }), { error: NEEDS_TYPES })
    .min(1, { error: NEEDS_TYPES })
    .max(TYPES_MAX, { error: NEEDS_TYPES })
    .nullable()
    .describe('Only events of these types. null: all, including types that are added later.'),
  description: shape
    .text(0, DESCRIPTION_MAX)
    .describe('A label that you choose, such as "production".'),
}

export const webhook = z.object({
  id: shape.shown(64),
  url: shape.shown(URL_MAX),
  types: z.array(shape.shown(64)).max(TYPES_MAX).nullable().describe('null: all.'),
  description: shape.shown(DESCRIPTION_MAX),
  createdAt: shape.timestamp,
  isOwn: z
    .boolean()
    .describe('Whether the client app, not an operator, created or last changed the webhook.'),
  disabled: z
    .object({
      at: shape.timestamp,
      reason: z
        .enum(['switched_off', 'gone', 'failing', 'secret_ended'])
        .describe(
          'gone: the receiver responded with 410. failing: every delivery failed for five days. secret_ended: the client secret that created or last changed it was revoked.',
        ),
    })
    .nullable()
    .describe('null: it gets events.'),
  failingSince: shape.timestamp.nullable().describe('null: the last delivery succeeded.'),
  waiting: z
    .number()
    .int()
    .min(0)
    .max(1_000)
    .describe('The number of queued deliveries, counted up to 1000.'),
  oldSecretUntil: shape.timestamp
    .nullable()
    .describe(
      'Until this time, requests are also signed with the previous secret. null: only with the current one.',
    ),
})
export type Webhook = z.output<typeof webhook>

export const secret = shape
  .shown(100)
  .describe('Verifies the signature of requests. It is shown once.')

const attempt = z.object({
  at: shape.timestamp,
  status: z.number().int().nullable().describe('null: there was no response.'),
  error: shape
    .shown(1_000)
    .nullable()
    .describe('The reason and what to do. null: the attempt succeeded.'),
  durationMs: z.number().int().min(0),
  response: shape.shown(1_024).describe('The first kilobyte of the response.'),
})
export const testResult = attempt

export const deliveryState = z
  .enum(['waiting', 'delivered', 'failed'], { error: 'must be waiting, delivered or failed' })
  .describe('waiting: an attempt follows. failed: no attempt follows.')

export const delivery = z.object({
  eventId,
  sequence: z.number().int().min(1),
  type: shape.shown(64),
  state: deliveryState,
  createdAt: shape.timestamp.describe('When the event happened.'),
  nextAttemptAt: shape.timestamp.nullable(),
  attempts: z.array(attempt).max(20).describe('Oldest first.'),
  body: shape
    .shown(16_384)
    .nullable()
    .describe('The body of the request. null: the event is no longer stored.'),
})
export type Delivery = z.output<typeof delivery>
