import * as endpoints from '@coffer/contract/admin/audit'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { sendCsv } from '../../http/csv.ts'
import { mountAdminEndpoint, mountAdminExport } from '../access.ts'
import { exportAudit, nameAuditFile } from './export-audit.ts'
import { readAudit } from './read-audit.ts'

export function mountAuditRoutes(app: FastifyInstance, context: Context) {
  const { db } = context
  mountAdminEndpoint(app, context, endpoints.readAudit, ({ input }) => readAudit(db, input))
  mountAdminExport(app, context, endpoints.exportAudit, async ({ input, record }, reply) => {
    const lines = await exportAudit(db, input)
    // It contains the emails and addresses of operators.
    await record(db, { action: 'audit.export' })
    return sendCsv(reply, nameAuditFile(new Date()), lines)
  })
}
