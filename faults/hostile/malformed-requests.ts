/** Malformed requests, and two requests in one: known attacks on proxies and servers. */
import type { Dice } from '../clients/dice.ts'
import type { HostileRequest } from './hostile-request.ts'

export interface MalformedRequest {
  name: string
  pieces: Buffer[]
  /** The service must refuse it and close the connection: the following bytes could belong to another request. */
  isFatal: boolean
  /** The client closes its side after the bytes. */
  isOpenEnded: boolean
}

const HOST = 'Host: wallet.example'
/** Gets a response only if the connection is still usable. */
const PROBE = `GET /livez HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`
const POST = `POST /api/server/wallet/debit HTTP/1.1\r\n${HOST}\r\nContent-Type: application/json`
const SMUGGLED = `GET /smuggled HTTP/1.1\r\n${HOST}\r\nX: `

/** The bytes of a well-formed request. */
export function toBytes({ method, target, headers, body }: HostileRequest): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  if (body || method === 'POST') lines.push(`Content-Length: ${body?.length ?? 0}\r\n`)
  const head = `${method} ${target} HTTP/1.1\r\n${HOST}\r\n${lines.join('')}\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)])
}

/** Two lengths, or invalid ones. */
const LENGTHS = [
  'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n',
  'Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde',
  'Content-Length: 4, 5\r\n\r\nabcde',
  'Content-Length: -1\r\n\r\n',
  'Content-Length: +4\r\n\r\nabcd',
  'Content-Length: 0x4\r\n\r\nabcd',
  'Content-Length: 4 4\r\n\r\nabcd',
  'Content-Length: 99999999999999999999999\r\n\r\n',
  'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
  'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
  'Transfer-Encoding: identity\r\n\r\n',
  'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
  'Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n',
  'Transfer-Encoding: chunked\r\n\r\n0x4\r\nabcd\r\n0\r\n\r\n',
  'Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\nabcd\r\n0\r\n\r\n',
  'Transfer-Encoding: chunked\r\n\r\n4\r\nabcdX\r\n0\r\n\r\n',
  'Transfer-Encoding: chunked\r\n\r\n4\nabcd\n0\n\n',
  'Transfer-Encoding: chunked\r\n\r\n4 ;x\r\nabcd\r\n0\r\n\r\n',
  'Transfer-Encoding: chunked\r\n\r\nzz\r\n',
]

const HEADS = [
  'A : b',
  ' A: b',
  'A: b\r\n folded',
  'A: b\u0000c',
  'A: b\rc',
  'A\u0000: b',
  'no colon',
  ': no name',
  'A(b): c',
  'Ä: b',
]

const FIRST_LINES = [
  'get /livez HTTP/1.1',
  'GE T /livez HTTP/1.1',
  'FOO /livez HTTP/1.1',
  `${'A'.repeat(300)} /livez HTTP/1.1`,
  'GET /livez HTTP/2.0',
  'GET /livez HTTP/1.2',
  'GET /livez HTTP/9.9',
  'GET /livez HTTP/1.1 x',
  'GET /livez',
  'GET /liv\u0000ez HTTP/1.1',
  'GET \\livez HTTP/1.1',
  'GET livez HTTP/1.1',
  'PRI * HTTP/2.0',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
]

/** Unusual but valid HTTP: it gets a normal response. */
const UNUSUAL = [
  `GET  /livez HTTP/1.1\r\n${HOST}\r\n\r\n`,
  `GET /livez HTTP/1.1\r\n${HOST}\r\nHost: evil.example\r\n\r\n`,
  `GET http://evil.example/livez HTTP/1.1\r\n${HOST}\r\n\r\n`,
  `GET http://evil.example HTTP/1.1\r\n${HOST}\r\n\r\n`,
  `GET //evil.example/livez HTTP/1.1\r\n${HOST}\r\n\r\n`,
  `OPTIONS * HTTP/1.1\r\n${HOST}\r\n\r\n`,
  `TRACE /livez HTTP/1.1\r\n${HOST}\r\nCookie: a=b\r\n\r\n`,
  `GET /livez HTTP/1.1\r\n${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  `GET /livez HTTP/1.1\r\n${HOST}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n`,
  `GET /livez HTTP/1.1\r\nHost: \r\n\r\n`,
  `GET /livez HTTP/1.1\r\nHost: a b\r\n\r\n`,
  `GET /account HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\n\r\n`,
  `${POST}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  `${POST}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;a=b\r\n}\r\n0\r\nA: b\r\n\r\n`,
  `GET /livez HTTP/1.1\r\n${HOST}\r\nContent-Length: 7\r\n\r\nGET /no`,
  `\r\n\r\nGET /livez HTTP/1.1\r\n${HOST}\r\n\r\n`,
]

/** Requests after which the connection closes by itself. */
const ENDING = [
  `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n\r\n`,
  `GET /livez HTTP/1.1\r\n${HOST}\r\nExpect: a miracle\r\nConnection: close\r\n\r\n`,
  'GET /livez HTTP/1.0\r\n\r\n',
  `GET /livez HTTP/1.0\r\n${HOST}\r\nConnection: keep-alive\r\n\r\n`,
  'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n',
  `GET /livez HTTP/1.1\r\n${HOST}\r\nConnection: close\r\nX: ${'x'.repeat(9_000)}\r\n\r\n`,
  `GET /livez HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n${'X: y\r\n'.repeat(1_300)}\r\n`,
  `GET /${'x'.repeat(9_000)} HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`,
  `${POST}\r\nConnection: close\r\nContent-Length: 300000\r\n\r\n${' '.repeat(300_000)}`,
]

/** `requests` are well-formed requests, to be changed or sent together. */
export function makeMalformed(requests: readonly HostileRequest[], dice: Dice): MalformedRequest {
  const fatal = (name: string, text: string) =>
    toMalformed(name, Buffer.from(text + SMUGGLED + PROBE, 'latin1'), { isFatal: true })
  const makers = [
    () => fatal('lengths', `${POST}\r\n${dice.pick(LENGTHS)}`),
    () => fatal('heads', `GET /livez HTTP/1.1\r\n${HOST}\r\n${dice.pick(HEADS)}\r\n\r\n`),
    () => fatal('first lines', `${dice.pick(FIRST_LINES)}\r\n${HOST}\r\n\r\n`),
    () => toMalformed('unusual', Buffer.from(dice.pick(UNUSUAL) + PROBE, 'latin1')),
    () => toMalformed('ending', Buffer.from(dice.pick(ENDING), 'latin1')),
    () => toMalformed('pipelined', Buffer.concat([...requests.map(toBytes), Buffer.from(PROBE)])),
    () => cutShort(requests, dice),
    () => scramble(requests, dice),
  ]
  return dice.pick(makers)()
}

function toMalformed(
  name: string,
  bytes: Buffer,
  about: Partial<MalformedRequest> = {},
): MalformedRequest {
  return { name, pieces: [bytes], isFatal: false, isOpenEnded: false, ...about }
}

function cutShort(requests: readonly HostileRequest[], dice: Dice): MalformedRequest {
  const bytes = Buffer.concat(requests.map(toBytes))
  const cut = bytes.subarray(0, dice.between(1, bytes.length - 1))
  return toMalformed('cut short', cut, { isOpenEnded: true })
}

/** Some bytes are replaced, or the request is sent in pieces. The body stays, so that it does not become valid. */
function scramble([request]: readonly HostileRequest[], dice: Dice): MalformedRequest {
  const bytes = request ? toBytes(request) : Buffer.from(PROBE)
  const headEnd = bytes.indexOf('\r\n\r\n')
  const at = dice.between(0, headEnd)
  if (dice.chance(0.4)) {
    const pieces = [bytes.subarray(0, at), bytes.subarray(at), Buffer.from(PROBE)]
    return { name: 'in pieces', pieces, isFatal: false, isOpenEnded: false }
  }
  // A read without credentials, so that the changed bytes cannot make an accepted change of it.
  const plain = Buffer.from(`GET /api/account HTTP/1.1\r\n${HOST}\r\nCookie: a=b\r\n\r\n`)
  for (let time = dice.between(1, 4); time > 0; time--) {
    plain[dice.between(0, plain.length - 5)] = dice.between(0, 255)
  }
  return toMalformed('scrambled', plain, { isOpenEnded: true })
}
