/** Requests that are too long, too deep or have too many headers: refused at low cost, with the documented status. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { compareLatency, showGrowth } from './compare-latency.ts'
import { required, showCounts, type Section } from './figures.ts'
import type { Target } from './prepare-target.ts'

interface OversizedRequest {
  name: string
  status: number
  head: string
  /** Repeated as long as the service accepts data. */
  body?: Buffer
  bodyTimes?: number
}

const SENDERS_EACH = 4
const PAUSE_MS = 100
const TIMEOUT_MS = 20_000
const GROWTH_MEGABYTES = 100
/** What fits into the buffers of the operating system. */
const TAKEN_MEBIBYTES = 16
const BUFFERED_BYTES_MAX = 512 * 1024
const MEBIBYTE = 1024 * 1024
const GIBIBYTE = 1024 * MEBIBYTE
const POST = 'POST /api/server/wallet/debit HTTP/1.1\r\nHost: wallet\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'
const GZIP = 'Content-Encoding: gzip\r\n'
const lengthOf = (bytes: number) => `Content-Length: ${bytes}\r\n`

export const OVERSIZED_REQUESTS: readonly OversizedRequest[] = [
  {
    name: 'a body of 1 GiB with Content-Length',
    status: 413,
    head: `${POST}${JSON_TYPE}${lengthOf(GIBIBYTE)}\r\n`,
    body: Buffer.alloc(MEBIBYTE, ' '),
    bodyTimes: 1024,
  },
  {
    name: 'a body of 1 GiB in chunks',
    status: 413,
    head: `${POST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`,
    body: Buffer.from(`10000\r\n${' '.repeat(0x10000)}\r\n`),
    bodyTimes: 16 * 1024,
  },
  bodyOf('100 MiB of zeros, compressed', 413, gzipSync(Buffer.alloc(100 * MEBIBYTE)), GZIP),
  bodyOf('10 MiB of zeros, compressed', 400, gzipSync(Buffer.alloc(10 * MEBIBYTE)), GZIP),
  bodyOf('100 000 nested arrays', 413, nest(100_000)),
  bodyOf('8 000 nested arrays', 400, nest(8_000)),
  bodyOf('2 700 nested objects', 400, nestObjects(2_700)),
  {
    name: '1 000 headers',
    status: 431,
    head: `${POST}${'X-Many: 0123456789\r\n'.repeat(1_000)}\r\n`,
  },
  {
    name: 'a header of 1 MiB',
    status: 431,
    head: `${POST}X-Long: ${'x'.repeat(MEBIBYTE)}\r\n\r\n`,
  },
  {
    name: 'a URL of 1 MiB',
    status: 431,
    head: `GET /${'x'.repeat(MEBIBYTE)} HTTP/1.1\r\nHost: wallet\r\n\r\n`,
  },
  {
    name: 'a URL of 7 KiB',
    status: 404,
    head: `GET /${'x'.repeat(7 * 1024)} HTTP/1.1\r\nHost: wallet\r\n\r\n`,
  },
]

function bodyOf(name: string, status: number, body: Buffer, headers = ''): OversizedRequest {
  const head = `${POST}${JSON_TYPE}${headers}${lengthOf(body.length)}\r\n`
  return { name, status, head, body, bodyTimes: 1 }
}

function nest(depth: number): Buffer {
  return Buffer.from('['.repeat(depth) + ']'.repeat(depth))
}

function nestObjects(depth: number): Buffer {
  return Buffer.from('{"a":'.repeat(depth) + '1' + '}'.repeat(depth))
}

interface SendResult {
  response: string
  /** How much of it the service accepted. */
  takenBytes: number
}

export async function sendOversized(
  target: Target,
  options: { seconds: number },
): Promise<Section> {
  const results = new Map<string, SendResult[]>()
  const { figures, watch } = await compareLatency(target, options.seconds, () => {
    const over = new AbortController()
    const senders = OVERSIZED_REQUESTS.flatMap((request) =>
      Array.from({ length: SENDERS_EACH }, async () => {
        while (!over.signal.aborted) {
          const result = await send(target.service.url, request)
          results.set(request.name, [...(results.get(request.name) ?? []), result])
          await sleep(PAUSE_MS)
        }
      }),
    )
    return Promise.resolve({
      stop() {
        over.abort()
        return Promise.all(senders)
      },
    })
  })
  return {
    title: 'Oversized requests',
    figures: [
      ...OVERSIZED_REQUESTS.map((request) => judge(request, results.get(request.name) ?? [])),
      ...figures,
      showGrowth(watch, GROWTH_MEGABYTES),
    ],
  }
}

function judge(
  { name, status, head, body, bodyTimes = 0 }: OversizedRequest,
  results: readonly SendResult[],
) {
  const counts: Record<string, number> = {}
  for (const { response } of results) counts[response] = (counts[response] ?? 0) + 1
  const taken = Math.max(...results.map(({ takenBytes }) => takenBytes)) / MEBIBYTE
  // A client that continues to send after the response finds the connection closed, and may lose the response.
  const sendsTooMuch = head.length + (body?.length ?? 0) * bodyTimes > BUFFERED_BYTES_MAX
  const expected = [String(status), ...(sendsTooMuch ? ['no response'] : [])]
  const isMet =
    counts[status] !== undefined && Object.keys(counts).every((each) => expected.includes(each))
  const measured = `${showCounts(counts)}; at most ${taken.toFixed(1)} MiB accepted`
  return required(
    name,
    measured,
    sendsTooMuch ? `${status} or closed` : String(status),
    isMet && taken < TAKEN_MEBIBYTES,
  )
}

/** Sends as long as the service accepts data and has not responded. */
function send(url: string, { head, body, bodyTimes = 0 }: OversizedRequest): Promise<SendResult> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  let left = bodyTimes
  function pour() {
    let isTaken = received === ''
    for (; isTaken && left > 0; left--) isTaken = socket.write(body ?? '')
  }
  socket.on('drain', pour)
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
    if (received.includes('\r\n\r\n')) socket.destroySoon()
  })
  socket.on('error', () => undefined)
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy())
  socket.write(head)
  pour()
  return new Promise((resolve) => {
    socket.once('close', () => {
      const response = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 'no response'
      resolve({ response, takenBytes: socket.bytesWritten - socket.writableLength })
    })
  })
}
