/**
 * One line per request with safe values only: the route's pattern and never the URL, the client app's public id and
 * never a credential, the error code and never a body.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isIP } from 'node:net'
import type { Logger } from 'pino'
import type { AppActivity } from '../client-app/record-app-activity.ts'
import type { Limit } from '../service-error.ts'
import { writeLine } from './create-log.ts'
import type { Metrics } from './metrics.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Only if the client app is authenticated. */
    clientId: string | null
    errorCode: string | null
    /** The limit because of which the request was refused. */
    overloadedLimit: Limit | null
    /** How long it waited for something to happen, as its client asked for. */
    waitedMs: number
  }
}

/** Load balancers and the monitoring send these every few seconds. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics'])

export function addRequestLog(
  app: FastifyInstance,
  { log, metrics, appActivity }: { log: Logger; metrics: Metrics; appActivity: AppActivity },
) {
  app.decorateRequest('clientId', null)
  app.decorateRequest('errorCode', null)
  app.decorateRequest('overloadedLimit', null)
  app.decorateRequest('waitedMs', 0)
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const durationMs = reply.elapsedTime
    const status = reply.statusCode
    const method = nameOfMethod(request)
    const { id, clientId, errorCode, overloadedLimit } = request
    const workedMs = Math.max(0, durationMs - request.waitedMs)
    metrics.observeRequest({ method, route, status, code: errorCode }, workedMs / 1000)
    if (overloadedLimit) metrics.countOverload(overloadedLimit)
    if (clientId && errorCode) appActivity.recordRefusal(clientId, 'error', errorCode)
    // If every proxy is trusted, the client controls the address.
    const ip = isIP(request.ip) ? request.ip : null
    const level = status < 400 && PROBES.has(route) ? 'debug' : 'info'
    writeLine(log, level, {
      requestId: id,
      method,
      route,
      status,
      durationMs,
      clientId,
      code: errorCode,
      ip,
      trace_id: request.trace?.trace_id ?? null,
      span_id: request.trace?.span_id ?? null,
    })
    done()
  })
}

/** The client controls the method, so only known methods become a label. */
function nameOfMethod(request: FastifyRequest): string {
  return /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(request.method)
    ? request.method
    : 'OTHER'
}
