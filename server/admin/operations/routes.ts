import * as endpoints from '@coffer/contract/admin/operations'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mountAdminEndpoint } from '../access.ts'
import { lookUpOperation } from './look-up-operation.ts'

export function mountOperationRoutes(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, endpoints.lookUpOperation, ({ input }) =>
    lookUpOperation(context, input),
  )
}
