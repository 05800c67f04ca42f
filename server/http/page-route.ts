/**
 * Mounts an endpoint that our own pages call. Changes, and reads with a cookie, are accepted from their origin only.
 */
import type { Endpoint } from '@coffer/contract/endpoint'
import type { Language } from '@coffer/contract/languages'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'
import { findNetwork, readAddress } from './read-address.ts'
import { fieldsOf, withDeadline, parseInput } from './read-input.ts'
import { readLanguage } from './read-language.ts'
import { homeOf } from './separate-origins.ts'

export interface PageCall<Input extends z.ZodObject> {
  input: z.output<Input>
  /** The network address of the client. */
  address: string
  /** Of this address, for rate limits: an IPv4 address, or the /64 of an IPv6 address. */
  network: string
  /** The host of the request. */
  host: string
  /** The browser would show the response as a page. */
  isNavigation: boolean
  userAgent: string
  /** The supported language that the browser prefers; null if it prefers none of them. */
  language: Language | null
  cookie: (name: string) => string | undefined
  /** null removes it. Without a time, the browser keeps it until it is closed. */
  setCookie: (name: string, value: string | null, keptSeconds?: number) => void
}

export function mountPageEndpoint<Input extends z.ZodObject, Response extends z.ZodObject>(
  app: FastifyInstance,
  { config }: Context,
  endpoint: Endpoint<Input, Response>,
  handle: (call: PageCall<Input>) => Promise<z.input<Response>>,
) {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    onRequest: refuseOtherOrigins(endpoint, config),
    async handler(request, reply) {
      const input = parseInput(endpoint, fieldsOf(request, endpoint))
      return withDeadline(endpoint, handle({ input, ...readCall(request, reply, config) }))
    },
  })
}

export function refuseOtherOrigins(endpoint: Pick<Endpoint, 'method' | 'path'>, config: Config) {
  const home = homeOf(endpoint.path)
  const isRead = endpoint.method === 'GET'
  function isAllowed(request: FastifyRequest): boolean {
    if (!isRead) return isSameOrigin(request, config, config[home])
    // The widget API has no cookies: whoever has the session may read, from anywhere.
    return home === 'publicOrigin' || mayRead(request)
  }
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    done(isAllowed(request) ? undefined : new ServiceError('ORIGIN_NOT_ALLOWED'))
  }
}

export type SessionCall<Input extends z.ZodObject> = Pick<PageCall<Input>, 'input' | 'network'> & {
  session: unknown
}

/** Mounts an endpoint whose only credential is the session in its query: without a cookie, CSRF is not possible. */
export function mountSessionEndpoint<Input extends z.ZodObject, Response extends z.ZodObject>(
  app: FastifyInstance,
  endpoint: Endpoint<Input, Response>,
  handle: (call: SessionCall<Input>) => Promise<z.input<Response>>,
) {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    async handler(request) {
      const { session } = request.query as Record<string, unknown>
      const input = parseInput(endpoint, fieldsOf(request, endpoint))
      const network = findNetwork(readAddress(request))
      return withDeadline(endpoint, handle({ input, session, network }))
    },
  })
}

/** What a handler gets of a request, beside its input. */
export function readCall(
  request: FastifyRequest,
  reply: FastifyReply,
  { allowsHttpLogin }: Pick<Config, 'allowsHttpLogin'>,
): Omit<PageCall<z.ZodObject>, 'input'> {
  const address = readAddress(request)
  const isSecure = !allowsHttpLogin
  return {
    address,
    network: findNetwork(address),
    host: request.host,
    isNavigation: request.headers['sec-fetch-mode'] === 'navigate',
    userAgent: request.headers['user-agent'] ?? '',
    language: readLanguage(request.headers['accept-language']),
    cookie: (name) =>
      parseCookie(request.headers.cookie ?? '', AS_SENT)[nameCookie(name, isSecure)],
    setCookie: (name, value, keptSeconds) =>
      void reply.header('Set-Cookie', writeCookie(name, value, keptSeconds, isSecure)),
  }
}

/**
 * Other pages cannot read the response, and browsers send them no cookie, except to pages of the same site, such as
 * those of our other origins. `none`: the person opened the URL.
 */
function mayRead({ headers }: FastifyRequest): boolean {
  return ['same-origin', 'none', undefined].includes(headers['sec-fetch-site'])
}

/** Browsers send the origin of a call in one of two headers, and pages cannot forge either. */
function isSameOrigin(
  { headers, host }: FastifyRequest,
  { isHttps }: Config,
  own: string | undefined,
): boolean {
  if (headers['sec-fetch-site'] !== undefined) return headers['sec-fetch-site'] === 'same-origin'
  return headers.origin === (own ?? `${isHttps ? 'https' : 'http'}://${host}`)
}

/** Our values contain no percent signs, so they are not decoded. */
const AS_SENT = { decode: (value: string) => value }

/** With the __Host- prefix, browsers require the other attributes: our host only, HTTPS, the whole site. */
function writeCookie(
  name: string,
  value: string | null,
  keptSeconds: number | undefined,
  secure: boolean,
): string {
  return stringifySetCookie({
    name: nameCookie(name, secure),
    value: value ?? '',
    ...(value === null ? { maxAge: 0 } : keptSeconds !== undefined && { maxAge: keptSeconds }),
    path: '/',
    httpOnly: true,
    secure,
    sameSite: 'strict',
  })
}

/** Over HTTP, some browsers keep no cookie with `Secure`, and every browser refuses the prefix without it. */
function nameCookie(name: string, isSecure: boolean): string {
  return isSecure ? name : name.replace('__Host-', '')
}
