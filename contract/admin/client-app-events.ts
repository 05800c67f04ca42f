/** The events of a client app, part of the area client-apps. */
import { z } from 'zod'
import { EVENT_TYPES } from '../server/events.ts'
import { EVENT_DAYS } from '../limits.ts'
import * as shape from '../shapes.ts'
import { ANY_ADMIN_GET, defineAdminEndpoint, nextCursor, page } from './endpoint.ts'

const appEvent = z.object({
  id: z.string(),
  sequence: z.number().int().min(1),
  type: z.string(),
  createdAt: shape.timestamp.describe('When the event happened.'),
  serviceUserId: z.string().nullable().describe('null: it is not about a user.'),
  body: z.string().describe('The event as the app gets it, as JSON.'),
})

export const listAppEvents = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/client-apps/events',
  summary: 'List the events of a client app',
  description: `Newest first. Kept for at least ${EVENT_DAYS} days. If type is set, a page can be shorter although more events follow: continue until nextCursor is null.`,
  role: 'viewer',
  input: z.object({ clientId: shape.id, type: z.enum(EVENT_TYPES).optional(), ...page }),
  response: z.object({ events: z.array(appEvent), nextCursor }),
  errors: { ...ANY_ADMIN_GET, NOT_FOUND: {} },
})
