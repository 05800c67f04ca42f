/**
 * One line per request with safe values only: the route's pattern and never the URL, the client app's public id and
 * never a credential, the error code and never a body.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isIP } from 'node:net'
import type { Logger } from 'pino'
import type { AppActivity } from '../client-app/record-app-activity.ts'
import type { Limit } from '../service-error.ts'
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

export interface ResponseRecorders {
  log: Logger
  metrics: Metrics
  appActivity: AppActivity
}

export interface RecordedResponse extends Pick<
  FastifyRequest,
  'id' | 'ip' | 'clientId' | 'errorCode' | 'overloadedLimit' | 'waitedMs' | 'trace'
> {
  method: string
  route: string
  status: number
  durationMs: number
}

export function recordResponse(
  { log, metrics, appActivity }: ResponseRecorders,
  response: RecordedResponse,
) {
  const { method, route, status, durationMs, clientId, errorCode, overloadedLimit } = response
  const workedMs = Math.max(0, durationMs - response.waitedMs)
  metrics.observeRequest({ method, route, status, code: errorCode }, workedMs / 1000)
  if (overloadedLimit) metrics.countOverload(overloadedLimit)
  if (clientId && errorCode) appActivity.recordRefusal(clientId, 'error', errorCode)
  const level = status < 400 && PROBES.has(route) ? 'debug' : 'info'
  log[level]({
    requestId: response.id,
    method,
    route,
    status,
    durationMs: Math.round(100 * durationMs) / 100,
    clientId: clientId ?? undefined,
    code: errorCode ?? undefined,
    // If every proxy is trusted, the client controls the address.
    ip: isIP(response.ip) ? response.ip : undefined,
    ...response.trace,
  })
}

export function addRequestLog(app: FastifyInstance, recorders: ResponseRecorders) {
  app.decorateRequest('clientId', null)
  app.decorateRequest('errorCode', null)
  app.decorateRequest('overloadedLimit', null)
  app.decorateRequest('waitedMs', 0)
  app.addHook('onResponse', (request, reply, done) => {
    const { id, ip, clientId, errorCode, overloadedLimit, waitedMs, trace } = request
    recordResponse(recorders, {
      id,
      ip,
      clientId,
      errorCode,
      overloadedLimit,
      waitedMs,
      trace,
      method: nameOfMethod(request),
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
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
