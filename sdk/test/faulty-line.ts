/** Stands between the client and the service, and fails in the ways in which networks and gateways do. */
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to one request; what is not told passes. */
export type Fault =
  | 'pass'
  /** The service never sees it. */
  | 'lose request'
  /** The service executes it; nothing comes back, and the connection is cut. */
  | 'lose answer'
  /** The service executes it; half of the answer comes back. */
  | 'cut answer'
  /** The service executes it; nothing ever comes back, and the connection stays. */
  | 'hang'
  /** Somebody else answers. */
  | { status: number; headers?: Record<string, string>; body?: string }

export interface SeenRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
  atMs: number
}

export interface FaultyLine {
  url: string
  /** Every request since the line was cleared, oldest first. */
  readonly seen: SeenRequest[]
  /** How long the client paused between them. */
  pausesMs(): number[]
  /** Forgets what was seen and planned. */
  clear(): void
  /** The next requests meet these, in this order. */
  plan(...faults: Fault[]): void
  stop(): Promise<void>
}

export async function startFaultyLine(serviceUrl: string): Promise<FaultyLine> {
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
    const answer = await forward(serviceUrl, { method, url, headers, body })
    if (fault === 'lose answer') request.socket.destroy()
    if (fault === 'pass') response.writeHead(answer.status, answer.headers).end(answer.text)
    if (fault === 'cut answer') {
      response.writeHead(answer.status, answer.headers)
      response.write(answer.text.slice(0, answer.text.length / 2), () => request.socket.destroy())
    }
  }

  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    pausesMs() {
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
