/**
 * A caller's HTTP: one request at a time on each of a few kept connections. Written by hand, because the callers share
 * two cores with everything that they test, and a general client costs several times as much.
 */
import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  text: string
  isReplayed: boolean
  /** The header Idempotency-Mismatch. */
  differs: string
  /** Made by the service; the balancer before it gives no request id. */
  isOurs: boolean
  /** The header, of a refusal. */
  retryAfter?: string | undefined
}

/** Nobody knows what became of the request. */
export class NoAnswer extends Error {}

interface Line {
  socket: Socket
  received: string
  settle: ((outcome: Answer | NoAnswer) => void) | undefined
}

export interface Caller {
  ask(question: Question): Promise<Answer>
  close(): void
}

export interface Question {
  method: 'GET' | 'POST'
  path: string
  body?: string
  authorization?: string
  /** How long the caller waits for an answer. */
  patienceMs: number
}

export function createCaller(url: string): Caller {
  const { port, hostname } = new URL(url)
  const idle: Line[] = []
  const all = new Set<Line>()

  function open(): Line {
    const socket = connect(Number(port), hostname).setNoDelay().setEncoding('latin1')
    const line: Line = { socket, received: '', settle: undefined }
    all.add(line)
    socket.on('data', (piece) => {
      line.received += String(piece)
      const answer = readAnswer(line)
      if (answer === undefined) return
      line.settle?.(answer)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      all.delete(line)
      const at = idle.indexOf(line)
      if (at >= 0) idle.splice(at, 1)
      line.settle?.(new NoAnswer('the connection broke'))
    })
    return line
  }

  return {
    ask(question) {
      const line = idle.pop() ?? open()
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => line.socket.destroy(), question.patienceMs)
        line.settle = (outcome) => {
          clearTimeout(timer)
          line.settle = undefined
          if (outcome instanceof NoAnswer) return reject(outcome)
          if (!line.socket.destroyed) idle.push(line)
          resolve(outcome)
        }
        line.socket.write(toText(question, hostname))
      })
    },
    close() {
      for (const { socket } of all) socket.destroy()
    },
  }
}

function toText({ method, path, body = '', authorization }: Question, host: string): string {
  const credentials = authorization ? `Authorization: ${authorization}\r\n` : ''
  const type = body ? 'Content-Type: application/json\r\n' : ''
  const length = method === 'POST' ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : ''
  return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${credentials}${type}${length}\r\n${body}`
}

/** undefined: it has not arrived completely. */
function readAnswer(line: Line): Answer | undefined {
  const { received } = line
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = received.slice(0, end)
  const length = Number(headerOf(head, 'content-length') ?? NaN)
  if (Number.isNaN(length)) throw new Error(`an answer without a length: ${head}`)
  if (received.length < end + 4 + length) return undefined
  line.received = ''
  if (headerOf(head, 'connection') === 'close') line.socket.destroy()
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
