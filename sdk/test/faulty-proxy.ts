/** A proxy between the client and the service that fails like networks and gateways do. */
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to one request; requests without a planned fault pass. */
export type Fault =
  | 'pass'
  /** The service does not receive it. */
  | 'lose request'
  /** The service executes it; the connection is closed without a response. */
  | 'lose response'
  /** The service executes it; the client receives half of the response. */
  | 'cut response'
  /** The service executes it; no response is sent, and the connection stays open. */
  | 'hang'
  /** The proxy itself responds. */
  | { status: number; headers?: Record<string, string>; body?: string }

export interface SeenRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
  atMs: number
}

export interface FaultyProxy {
  url: string
  /** Every request since the proxy was cleared, oldest first. */
  readonly seen: SeenRequest[]
  /** How long the client waited between them. */
  delaysMs(): number[]
  /** Clears the seen requests and the planned faults. */
  clear(): void
  /** Applies these faults to the next requests, in this order. */
  plan(...faults: Fault[]): void
  stop(): Promise<void>
}

export async function startFaultyProxy(serviceUrl: string): Promise<FaultyProxy> {
  const seen: SeenRequest[] = []
  let planned: Fault[] = []

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const atMs = performance.now()
    const fault = planned.shift() ?? 'pass'
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body, atMs })
    if (typeof fault === 'object') {
      response.writeHead(fault.status, fault.headers).end(fault.body)
      return
    }
    if (fault === 'lose request') {
      request.socket.destroy()
      return
    }
    const received = await forward(serviceUrl, { method, url, headers, body })
    if (fault === 'lose response') request.socket.destroy()
    if (fault === 'pass') response.writeHead(received.status, received.headers).end(received.text)
    if (fault === 'cut response') {
      response.writeHead(received.status, received.headers)
      response.write(received.text.slice(0, received.text.length / 2), () =>
        request.socket.destroy(),
      )
    }
  }

  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    delaysMs() {
      return seen.slice(1).map(({ atMs }, index) => atMs - (seen[index]?.atMs ?? NaN))
    },
    clear() {
      seen.length = 0
      planned = []
    },
    plan(...faults) {
      planned = faults
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function forward(serviceUrl: string, request: Omit<SeenRequest, 'atMs'>) {
  const { method, url, body } = request
  const headers = new Headers()
  for (const name of ['authorization', 'content-type', 'accept']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const sent = method === 'POST' ? { method, headers, body } : { method, headers }
  const response = await fetch(serviceUrl + url, sent)
  const text = await response.text()
  const all = Object.fromEntries(response.headers)
  return {
    status: response.status,
    text,
    headers: { ...all, 'content-length': `${Buffer.byteLength(text)}` },
  }
}
