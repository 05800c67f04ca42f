/**
 * One line per request, made only of what is safe: the route's pattern and never the address, the client app's
 * public id and never a credential, the code of a refusal and never a body.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isIP } from 'node:net'
import type { Logger } from 'pino'
import type { Metrics } from './metrics.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of an authenticated client app only. */
    clientId: string | null
    errorCode: string | null
  }
}

export function addRequestLog(app: FastifyInstance, log: Logger, metrics: Metrics) {
  app.decorateRequest('clientId', null)
  app.decorateRequest('errorCode', null)
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const durationMs = reply.elapsedTime
    const status = reply.statusCode
    const method = nameOfMethod(request)
    metrics.observeRequest({ method, route, status }, durationMs / 1000)
    log.info({
      requestId: request.id,
      method,
      route,
      status,
      durationMs: Math.round(durationMs * 100) / 100,
      clientId: request.clientId ?? undefined,
      code: request.errorCode ?? undefined,
      // Behind a proxy that is trusted blindly this is the caller's word.
      ip: isIP(request.ip) ? request.ip : undefined,
    })
    done()
  })
}

/** A method is the caller's word, and only those that we know may become a label. */
function nameOfMethod(request: FastifyRequest): string {
  return /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(request.method)
    ? request.method
    : 'OTHER'
}
