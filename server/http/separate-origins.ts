/**
 * Which origin serves which route. A script on one origin has no access to the pages and cookies of another one, so the
 * pages of people, operators and the documentation can each have their own. The origins differ in their host, because
 * browsers send cookies to all ports of a host.
 */
import type { ErrorBody } from '@coffer/contract/errors'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

type Origins = Pick<Config, 'publicOrigin' | 'accountOrigin' | 'adminOrigin' | 'docsOrigin'>
type OriginName = keyof Origins

/** For load balancers and the monitoring, which use the address of a process. */
const ON_ANY_HOST = /^\/(livez|readyz|metrics)$/
const ASSETS = /^\/(assets\/|favicon\.)/
const WITH_ASSETS: readonly OriginName[] = ['publicOrigin', 'accountOrigin', 'adminOrigin']
/** All other routes belong to publicOrigin. */
const AREAS: readonly [OriginName, RegExp][] = [
  ['accountOrigin', /^\/(account|api\/account|api\/client-secret)(\/|$)/],
  ['adminOrigin', /^\/(admin|api\/admin)(\/|$)/],
  ['docsOrigin', /^\/(docs(\/|$)|llms\.txt$)/],
]

/** The origin to which a route belongs. */
export function homeOf(route: string): OriginName {
  return AREAS.find(([, pattern]) => pattern.test(route))?.[0] ?? 'publicOrigin'
}

/** The same for every path, and without the hosts that exist. */
const UNKNOWN_HOST: ErrorBody = {
  error:
    'This host is not served here. Use the address that the operator of this service gave you.',
}

type ServedHosts = ReadonlyMap<string, readonly OriginName[]>

/** Which origins each host serves; undefined if all origins have the same host. */
function findHosts(origins: Origins): ServedHosts | undefined {
  const served = new Map<string, OriginName[]>()
  for (const [name, origin] of Object.entries(origins) as [OriginName, string | undefined][]) {
    if (origin === undefined) return undefined
    const { hostname } = new URL(origin)
    served.set(hostname, [...(served.get(hostname) ?? []), name])
  }
  return served.size === 1 ? undefined : served
}

/** Does nothing if all origins have the same host. */
export function separateOrigins(
  app: FastifyInstance,
  { publicOrigin, accountOrigin, adminOrigin, docsOrigin }: Origins,
) {
  const origins = { publicOrigin, accountOrigin, adminOrigin, docsOrigin }
  const served = findHosts(origins)
  if (served === undefined) return
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url
    if (route !== undefined && ON_ANY_HOST.test(route)) return done()
    // Never X-Forwarded-Host: a script on a page can set it.
    const names = served.get(readHostname(request.headers.host))
    if (names === undefined) return void reply.code(421).send(UNKNOWN_HOST)
    if (route === undefined) return done()
    const homes = ASSETS.test(route) ? WITH_ASSETS : [homeOf(route)]
    if (homes.some((home) => names.includes(home))) return done()
    const isMoved = names.includes('publicOrigin') && !route.startsWith('/api/')
    const location = isMoved ? moveTo(origins[homeOf(route)], request.url) : undefined
    if (location === undefined) return reply.callNotFound()
    return void reply.redirect(location, 307)
  })
}

function readHostname(host = ''): string {
  return host.toLowerCase().replace(/:\d{1,5}$/, '')
}

/** `target` is what the client sent: perhaps a whole URL with another host, of which only path and query remain. */
function moveTo(origin: string | undefined, target: string): string | undefined {
  const url = URL.parse(target, origin)
  return url === null || origin === undefined ? undefined : `${origin}${url.pathname}${url.search}`
}
