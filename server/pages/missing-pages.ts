/**
 * What a browser shows for an address that has no route. API clients get JSON, which says which methods the address has,
 * if any.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { renderError } from '../http/render-error.ts'
import { homeOf } from '../http/separate-origins.ts'
import { MethodNotAllowed, ServiceError } from '../service-error.ts'
import { readMissingDoc } from './docs-pages.ts'
import { ICON } from './render-page.ts'
import { PLAIN_POLICY, renderPlainPage } from './render-plain-page.ts'

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `${PLAIN_POLICY}; img-src 'self'; frame-ancestors 'none'; sandbox`,
}

export function addMissingPages(
  app: FastifyInstance,
  { config, log }: { config: Config; log: Logger },
) {
  const missingDoc = readMissingDoc()
  const home = renderHome(config)
  const missing = renderPlainPage(
    'Page not found',
    '<p>There is no page at this address. Check the address, or go back to the page that you came from.</p>',
    ICON,
  )
  const methods = collectMethods(app)
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?')
    if (!wantsPage(request)) {
      const allowed = methods.get(path) ?? []
      // On the other hosts, the path does not exist.
      const isServed = allowed.length > 0 && isAt(request, config, config[homeOf(path)])
      const isMissing = !isServed || allowed.includes(request.method)
      if (!isMissing) reply.header('Allow', allowed.join(', ').replace('GET', 'GET, HEAD'))
      const error = isMissing ? new ServiceError('NOT_FOUND') : new MethodNotAllowed(allowed)
      return renderError(error, request, reply, log)
    }
    if (path === '/' && isAt(request, config, config.publicOrigin))
      return send(reply, 200, { headers: HEADERS, body: home })
    request.errorCode = 'NOT_FOUND'
    const isDoc = path.startsWith('/docs/') && isAt(request, config, config.docsOrigin)
    return send(reply, 404, isDoc ? missingDoc : { headers: HEADERS, body: missing })
  })
}

/** The methods of each path of the APIs. The routes are added afterwards. */
function collectMethods(app: FastifyInstance): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>()
  app.addHook('onRoute', ({ method, url }) => {
    if (url.startsWith('/api/'))
      methods.set(url, [...(methods.get(url) ?? []), method].flat().toSorted())
  })
  return methods
}

function send(
  reply: FastifyReply,
  status: number,
  { headers, body }: { headers: Record<string, string>; body: string },
) {
  return reply
    .code(status)
    .headers({ ...headers, Vary: 'Accept' })
    .send(body)
}

function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const isPage = method === 'GET' && !/^\/api(\/|\?|$)/i.test(url)
  return isPage && /\btext\/html\b/i.test(headers.accept ?? '')
}

/** Each host serves only its own pages. */
function isAt({ headers }: FastifyRequest, config: Config, origin: string | undefined): boolean {
  const { publicOrigin, accountOrigin, adminOrigin, docsOrigin } = config
  const all = new Set([publicOrigin, accountOrigin, adminOrigin, docsOrigin])
  if (all.size === 1 || origin === undefined) return true
  return headers.host?.toLowerCase().split(':')[0] === new URL(origin).hostname
}

function renderHome({ accountOrigin = '', docsOrigin = '' }: Config): string {
  return renderPlainPage(
    'Coffer',
    `<p>A wallet service. One balance, for several apps.</p>
<ul>
<li><a href="${accountOrigin}/account">Your wallet</a>Balance, history and connected apps.</li>
<li><a href="${docsOrigin}/docs">Documentation</a>For developers and operators.</li>
</ul>`,
    ICON,
  )
}
