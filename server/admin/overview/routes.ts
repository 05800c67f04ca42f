import * as clientAppsEndpoints from '@coffer/contract/admin/client-apps'
import * as overviewEndpoints from '@coffer/contract/admin/overview'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mountAdminEndpoint, mountAdminRoute } from '../access.ts'
import { exportStatement, nameStatementFile } from '../client-apps/export-statement.ts'
import { readOverview } from './read-overview.ts'
import { readStatement } from '../client-apps/read-statement.ts'

export function mountOverviewRoutes(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, overviewEndpoints.readOverview, ({ input }) =>
    readOverview(context, input),
  )
  mountAdminEndpoint(app, context, clientAppsEndpoints.readStatement, ({ input }) =>
    readStatement(context, input),
  )
  mountAdminRoute(app, context, clientAppsEndpoints.exportStatement, async ({ input }, reply) => {
    const lines = await exportStatement(context, input)
    reply.header('Content-Type', 'text/csv; charset=utf-8')
    reply.header('Content-Disposition', `attachment; filename="${nameStatementFile(input)}"`)
    return lines
  })
}
