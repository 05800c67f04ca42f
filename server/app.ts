/** Every route of the service, as one readable list. */
import { BODY_MAX_BYTES } from '@coffer/contract/limits'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import { mountAdminRoutes } from './admin/routes.ts'
import type { Context } from './context.ts'
import type { Drain } from './http/create-drain.ts'
import { mountEventRoutes } from './events/feed/routes.ts'
import { endConnections } from './http/end-connections.ts'
import { createHttpServer } from './http/create-http-server.ts'
import { mountHealth } from './http/health.ts'
import { endExportsOnClose } from './http/limit-exports.ts'
import { mountMetrics } from './http/metrics.ts'
import { parseJson } from './http/parse-json.ts'
import { refuseBrokenRequests } from './http/refuse-broken-requests.ts'
import { addErrorHandler, renderError } from './http/render-error.ts'
import { addRequestLog } from './http/request-log.ts'
import { addSecurityHeaders, setResponseHeaders } from './http/security-headers.ts'
import { separateOrigins } from './http/separate-origins.ts'
import { traceRequests } from './http/trace-requests.ts'
import { watchEventLoop } from './http/watch-event-loop.ts'
import { mountAccountPage } from './pages/account-page.ts'
import { mountAdminPage } from './pages/admin-page.ts'
import { mountClientSecretPage } from './pages/client-secret-page.ts'
import { mountDocs } from './pages/docs-pages.ts'
import { mountFavicon } from './pages/web-assets.ts'
import { addMissingPages } from './pages/missing-pages.ts'
import { mountWidgetPages } from './pages/widget-pages.ts'
import { mountAccountRoutes } from './account/routes.ts'
import { ServiceError } from './service-error.ts'
import { mountWidgetRoutes } from './widget/routes.ts'
import { mountSignInRoutes } from './widget/sign-in-routes.ts'
import { mountTopupRoutes } from './topup/routes.ts'
import { mountWalletRoutes } from './wallet/routes.ts'
import { mountWebhookRoutes } from './events/webhooks/routes.ts'

/** How the metrics count a request that was refused before it was read. */
const UNREAD = { method: 'OTHER', route: 'unread', status: 503, code: 'SERVICE_UNAVAILABLE' }

export interface AppOptions {
  drain: Drain
  collectMetrics: () => Promise<string>
}

export async function createApp(context: Context, options: AppOptions): Promise<FastifyInstance> {
  const { config, log, metrics } = context
  const isBusy = watchEventLoop()
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: config.trustProxy,
    bodyLimit: BODY_MAX_BYTES,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // A request that arrives while the process stops is still executed. Fastify's own 503 is not in the contract.
    return503OnClosing: false,
    // A URL that cannot be decoded never reaches a route or a hook.
    frameworkErrors(_error, request, reply) {
      setResponseHeaders(reply, request.id, config)
      renderError(new ServiceError('NOT_FOUND'), request, reply, log)
    },
    clientErrorHandler: refuseBrokenRequests(config),
    serverFactory: (handle) =>
      createHttpServer(handle, {
        isHttps: config.isHttps,
        isBusy,
        drain: options.drain,
        onRefused() {
          metrics.observeRequest(UNREAD, 0)
          metrics.countOverload('event_loop')
        },
      }),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      await request.routeOptions.config.checkBody?.(request, body)
      return parseJson(body)
    },
  )
  endConnections(app, options.drain)
  endExportsOnClose(app, [context.exports, context.operatorExports, context.appExports])
  traceRequests(app)
  addSecurityHeaders(app, config)
  addRequestLog(app, context)
  addErrorHandler(app, log)
  addMissingPages(app, context)
  separateOrigins(app, config)

  mountHealth(app, context, options.drain)
  if (config.metricsPort === undefined) mountMetrics(app, metrics, options.collectMetrics)
  mountDocs(app, context)
  mountFavicon(app)
  mountWalletRoutes(app, context)
  mountEventRoutes(app, context)
  mountWebhookRoutes(app, context)
  mountSignInRoutes(app, context)
  mountWidgetRoutes(app, context)
  await mountTopupRoutes(app, context)
  mountAccountRoutes(app, context)
  const { operatorDb: db, operatorPasswords: passwords, operatorExports: exports } = context
  mountAdminRoutes(app, { ...context, db, passwords, exports })
  await mountWidgetPages(app, context)
  mountAccountPage(app, context)
  mountAdminPage(app, context)
  mountClientSecretPage(app)
  return app
}
