/** Client apps in the admin area. */
import { z } from 'zod'
import {
  ANY_ADMIN_GET,
  ANY_ADMIN_POST,
  approvers,
  defineAdminEndpoint,
  nextCursor,
  nothing,
  page,
  pause,
} from './endpoint.ts'
import { appSettings, onMismatch } from './client-app-settings.ts'
import { restriction } from '../restriction.ts'
import * as shape from '../shapes.ts'

const listedApp = z.object({
  clientId: z.string(),
  name: z.string(),
  isActive: z.boolean(),
  pause: pause.nullable().describe('null: its writes are not paused.'),
  scopes: z.array(z.enum(['wallet:read', 'wallet:write'])),
  createdAt: shape.timestamp,
  lastUsedAt: shape.timestamp.nullable().describe('When its credentials were last accepted.'),
  linkedUsers: z.number().describe('Counted up to 10000.'),
})

/** Errors of actions on one app that require a recent confirmation. */
const ANY_CONFIRMED_POST = {
  ...ANY_ADMIN_POST,
  OPERATOR_FORBIDDEN: {},
  CONFIRMATION_REQUIRED: {},
  NOT_FOUND: {},
} as const

export const listClientApps = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/client-apps',
  summary: 'List client apps',
  description: 'Searches by name or clientId, newest first.',
  role: 'viewer',
  input: z.object({
    search: shape.search.optional(),
    state: z.enum(['active', 'inactive', 'paused']).optional(),
    ...page,
  }),
  response: z.object({ clientApps: z.array(listedApp), nextCursor }),
  errors: ANY_ADMIN_GET,
})

export const readClientApp = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/client-apps/one',
  summary: 'Read a client app',
  description: 'Returns settings, secrets, settlement and the recent activity of its integration.',
  role: 'viewer',
  input: z.object({ clientId: shape.id }),
  response: listedApp.extend({
    allowedOrigins: z.array(z.string()),
    allowedIframeParents: z.array(z.string()),
    accentColor: z.string().nullable(),
    onMismatch: onMismatch.describe('What a repeat of a reference with other values gets.'),
    getsBalanceEvents: z.boolean().describe('Whether the app gets the event balance.changed.'),
    contactEmails: z.array(z.string()),
    isInUse: z
      .boolean()
      .describe('Whether somebody has linked it, or its secret was accepted once.'),
    creditLimit: shape.money.nullable().describe('null: unlimited.'),
    waitingLimit: z
      .object({
        grantId: z.string(),
        creditLimit: shape.money.nullable().describe('null: unlimited.'),
        proposedBy: z.string(),
      })
      .nullable()
      .describe('The newest credit limit that waits for a second operator; null: none.'),
    debitAlert: z
      .object({ above: shape.money.nullable(), pauses: z.boolean() })
      .describe('When the debits of one hour are above an amount; null: no alert.'),
    settlement: shape.money.describe(
      'What the platform owes the app; negative: what the app owes. The sum of its debits less its credits.',
    ),
    currency: shape.currency,
    secrets: z.array(
      z.object({
        id: z.string(),
        createdAt: shape.timestamp,
        expiresAt: shape.timestamp.nullable(),
        lastUsedAt: shape.timestamp.nullable(),
        restriction: restriction.nullable().describe('null: none.'),
      }),
    ),
    seen: z.object({
      refusedOrigins: z
        .array(z.object({ origin: z.string(), at: shape.timestamp, count: z.number() }))
        .describe('Pages that tried to frame the widget and were refused.'),
      errors: z.array(z.object({ code: z.string(), at: shape.timestamp, count: z.number() })),
    }),
  }),
  errors: { ...ANY_ADMIN_GET, NOT_FOUND: {} },
})

/** The state of the requested credit limit. */
const limitOutcome = {
  creditLimitWaits: z
    .boolean()
    .describe(
      'Whether the new credit limit waits for a second operator. Until one approves it, the limit stays as it is; that of a new app is 0.',
    ),
  approvers,
}

export const createClientApp = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/client-apps',
  summary: 'Register a client app',
  description:
    'Shows the secret once. The credit limit counts toward the 24-hour total like a bonus: above the threshold it needs approval by a second operator. "unlimited" always needs it.',
  role: 'operator',
  needsConfirmation: true,
  input: z.object({
    ...appSettings,
    creditLimit: z
      .union([shape.amount, z.literal('unlimited')])
      .describe(
        'A number or "unlimited". An unlimited limit can later be reduced only on the command line.',
      ),
  }),
  response: z.object({ clientId: z.string(), clientSecret: z.string(), ...limitOutcome }),
  errors: {
    ...ANY_ADMIN_POST,
    OPERATOR_FORBIDDEN: {},
    CONFIRMATION_REQUIRED: {},
    INVALID_AMOUNT: {},
    ORIGIN_TAKEN: {},
  },
})

export const changeClientApp = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/client-apps/change',
  summary: 'Change a client app',
  description:
    'Changes name, scopes, origins, contacts, color, and the credit limit if the app has one. Once the app is in use, new origins and scopes and other contacts need approval by a second operator; everything else takes effect immediately. An increase of the limit counts toward the 24-hour total like a bonus: above the threshold it needs approval by a second operator. A decrease takes effect immediately.',
  role: 'operator',
  needsConfirmation: true,
  input: z.object({
    clientId: shape.id,
    ...appSettings,
    creditLimit: shape.amount.optional(),
  }),
  response: z.object({
    ...limitOutcome,
    changesWait: z
      .boolean()
      .describe('Whether a part of the settings waits for a second operator.'),
  }),
  errors: {
    ...ANY_ADMIN_POST,
    OPERATOR_FORBIDDEN: {},
    CONFIRMATION_REQUIRED: {},
    INVALID_AMOUNT: {},
    ORIGIN_TAKEN: {},
    NOT_FOUND: {},
  },
})

export const activateClientApp = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/client-apps/activate',
  summary: 'Activate or deactivate a client app',
  description: 'Its server requests, sessions and embedding stop or resume within a second.',
  role: 'operator',
  needsConfirmation: true,
  input: z.object({
    clientId: shape.id,
    isActive: z.boolean(),
    sharesParents: appSettings.sharesParents,
  }),
  response: nothing,
  errors: {
    ...ANY_ADMIN_POST,
    OPERATOR_FORBIDDEN: {},
    CONFIRMATION_REQUIRED: {},
    ORIGIN_TAKEN: {},
    NOT_FOUND: {},
  },
})

export const rotateClientSecret = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/client-apps/rotate',
  summary: 'Rotate the secret of a client app',
  description:
    'Shows the new secret once. The old secret stays valid during the overlap. Once the app is in use, a second operator must approve it; then call it again within a day.',
  role: 'operator',
  needsConfirmation: true,
  input: z.object({
    clientId: shape.id,
    overlap: z.enum(['none', '1h', '24h', '7d']),
    restriction: restriction
      .optional()
      .describe(
        'The restriction of the new secret. The new secret replaces the secret with the same name.',
      ),
  }),
  response: z.object({
    clientSecret: z.string().nullable().describe('null: it waits for a second operator.'),
    approvers,
  }),
  errors: { ...ANY_CONFIRMED_POST, SECOND_OPERATOR_REQUIRED: {} },
})

export const replaceClientSecret = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/client-apps/replace-secret',
  summary: 'Replace a leaked secret now',
  description:
    'All secrets of the app stop working within a second. The contacts of the app get a one-time link to the new one, which no operator sees.',
  role: 'operator',
  needsConfirmation: true,
  input: z.object({ clientId: shape.id }),
  response: z.object({ contacts: z.array(z.string()).describe('Who received the link.') }),
  errors: { ...ANY_CONFIRMED_POST, CONTACT_REQUIRED: {} },
})

export const revokeClientSecret = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/client-apps/revoke',
  summary: 'Revoke a secret now',
  description: 'Takes effect everywhere within a second.',
  role: 'operator',
  needsConfirmation: true,
  input: z.object({ clientId: shape.id, secretId: z.string().regex(/^\d{1,18}$/) }),
  response: nothing,
  errors: ANY_CONFIRMED_POST,
})
