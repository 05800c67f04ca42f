/**
 * The HTTP client of the callers: one request at a time on each of a few kept connections. Hand-written, because the
 * callers share two cores with the system under test, and a general client costs several times as much.
 */
import { connect, type Socket } from 'node:net'

export interface ServiceResponse {
  status: number
  text: string
  isReplayed: boolean
  /** The header Idempotency-Mismatch. */
  differs: string
  /** Sent by the service: the balancer in front of it sends no request id. */
  isOurs: boolean
  /** The header Retry-After of a refusal. */
  retryAfter?: string | undefined
}

/** The outcome of the request is unknown. */
export class NoResponse extends Error {}

interface Connection {
  socket: Socket
  received: string
  resolve: ((outcome: ServiceResponse | NoResponse) => void) | undefined
}

export interface Caller {
  send(outgoing: OutgoingRequest): Promise<ServiceResponse>
  close(): void
}

export interface OutgoingRequest {
  method: 'GET' | 'POST'
  path: string
  body?: string
  authorization?: string
  /** How long the caller waits for a response. */
  timeoutMs: number
}

export function createCaller(url: string): Caller {
  const { port, hostname } = new URL(url)
  const idle: Connection[] = []
  const all = new Set<Connection>()

  function open(): Connection {
    const socket = connect(Number(port), hostname).setNoDelay().setEncoding('latin1')
    const connection: Connection = { socket, received: '', resolve: undefined }
    all.add(connection)
    socket.on('data', (piece) => {
      connection.received += String(piece)
      const response = readResponse(connection)
      if (response === undefined) return
      connection.resolve?.(response)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      all.delete(connection)
      const at = idle.indexOf(connection)
      if (at >= 0) idle.splice(at, 1)
      connection.resolve?.(new NoResponse('the connection broke'))
    })
    return connection
  }

  return {
    send(outgoing) {
      const connection = idle.pop() ?? open()
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => connection.socket.destroy(), outgoing.timeoutMs)
        connection.resolve = (outcome) => {
          clearTimeout(timer)
          connection.resolve = undefined
          if (outcome instanceof NoResponse) return reject(outcome)
          if (!connection.socket.destroyed) idle.push(connection)
          resolve(outcome)
        }
        connection.socket.write(toText(outgoing, hostname))
      })
    },
    close() {
      for (const { socket } of all) socket.destroy()
    },
  }
}

function toText({ method, path, body = '', authorization }: OutgoingRequest, host: string): string {
  const credentials = authorization ? `Authorization: ${authorization}\r\n` : ''
  const type = body ? 'Content-Type: application/json\r\n' : ''
  const length = method === 'POST' ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : ''
  return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${credentials}${type}${length}\r\n${body}`
}

/** undefined: the response is not complete yet. */
function readResponse(connection: Connection): ServiceResponse | undefined {
  const { received } = connection
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = received.slice(0, end)
  const length = Number(headerOf(head, 'content-length') ?? NaN)
  if (Number.isNaN(length)) throw new Error(`a response without a length: ${head}`)
  if (received.length < end + 4 + length) return undefined
  connection.received = ''
  if (headerOf(head, 'connection') === 'close') connection.socket.destroy()
  const text = Buffer.from(received.slice(end + 4, end + 4 + length), 'latin1').toString()
  return {
    status: Number(head.slice(9, 12)),
    text,
    isReplayed: headerOf(head, 'idempotency-replayed') === 'true',
    differs: headerOf(head, 'idempotency-mismatch') ?? '',
    isOurs: headerOf(head, 'x-request-id') !== undefined,
    retryAfter: headerOf(head, 'retry-after'),
  }
}

const patterns = new Map<string, RegExp>()

function headerOf(head: string, name: string): string | undefined {
  let pattern = patterns.get(name)
  if (pattern === undefined) {
    pattern = new RegExp(`\\r\\n${name}: ([^\\r]*)`, 'i')
    patterns.set(name, pattern)
  }
  return pattern.exec(head)?.[1]
}
