import { exchangeLinkCode as endpoint } from '@coffer/contract/server-endpoints'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mountServerEndpoint } from '../http/route.ts'
import { exchangeLinkCode } from './exchange-link-code.ts'

export function mountAccountRoutes(app: FastifyInstance, context: Context) {
  mountServerEndpoint(app, context, endpoint, ({ clientApp, input }) =>
    exchangeLinkCode(context.db, clientApp.id, input.linkCode),
  )
}
