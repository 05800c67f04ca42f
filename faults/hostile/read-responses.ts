/** Reads HTTP responses from the bytes of a connection. Node's own client would hide errors in them. */
import type { ServiceResponse } from './judge-response.ts'

interface Piece {
  response: ServiceResponse
  /** The start of the next response. */
  end: number
}

/** `isOver`: nothing follows, so a body without a length has ended. Broken: not HTTP. */
export function readResponse(
  bytes: Buffer,
  start: number,
  { method, isOver }: { method: string; isOver: boolean },
): Piece | 'broken' | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n', start)
  if (headEnd < 0) return isOver && bytes.length > start ? 'broken' : undefined
  const [first = '', ...lines] = bytes.toString('latin1', start, headEnd).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? 0)
  if (status === 0) return 'broken'
  const bodyStart = headEnd + 4
  // 100 Continue and similar come before the response.
  if (status < 200) return readResponse(bytes, bodyStart, { method, isOver })
  const headers = readHeaders(lines)
  if (headers === undefined) return 'broken'
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  const body = hasBody ? readBody(bytes, bodyStart, headers, isOver) : { text: '', end: bodyStart }
  if (body === undefined || body === 'broken') return body
  return { response: { status, headers, text: body.text }, end: body.end }
}

function readHeaders(lines: readonly string[]): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\p{Cc}]*)$/u.exec(line) ?? []
    if (name === undefined || value === undefined) return undefined
    headers[name.toLowerCase()] = value
  }
  return headers
}

function readBody(
  bytes: Buffer,
  start: number,
  headers: Record<string, string>,
  isOver: boolean,
): { text: string; end: number } | 'broken' | undefined {
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes, start, isOver)
  const length = headers['content-length']
  if (length === undefined) {
    return isOver ? { text: bytes.toString('utf8', start), end: bytes.length } : undefined
  }
  const end = start + Number(length)
  if (end > bytes.length) return isOver ? 'broken' : undefined
  return { text: bytes.toString('utf8', start, end), end }
}

function readChunks(bytes: Buffer, start: number, isOver: boolean) {
  const parts: Buffer[] = []
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return isOver ? 'broken' : undefined
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size
    if (!Number.isInteger(size)) return 'broken'
    if (end + 2 > bytes.length) return isOver ? 'broken' : undefined
    if (size === 0) return { text: Buffer.concat(parts).toString(), end: end + 2 }
    parts.push(bytes.subarray(lineEnd + 2, end))
    at = end + 2
  }
}
