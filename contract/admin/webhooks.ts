/** The webhooks of a client app in the admin area. */
import { z } from 'zod'
import { DELIVERY_DAYS, RESEND_MAX } from '../limits.ts'
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
} from '../server/webhook-shapes.ts'
import {
  ANY_ADMIN_GET,
  ANY_ADMIN_POST,
  approvers,
  defineAdminEndpoint,
  nextCursor,
  nothing,
  page,
} from './endpoint.ts'

const ANY_CHANGE = {
  ...ANY_ADMIN_POST,
  OPERATOR_FORBIDDEN: {},
  CONFIRMATION_REQUIRED: {},
  NOT_FOUND: {},
} as const
const which = { clientId: shape.id, webhookId }

export const listWebhooks = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/webhooks',
  summary: 'List the webhooks of a client app',
  description: 'Oldest first.',
  role: 'viewer',
  input: z.object({ clientId: shape.id }),
  response: z.object({
    name: z.string().describe('The name of the client app.'),
    webhooks: z.array(webhook),
  }),
  errors: { ...ANY_ADMIN_GET, NOT_FOUND: {} },
})

export const createWebhook = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/webhooks',
  summary: 'Create a webhook',
  description:
    'Shows its secret once. The contacts of the app are notified, as of every change. Once the app is in use, a second operator must approve the URL; then call it again within a day.',
  role: 'operator',
  needsConfirmation: true,
  input: z.object({ clientId: shape.id, ...webhookSettings }),
  response: z.object({
    webhookId: z.string().nullable().describe('null: the URL waits for a second operator.'),
    secret: secret.nullable(),
    approvers,
  }),
  errors: { ...ANY_CHANGE, WEBHOOK_LIMIT: {} },
})

export const changeWebhook = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/webhooks/change',
  summary: 'Change a webhook',
  description:
    'A webhook that is switched off gets no events. When it is switched on again, deliveries that were already queued are sent. Events from the time when it was off are not sent: resend them. Once the app is in use, a second operator must approve a new URL, and nothing changes until then; call it again within a day.',
  role: 'operator',
  needsConfirmation: true,
  input: z.object({ ...which, ...webhookSettings, isEnabled: z.boolean() }),
  response: z.object({
    changeWaits: z.boolean().describe('Whether the URL waits for a second operator.'),
    approvers,
  }),
  errors: ANY_CHANGE,
})

export const deleteWebhook = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/webhooks/delete',
  summary: 'Delete a webhook',
  description: 'Queued deliveries of the webhook are not sent.',
  role: 'operator',
  needsConfirmation: true,
  input: z.object(which),
  response: nothing,
  errors: ANY_CHANGE,
})

export const rotateWebhookSecret = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/webhooks/rotate',
  summary: 'Rotate the secret of a webhook',
  description:
    'Shows the new secret once. During the overlap, requests are signed with both secrets.',
  role: 'operator',
  needsConfirmation: true,
  input: z.object({ ...which, overlap: z.enum(OVERLAPS) }),
  response: z.object({ secret }),
  errors: ANY_CHANGE,
})

export const testWebhook = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/webhooks/test',
  summary: 'Send a test event',
  description: 'Sends an event of the type ping now and returns what the receiver responded.',
  role: 'operator',
  // The time of the attempt, and the time of other endpoints.
  deadlineMs: 18_000,
  input: z.object(which),
  response: testResult,
  errors: { ...ANY_ADMIN_POST, OPERATOR_FORBIDDEN: {}, NOT_FOUND: {} },
})

export const listDeliveries = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/webhooks/deliveries',
  summary: 'List the deliveries of a webhook',
  description: `Newest events first, with their attempts. Kept for ${DELIVERY_DAYS} days.`,
  role: 'viewer',
  input: z.object({ ...which, state: deliveryState.optional(), ...page }),
  response: z.object({ deliveries: z.array(delivery), nextCursor }),
  errors: { ...ANY_ADMIN_GET, NOT_FOUND: {} },
})

export const resendEvents = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/webhooks/resend',
  summary: 'Send events again',
  description: `Sends one event, or all events since a time whose types the webhook receives: up to ${RESEND_MAX} per call, oldest first. Delivered events are sent again, too.`,
  role: 'operator',
  input: z.object({
    ...which,
    eventId: eventId.optional(),
    since: z.iso.datetime({ offset: true }).optional().describe('Instead of eventId.'),
  }),
  response: z.object({
    queued: z.number().int().describe('How many events are sent again.'),
    nextSince: shape.timestamp
      .nullable()
      .describe('To send the remaining events, call again with this time. null: no events remain.'),
  }),
  errors: { ...ANY_ADMIN_POST, OPERATOR_FORBIDDEN: {}, NOT_FOUND: {} },
})
