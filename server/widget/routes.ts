import * as endpoints from '@coffer/contract/widget-api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mountPageEndpoint } from '../http/page-route.ts'
import { createRateLimit } from '../http/rate-limit.ts'
import { mountServerEndpoint } from '../http/route.ts'
import { ServiceError } from '../service-error.ts'
import { createSession } from './create-session.ts'
import { readWidgetWallet } from './read-widget-wallet.ts'
import { requireSession } from './require-session.ts'

export function mountSessionRoutes(app: FastifyInstance, context: Context) {
  const { config } = context
  const mayCreate = createRateLimit(config.sessionsPerSecond)
  const mayAsk = createRateLimit(config.widgetRequestsPerSecond)

  mountServerEndpoint(app, context, endpoints.createSession, ({ clientApp, input }) => {
    if (!mayCreate(clientApp.clientId)) throw new ServiceError('RATE_LIMITED')
    return createSession(context, clientApp, input)
  })
  mountPageEndpoint(app, context, endpoints.readWidgetWallet, async ({ input }) => {
    const session = await requireSession(context, input.session)
    if (!mayAsk(input.session ?? '')) throw new ServiceError('RATE_LIMITED')
    return readWidgetWallet(context, session)
  })
}
