import * as endpoints from '@coffer/contract/admin/overview'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mountAdminEndpoint } from '../access.ts'
import { readOverview } from './read-overview.ts'

export function mountOverviewRoutes(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, endpoints.readOverview, ({ input }) =>
    readOverview(context, input),
  )
}
