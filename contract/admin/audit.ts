/** The audit log in the admin area. */
import { z } from 'zod'
import { ANY_ADMIN_GET, defineAdminEndpoint, nextCursor, nothing, page } from './endpoint.ts'
import * as shape from '../shapes.ts'

const auditFilter = {
  search: shape.search.optional().describe('In the actor, the action and the subject.'),
  ...shape.days,
}

export const readAudit = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/audit',
  summary: 'Read the audit log',
  description:
    'Returns every action with its operator, IP address, and the values before and after, newest first.',
  role: 'viewer',
  input: z.object({ ...auditFilter, ...page }),
  response: z.object({
    entries: z.array(
      z.object({
        id: z.string(),
        at: shape.timestamp,
        actor: z.string(),
        address: z.string().nullable(),
        action: z.string(),
        subject: z.string().nullable(),
        before: z.string().nullable().describe('JSON.'),
        after: z.string().nullable().describe('JSON.'),
      }),
    ),
    nextCursor,
  }),
  errors: ANY_ADMIN_GET,
})

/** Streams text/csv. */
export const exportAudit = defineAdminEndpoint({
  method: 'GET',
  path: '/api/admin/audit.csv',
  summary: 'Export the audit log',
  description: 'The same entries as a CSV file.',
  role: 'viewer',
  input: z.object(auditFilter),
  response: nothing,
  errors: ANY_ADMIN_GET,
})
