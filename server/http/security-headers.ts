import { API_VERSION } from '@coffer/contract/limits'
import type { FastifyInstance } from 'fastify'

/** What every answer carries. There is no CORS header on any route: the server API is not for browsers. */
export function addSecurityHeaders(app: FastifyInstance, options: { isHttps: boolean }) {
  const headers: Record<string, string> = {
    'Api-Version': API_VERSION,
    'Cache-Control': 'no-store',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=()',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  }
  if (options.isHttps) headers['Strict-Transport-Security'] = 'max-age=63072000; includeSubDomains'
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    reply.header('X-Request-Id', request.id)
    done()
  })
}
