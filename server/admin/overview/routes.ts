import * as endpoints from '@coffer/contract/admin/endpoints'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mountAdminEndpoint, mountAdminRoute } from '../access.ts'
import { exportStatement, nameStatementFile } from '../client-apps/export-statement.ts'
import { readOverview } from './read-overview.ts'
import { readStatement } from '../client-apps/read-statement.ts'

export function mountOverviewRoutes(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, endpoints.readOverview, ({ input }) =>
    readOverview(context, input),
  )
  mountAdminEndpoint(app, context, endpoints.readStatement, ({ input }) =>
    readStatement(context, input),
  )
  mountAdminRoute(app, context, endpoints.exportStatement, async ({ input }, reply) => {
    const lines = await exportStatement(context, input)
    reply.header('Content-Type', 'text/csv; charset=utf-8')
    reply.header('Content-Disposition', `attachment; filename="${nameStatementFile(input)}"`)
    return lines
  })
}
