/** How a client app manages its own webhooks. */
import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { DELIVERIES_MAX, DELIVERY_DAYS, RESEND_MAX, WEBHOOKS_MAX } from '../limits.ts'
import { ANY_CALL, ANY_POST } from './operation-fields.ts'
import * as shape from '../shapes.ts'
import {
  delivery,
  deliveryState,
  eventId,
  OVERLAPS,
  secret,
  testResult,
  webhook,
  webhookId,
  webhookSettings,
} from './webhook-shapes.ts'

/** No other scope includes these calls, because a caller who can change the URL can read the events. */
const MANAGED = { secretScopes: ['webhooks:manage'], requiresRestrictedSecret: true } as const
const NEEDS_SCOPE = {
  SECRET_RESTRICTED: {
    text: 'This call needs a secret with the scope webhooks:manage. Ask the operator for one.',
  },
} as const
const ANY_READ = { ...ANY_CALL, ...NEEDS_SCOPE } as const
const ANY_CHANGE = { ...ANY_POST, ...NEEDS_SCOPE } as const
const UNKNOWN = {
  NOT_FOUND: {
    text: 'Your app has no such webhook, or the webhook has no such event. List them to see what exists.',
  },
} as const
const OF_ONE = { ...ANY_CHANGE, ...UNKNOWN } as const

export const listOwnWebhooks = defineEndpoint({
  method: 'GET',
  path: '/api/server/webhooks',
  summary: 'List your webhooks',
  description:
    'Returns the webhooks of your app, oldest first, including those that operators created.',
  ...MANAGED,
  input: z.object({}),
  response: z.object({ webhooks: z.array(webhook).max(WEBHOOKS_MAX) }),
  errors: ANY_READ,
})

export const createOwnWebhook = defineEndpoint({
  method: 'POST',
  path: '/api/server/webhooks',
  summary: 'Create a webhook',
  description: `Returns the secret that verifies its requests. The secret is shown once. An app can have ${WEBHOOKS_MAX} webhooks. The contacts of your app get an email, as for every change. If the response is lost, list the webhooks and delete the one whose secret you do not have.`,
  ...MANAGED,
  input: z.object(webhookSettings),
  response: z.object({ webhookId, secret }),
  errors: { ...ANY_CHANGE, WEBHOOK_LIMIT: {} },
})

export const changeOwnWebhook = defineEndpoint({
  method: 'POST',
  path: '/api/server/webhooks/change',
  summary: 'Change a webhook',
  description:
    'Sets all fields. A webhook that is switched off gets no events. When it is switched on again, deliveries that were already queued are sent. Events from the time when it was off are not sent: resend them.',
  ...MANAGED,
  input: z.object({
    webhookId,
    ...webhookSettings,
    isEnabled: z.boolean({ error: 'must be true or false' }).describe('Whether it gets events.'),
  }),
  response: z.object({ webhookId }),
  errors: OF_ONE,
})

export const deleteOwnWebhook = defineEndpoint({
  method: 'POST',
  path: '/api/server/webhooks/delete',
  summary: 'Delete a webhook',
  description: 'Queued deliveries of the webhook are not sent. A repeated request also succeeds.',
  ...MANAGED,
  input: z.object({ webhookId }),
  response: z.object({ webhookId }),
  errors: OF_ONE,
})

export const rotateOwnWebhookSecret = defineEndpoint({
  method: 'POST',
  path: '/api/server/webhooks/rotate',
  summary: 'Rotate the secret of a webhook',
  description:
    'Returns a new secret, which is shown once. During the overlap, requests are also signed with the old secret.',
  ...MANAGED,
  input: z.object({
    webhookId,
    overlap: z
      .enum(OVERLAPS, { error: 'must be none, 1h, 24h or 7d' })
      .describe('How long requests are also signed with the old secret.'),
  }),
  response: z.object({ secret }),
  errors: OF_ONE,
})

export const testOwnWebhook = defineEndpoint({
  method: 'POST',
  path: '/api/server/webhooks/test',
  summary: 'Send a test event',
  description: 'Sends an event of the type ping now and returns what the receiver responded.',
  ...MANAGED,
  // The time of the attempt plus the deadline of other endpoints.
  deadlineMs: 18_000,
  input: z.object({ webhookId }),
  response: testResult,
  errors: OF_ONE,
})

export const listOwnDeliveries = defineEndpoint({
  method: 'GET',
  path: '/api/server/webhooks/deliveries',
  summary: 'List the deliveries of a webhook',
  description: `Returns the newest events first, with their attempts. Deliveries are kept for ${DELIVERY_DAYS} days.`,
  ...MANAGED,
  input: z.object({
    webhookId,
    state: deliveryState.optional(),
    cursor: shape.cursor.optional(),
  }),
  response: z.object({
    deliveries: z.array(delivery).max(DELIVERIES_MAX),
    nextCursor: shape.shown(64).nullable().describe('null on the last page.'),
  }),
  errors: { ...ANY_READ, ...UNKNOWN },
})

export const resendOwnEvents = defineEndpoint({
  method: 'POST',
  path: '/api/server/webhooks/resend',
  summary: 'Send events again',
  description: `Sends one event, or all events since a time whose types the webhook receives: up to ${RESEND_MAX} per call, oldest first. Delivered events are sent again, too.`,
  ...MANAGED,
  input: z.object({
    webhookId,
    eventId: eventId.optional(),
    since: z.iso
      .datetime({ offset: true, error: 'must be a time such as 2026-11-15T10:00:00Z' })
      .max(40)
      .optional()
      .meta({
        description: 'A time such as 2026-11-15T10:00:00Z. Instead of eventId.',
        maxLength: 40,
        // The format says it; the long pattern of the library is not portable.
        pattern: undefined,
      }),
  }),
  response: z.object({
    queued: z.number().int().min(0).max(RESEND_MAX).describe('How many events are sent again.'),
    nextSince: shape.timestamp
      .nullable()
      .describe('To send the remaining events, call again with this time. null: no events remain.'),
  }),
  errors: OF_ONE,
})

export const WEBHOOK_ENDPOINTS = {
  listOwnWebhooks,
  createOwnWebhook,
  changeOwnWebhook,
  rotateOwnWebhookSecret,
  testOwnWebhook,
  listOwnDeliveries,
  resendOwnEvents,
  deleteOwnWebhook,
}
