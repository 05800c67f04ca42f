/** The icon of the service's pages. Browsers request favicon.ico for responses that are not HTML. */
import type { FastifyInstance } from 'fastify'
import { readFileSync } from 'node:fs'

const HEADERS = { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' }

export function mountFavicon(app: FastifyInstance) {
  const icon = readFileSync(new URL('../../site/dist/mark.svg', import.meta.url))
  for (const url of ['/favicon.svg', '/favicon.ico']) {
    app.get(url, (_request, reply) => reply.headers(HEADERS).send(icon))
  }
}
