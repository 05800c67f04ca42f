import { API_VERSION } from '@coffer/contract/limits'
import type { FastifyInstance, FastifyReply } from 'fastify'

const PLAIN = {
  'Api-Version': API_VERSION,
  'Cache-Control': 'no-store',
  // Pages have their own. Everything else, opened in a window, has no script and an origin of its own: another page of
  // ours that opened it cannot read it, and cannot send requests from there.
  'Content-Security-Policy': `default-src 'none'; frame-ancestors 'none'; sandbox`,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}
const SECURE = { ...PLAIN, 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' }

export function headersFor({ isHttps }: { isHttps: boolean }): Record<string, string> {
  return isHttps ? SECURE : PLAIN
}

/** The headers of every response. No route has CORS headers: the server API is not for browsers. */
export function setResponseHeaders(
  reply: FastifyReply,
  requestId: string,
  config: { isHttps: boolean },
) {
  reply.headers(headersFor(config))
  reply.header('X-Request-Id', requestId)
}

export function addSecurityHeaders(app: FastifyInstance, options: { isHttps: boolean }) {
  app.addHook('onRequest', (request, reply, done) => {
    setResponseHeaders(reply, request.id, options)
    done()
  })
}
