/** Switches in the operators' area: writes that are paused, and the keys that secrets and authenticators hang on. */
import { z } from 'zod'
import { ANY_ADMIN_GET, ANY_ADMIN_POST, defineAdminEndpoint, pause, nothing } from './endpoint.ts'
import * as shape from '../shapes.ts'

const switching = {
  isPaused: z.boolean(),
  reason: shape.reason.optional().describe('Why; needed to pause.'),
}

export const readSwitches = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/switches',
  summary: 'Read the switches',
  description: 'Whether all writes are paused.',
  role: 'viewer',
  input: nothing,
  answer: z.object({ pause: pause.nullable().describe('null: writes go on.') }),
  errors: ANY_ADMIN_GET,
})

export const pauseWrites = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/switches/pause',
  summary: 'Pause or resume all writes',
  description:
    'Within a second nothing moves money any more: debits, credits and new top-ups answer 503 with Retry-After. Reads go on, and so does the answer to what was decided before. Money that comes in meanwhile is booked afterwards.',
  role: 'owner',
  isDangerous: true,
  input: z.object(switching),
  answer: nothing,
  errors: { ...ANY_ADMIN_POST, OPERATOR_FORBIDDEN: {}, CONFIRMATION_REQUIRED: {} },
})

export const pauseClientApp = defineAdminEndpoint({
  method: 'POST',
  path: '/api/admin/switches/client-app',
  summary: 'Pause or resume the writes of a client app',
  description:
    'Within a second its debits, credits and new top-ups answer 503 with Retry-After. It still reads, its sessions and frames work, and what was decided before is still answered.',
  role: 'operator',
  isDangerous: true,
  input: z.object({ clientId: shape.id, ...switching }),
  answer: nothing,
  errors: { ...ANY_ADMIN_POST, OPERATOR_FORBIDDEN: {}, CONFIRMATION_REQUIRED: {}, NOT_FOUND: {} },
})

const key = z.object({
  id: z.string(),
  isNewest: z.boolean().describe('New hashes and seals are made with it.'),
  isKnown: z.boolean().describe('Whether the process that answers has it.'),
})

export const readKeys = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/switches/keys',
  summary: 'Read the state of the keys',
  description: 'What hangs on which key, by its id; the keys themselves are never shown.',
  role: 'viewer',
  input: nothing,
  answer: z.object({
    peppers: z.array(key.extend({ liveSecrets: z.number(), clientApps: z.number() })),
    behind: z
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
        'Live secrets that are not hashed with the newest pepper, those not used for longest first; at most 100.',
      ),
    adminKeys: z.array(
      key.extend({
        authenticators: z.number(),
        recoveryCodes: z.number().describe('Operators whose recovery codes hang on it.'),
      }),
    ),
  }),
  errors: ANY_ADMIN_GET,
})
