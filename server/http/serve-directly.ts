/**
 * Serves the endpoints of the server API on Node's HTTP server, without Fastify, so that a debit needs less CPU time.
 * Only plain requests are served here; Fastify serves every other request, with the same result.
 */
import proxyAddr from '@fastify/proxy-addr'
import type { Endpoint } from '@coffer/contract/endpoint'
import { BODY_MAX_BYTES } from '@coffer/contract/limits'
import { trace } from '@opentelemetry/api'
import { parse } from 'fast-querystring'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { Overloaded, ServiceError } from '../service-error.ts'
import type { BodyGuard } from './guard-large-bodies.ts'
import { parseJson } from './parse-json.ts'
import { inTime, requireObject } from './read-input.ts'
import { showError } from './render-error.ts'
import { recordResponse, type ResponseRecorders } from './request-log.ts'
import { headersFor } from './security-headers.ts'
import { createHostCheck } from './separate-origins.ts'

/** A request of the server API, whoever has parsed it. */
export interface ServerRequest {
  id: string
  ip: string
  socket: IncomingMessage['socket']
  headers: IncomingMessage['headers']
  clientId: string | null
  waitedMs: number
}

/** Executes a request and sets the headers of its response. */
export type RunEndpoint = (
  request: ServerRequest,
  fields: Record<string, unknown>,
  headers: Record<string, string>,
  response: ServerResponse,
) => Promise<unknown>

interface Route {
  endpoint: Endpoint
  run: RunEndpoint
  guard: BodyGuard | undefined
}

interface Failure {
  code?: string | undefined
  error?: unknown
}

type Dependencies = ResponseRecorders & { config: Config; log: Logger }

const JSON_TYPES: ReadonlySet<string | undefined> = new Set([
  'application/json',
  'application/json; charset=utf-8',
])
/** Without leading zeros, signs and lists. */
const LENGTH = /^[1-9][0-9]{0,8}$/

export class DirectRoutes {
  readonly #routes = new Map<string, Route>()
  readonly #dependencies: Dependencies
  readonly #isOurHost: (host: string | undefined) => boolean
  readonly #readIp: (request: IncomingMessage) => string
  readonly #headers: readonly string[]
  #isStopped = false

  constructor(dependencies: Dependencies) {
    const { config } = dependencies
    this.#dependencies = dependencies
    this.#isOurHost = createHostCheck(config)
    this.#readIp = createIpReader(config.trustProxy)
    // Names in lower case, as Fastify writes them.
    this.#headers = Object.entries(headersFor(config)).flatMap(([name, value]) => [
      name.toLowerCase(),
      value,
    ])
  }

  add(endpoint: Endpoint, run: RunEndpoint, guard?: BodyGuard) {
    this.#routes.set(`${endpoint.method} ${endpoint.path}`, { endpoint, run, guard })
  }

  /** From now on Fastify serves all requests: it ends each connection after its response. */
  stop() {
    this.#isStopped = true
  }

  /** Returns false if Fastify must serve the request. Nothing of its body has been read then. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    const { method = '', url = '' } = request
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const route = this.#routes.get(`${method} ${path}`)
    if (route === undefined || this.#isStopped || !this.#isPlain(request, route)) return false
    void this.#respond(route, request, response, mark < 0 ? '' : url.slice(mark + 1))
    return true
  }

  #isPlain({ headers, method, url }: IncomingMessage, { endpoint }: Route): boolean {
    if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return false
    if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false
    // Fastify's hook gives the span of a request its name.
    if (!this.#isOurHost(headers.host) || trace.getActiveSpan() !== undefined) return false
    const length = headers['content-length']
    if (method === 'GET') return length === undefined && !url?.includes('#')
    if (url !== endpoint.path || !JSON_TYPES.has(headers['content-type'])) return false
    return (
      length !== undefined &&
      LENGTH.test(length) &&
      Number(length) <= (endpoint.bodyMaxBytes ?? BODY_MAX_BYTES)
    )
  }

  async #respond(
    { endpoint, run, guard }: Route,
    incoming: IncomingMessage,
    response: ServerResponse,
    query: string,
  ) {
    const startedMs = performance.now()
    const { socket, headers: sent } = incoming
    const ip = this.#readIp(incoming)
    const request = { id: randomUUID(), ip, socket, headers: sent, clientId: null, waitedMs: 0 }
    const headers: Record<string, string> = {}
    let failure: Failure = {}
    try {
      if (guard) await guard.admit(request, response)
      const fields =
        endpoint.method === 'GET'
          ? parse(query)
          : await readFields(incoming, guard && ((body) => guard.check(request, body)))
      const result = await inTime(endpoint, run(request, fields, headers, response))
      this.#send(response, 200, request.id, headers, result)
    } catch (error) {
      const { log } = this.#dependencies
      const shown = showError(error, endpoint, { id: request.id, route: endpoint.path }, log)
      if (shown.isExpected) failure = { code: shown.body.code, error }
      if (shown.retryAfterSeconds) headers['Retry-After'] = String(shown.retryAfterSeconds)
      this.#send(response, shown.status, request.id, headers, shown.body)
    }
    recordResponse(this.#dependencies, {
      id: request.id,
      ip,
      clientId: request.clientId,
      waitedMs: request.waitedMs,
      method: endpoint.method,
      route: endpoint.path,
      status: response.statusCode,
      durationMs: performance.now() - startedMs,
      errorCode: failure.code ?? null,
      overloadedLimit: failure.error instanceof Overloaded ? failure.error.limit : null,
      trace: null,
    })
  }

  #send(
    response: ServerResponse,
    status: number,
    requestId: string,
    headers: Record<string, string>,
    result: unknown,
  ) {
    const body = JSON.stringify(result)
    const lines = [...this.#headers, 'x-request-id', requestId]
    for (const name in headers) lines.push(name.toLowerCase(), headers[name] as string)
    lines.push('content-type', 'application/json; charset=utf-8')
    lines.push('content-length', String(Buffer.byteLength(body)))
    if (this.#isStopped) lines.push('connection', 'close')
    response.writeHead(status, lines).end(body)
  }
}

function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) reject(new ServiceError('INVALID_REQUEST'))
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    // The client is gone, so nobody reads the response.
    request.once('error', () => reject(new ServiceError('INVALID_REQUEST')))
    request.once('end', () => {
      const [only] = chunks
      resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks))
    })
  })
}

async function readFields(
  request: IncomingMessage,
  check?: (body: Buffer) => Promise<void>,
): Promise<Record<string, unknown>> {
  const body = await readBody(request)
  await check?.(body)
  return requireObject(parseJson(body))
}

/** The same address as Fastify's `request.ip`. */
function createIpReader(trustProxy: Config['trustProxy']): (request: IncomingMessage) => string {
  if (trustProxy === false) return ({ socket }) => socket.remoteAddress ?? ''
  const isTrusted =
    trustProxy === true
      ? () => true
      : proxyAddr.compile(trustProxy.split(',').map((each) => each.trim()))
  return (request) => proxyAddr(request, isTrusted)
}
