/**
 * One line per request with safe values only: the route's pattern and never the URL, the client app's public id and
 * never a credential, the error code and never a body.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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

interface ResponseRecorders {
  log: Logger
  metrics: Metrics
  appActivity: AppActivity
}

export function addRequestLog(app: FastifyInstance, recorders: ResponseRecorders) {
  app.decorateRequest('clientId', null)
  app.decorateRequest('errorCode', null)
  app.decorateRequest('overloadedLimit', null)
  app.decorateRequest('waitedMs', 0)
  app.addHook('onSend', (request, reply, payload, done) => {
    const record = () => recordResponse(recorders, request, reply)
    // The client may have disconnected before or may disconnect now. Fastify's own hook does not run then.
    if (reply.raw.destroyed) record()
    else reply.raw.once('close', record)
    done(null, payload)
  })
}

function recordResponse(
  { log, metrics, appActivity }: ResponseRecorders,
  request: FastifyRequest,
  { statusCode: status, elapsedTime: durationMs }: FastifyReply,
) {
  const { clientId, errorCode, overloadedLimit } = request
  const method = nameOfMethod(request)
  const route = request.routeOptions.url ?? 'unknown'
  const workedMs = Math.max(0, durationMs - request.waitedMs)
  metrics.observeRequest({ method, route, status, code: errorCode }, workedMs / 1000)
  if (overloadedLimit) metrics.countOverload(overloadedLimit)
  if (clientId && errorCode) appActivity.recordRefusal(clientId, 'error', errorCode)
  const level = status < 400 && PROBES.has(route) ? 'debug' : 'info'
  log[level]({
    requestId: request.id,
    method,
    route,
    status,
    durationMs: Math.round(100 * durationMs) / 100,
    clientId: clientId ?? undefined,
    code: errorCode ?? undefined,
    // If every proxy is trusted, the client controls the address.
    ip: isIP(request.ip) ? request.ip : undefined,
    ...request.trace,
  })
}

/** The client controls the method, so only known methods become a label. */
function nameOfMethod(request: FastifyRequest): string {
  return /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(request.method)
    ? request.method
    : 'OTHER'
}
