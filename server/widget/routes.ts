import * as endpoints from '@coffer/contract/widget/widget'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mountPageEndpoint } from '../http/page-route.ts'
import { mountServerEndpoint } from '../http/route.ts'
import { ServiceError } from '../service-error.ts'
import { createSession } from './create-session.ts'
import { readWidgetWallet } from './read-widget-wallet.ts'
import { requireSession } from './require-session.ts'

export function mountWidgetRoutes(app: FastifyInstance, context: Context) {
  mountServerEndpoint(app, context, endpoints.createSession, ({ clientApp, input }) => {
    const isAllowed = context.throttles.mayCreateSession(clientApp.clientId)
    if (!isAllowed) throw new ServiceError('RATE_LIMITED')
    return createSession(context, clientApp, input)
  })
  mountPageEndpoint(app, context, endpoints.readWidgetWallet, async ({ input, isNavigation }) => {
    // A URL that somebody sends must not show the wallet of the sender.
    if (isNavigation) throw new ServiceError('ORIGIN_NOT_ALLOWED')
    return readWidgetWallet(context, await requireSession(context, input.session))
  })
}
