/**
 * The HTTP server. When the process is overloaded, requests wait in the system's buffers, and each response would come
 * after its client has given up. Then requests of the server API are refused before they are read, which costs a small
 * part of handling them.
 *
 * Before the process stops, it turns away the requests that a proxy repeats at another process: the connection is
 * closed without a response. A status would not do. nginx cannot tell a 503 of a process that stops from one of an
 * overloaded service, and if both processes are overloaded, it would stop sending requests to either.
 */
import { type ErrorBody, ERRORS } from '@coffer/contract/errors'
import { readEvents } from '@coffer/contract/server/events'
import { HEADER_MAX_BYTES } from '@coffer/contract/limits'
import { REPEATABLE_PATHS } from '@coffer/contract/server/repeatable-paths'
import { randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Drain } from './create-drain.ts'
import { headersFor } from './security-headers.ts'
import { hideUrl } from './trace-requests.ts'

export interface HttpServerOptions {
  isHttps: boolean
  isBusy: () => boolean
  drain: Pick<Drain, 'isStopping' | 'turnsAway'>
  onRefused: () => void
  /** Longer than other responses take: only a client that does not read is idle for this long. */
  silenceMs?: number
}

const WAITING_MS = 30_000

const { text, retryAfterSeconds, status } = ERRORS.SERVICE_UNAVAILABLE
const BODY = JSON.stringify({ error: text, code: 'SERVICE_UNAVAILABLE' } satisfies ErrorBody)

export function createHttpServer(handle: RequestListener, options: HttpServerOptions): Server {
  const timeouts = {
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    keepAliveTimeout: 65_000,
    // How often Node checks for slow clients.
    connectionsCheckingInterval: 5_000,
  }
  const server = createServer(
    { ...timeouts, maxHeaderSize: HEADER_MAX_BYTES },
    (request, response) => {
      hideUrl()
      // Node leaves out the body of a response to HEAD, so the handler of GET answers HEAD too.
      if (request.method === 'HEAD') request.method = 'GET'
      if (options.drain.turnsAway() && isRepeatable(request)) {
        request.socket.destroy()
        return
      }
      if (options.drain.isStopping()) response.setHeader('Connection', 'close')
      // For this request only: these wait for an event.
      if (request.url?.startsWith(readEvents.path)) request.socket.setTimeout(WAITING_MS)
      if (!options.isBusy() || !isOfServerApi(request.url)) {
        handle(request, response)
        return
      }
      refuse(response, options)
      options.onRefused()
    },
  )
  // Discards data that the client did not read; a graceful end would wait for the client.
  return server.setTimeout(options.silenceMs ?? 20_000, (socket) => socket.resetAndDestroy())
}

/** Nothing has been executed, and executing it twice would not matter. */
function isRepeatable({ method, url = '' }: IncomingMessage): boolean {
  return method === 'GET' || (method === 'POST' && REPEATABLE_PATHS.includes(pathOf(url)))
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

/**
 * The router decodes paths and accepts whole URLs, which no client of ours sends. What might lead to the server API
 * counts as part of it.
 */
function isOfServerApi(url = ''): boolean {
  const path = pathOf(url)
  return path.startsWith('/api/server/') || path.includes('%') || !path.startsWith('/')
}

function refuse(response: ServerResponse, options: HttpServerOptions) {
  response.writeHead(status, {
    ...headersFor(options),
    'X-Request-Id': randomUUID(),
    'Retry-After': retryAfterSeconds,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(BODY),
  })
  response.end(BODY)
}
