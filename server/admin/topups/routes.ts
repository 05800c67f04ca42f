import * as endpoints from '@coffer/contract/admin/topups'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mountAdminEndpoint } from '../access.ts'
import { listTopups } from './list-topups.ts'
import { readTopup } from './read-topup.ts'
import { refundTopup } from './refund-topup.ts'

export function mountTopupRoutes(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, endpoints.listTopups, ({ input }) => listTopups(context, input))
  mountAdminEndpoint(app, context, endpoints.readTopup, ({ input }) => readTopup(context, input.id))
  mountAdminEndpoint(app, context, endpoints.refundTopup, (call) =>
    refundTopup(context, call, call.input),
  )
}
