/**
 * If the process runs under OpenTelemetry, log lines carry the ids of the trace, and the span of a request gets the
 * name of its route. Without it, the calls below return undefined. See docs/operations.md.
 */
import { trace, type Span } from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'

/** The names are those of OpenTelemetry's log format. */
export interface TraceIds {
  trace_id: string
  span_id: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null: the request is not traced. */
    trace: TraceIds | null
  }
}

export function readTrace(span: Span | undefined = trace.getActiveSpan()): TraceIds | undefined {
  const ids = span?.spanContext()
  return ids && { trace_id: ids.traceId, span_id: ids.spanId }
}

export function traceRequests(app: FastifyInstance) {
  app.decorateRequest('trace', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const span = trace.getActiveSpan()
    if (span) {
      request.trace = readTrace(span) ?? null
      const route = request.routeOptions.url ?? 'unknown'
      span.updateName(`${request.method} ${route}`)
      span.setAttribute('http.route', route)
    }
    done()
  })
}

/** The attributes in which instrumentations record the URL of a request, in the old and the new convention. */
const URLS = ['http.url', 'http.target', 'url.full', 'url.path', 'url.query']
const NO_URL = Object.fromEntries(URLS.map((name) => [name, '']))

/** A URL may contain a client secret, so a span must not contain it. */
export function hideUrl() {
  trace.getActiveSpan()?.setAttributes(NO_URL)
}
