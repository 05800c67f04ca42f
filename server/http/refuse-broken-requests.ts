/**
 * Data that is not a valid HTTP request never reaches a route or a hook. It is refused here, and the connection ends.
 */
import { type ErrorBody, ERRORS } from '@coffer/contract/errors'
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { headersFor } from './security-headers.ts'

const INVALID: ErrorBody = { error: ERRORS.INVALID_REQUEST.text, code: 'INVALID_REQUEST' }
const TOO_LARGE: ErrorBody = {
  error: 'The URL and the headers are too large. Send at most 8 KiB in total.',
}
const TOO_LATE: ErrorBody = {
  error: 'The request did not arrive in time. Send it again on a new connection.',
}

export function refuseBrokenRequests(config: { isHttps: boolean }) {
  return (error: Error & { code?: string }, socket: Socket) => {
    if (mayRespond(error, socket)) socket.write(writeRefusal(error.code, config))
    socket.destroy()
  }
}

/**
 * An earlier request on the same connection may still be in progress. Its client would take this for its response, and
 * consider an executed request as refused; without a response it retries with the same reference.
 */
function mayRespond({ code }: { code?: string }, socket: Socket): boolean {
  // Node stores the response in progress on the socket and has no public property for it.
  const pending: unknown = Reflect.get(socket, '_httpMessage')
  return code !== 'ECONNRESET' && socket.writable && !pending
}

function writeRefusal(code: string | undefined, config: { isHttps: boolean }): string {
  const [status, refusal] = refusalOf(code)
  const body = JSON.stringify(refusal)
  const headers = {
    ...headersFor(config),
    'X-Request-Id': randomUUID(),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

function refusalOf(code: string | undefined): [number, ErrorBody] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, TOO_LARGE]
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, TOO_LATE]
  return [ERRORS.INVALID_REQUEST.status, INVALID]
}
