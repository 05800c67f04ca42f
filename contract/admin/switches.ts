/** Switches in the admin area: paused writes, and the keys that protect secrets and authenticators. */
import { z } from 'zod'
import { ANY_ADMIN_GET, ANY_ADMIN_POST, defineAdminEndpoint, pause, nothing } from './endpoint.ts'
import * as shape from '../shapes.ts'

const switching = {
  isPaused: z.boolean(),
  reason: shape.reason.optional().describe('The reason. Required to pause.'),
}

export const readSwitches = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/switches',
  summary: 'Read the switches',
  description: 'Returns whether all writes are paused.',
  role: 'viewer',
  input: nothing,
  response: z.object({ pause: pause.nullable().describe('null: writes are not paused.') }),
  errors: ANY_ADMIN_GET,
})

export const pauseWrites = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/switches/pause',
  summary: 'Pause or resume all writes',
  description:
    'Takes effect within a second: debits, credits and new top-ups return 503 with Retry-After. Reads and replays of recorded outcomes continue. Card payments that complete in the meantime are credited afterwards.',
  role: 'owner',
  needsConfirmation: true,
  input: z.object(switching),
  response: nothing,
  errors: { ...ANY_ADMIN_POST, OPERATOR_FORBIDDEN: {}, CONFIRMATION_REQUIRED: {} },
})

export const pauseClientApp = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/switches/client-app',
  summary: 'Pause or resume the writes of a client app',
  description:
    'Takes effect within a second: its debits, credits and new top-ups return 503 with Retry-After. Its reads, sessions, widgets and replays of recorded outcomes continue.',
  role: 'operator',
  needsConfirmation: true,
  input: z.object({ clientId: shape.id, ...switching }),
  response: nothing,
  errors: { ...ANY_ADMIN_POST, OPERATOR_FORBIDDEN: {}, CONFIRMATION_REQUIRED: {}, NOT_FOUND: {} },
})

const key = z.object({
  id: z.string(),
  isNewest: z.boolean().describe('New hashes and seals are made with it.'),
  isKnown: z.boolean().describe('Whether the responding process has the key.'),
})

export const readKeys = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/switches/keys',
  summary: 'Read the state of the keys',
  description:
    'Returns what each key still protects, by key id. The keys themselves are never shown.',
  role: 'viewer',
  input: nothing,
  response: z.object({
    peppers: z.array(
      key.extend({
        liveSecrets: z.number(),
        clientApps: z.number(),
        webhooks: z.number().describe('The number of webhooks whose secrets it encrypts.'),
      }),
    ),
    outdatedSecrets: z
      .array(
        z.object({
          clientId: z.string(),
          name: z.string(),
          isActive: z.boolean(),
          pepperId: z.string(),
          lastUsedAt: shape.timestamp.nullable(),
        }),
      )
      .describe(
        'Valid secrets that are not hashed with the newest pepper, least recently used first; at most 100.',
      ),
    adminKeys: z.array(
      key.extend({
        authenticators: z.number(),
        recoveryCodes: z
          .number()
          .describe('The number of operators whose recovery codes are protected by this key.'),
      }),
    ),
  }),
  errors: ANY_ADMIN_GET,
})
