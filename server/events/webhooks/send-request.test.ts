import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { resolveName } from './check-target.ts'
import { createSender } from './send-request.ts'

const sender = createSender({ allowsLoopback: true, resolve: resolveName })
const servers: Server[] = []
after(() => {
  sender.close()
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
})

async function send(respond: RequestListener, timeoutMs = 5_000, stop?: AbortSignal) {
  const server = createServer(respond)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const message = {
    url: `http://localhost:${port}/`,
    headers: { 'webhook-id': 'evt_1' },
    body: '{}',
  }
  return sender.send(message, timeoutMs, stop)
}

describe('a request to a webhook', () => {
  it('stops reading a response that does not end, and keeps its first kilobyte', async () => {
    let written = 0
    const attempt = await send((_, response) => {
      const write = () => {
        while (!response.destroyed && written < 50_000_000) {
          written += 16_384
          if (!response.write('x'.repeat(16_384))) return
        }
      }
      response.on('drain', write)
      write()
    })
    assert.deepEqual([attempt.status, attempt.error], [200, null])
    assert.equal(attempt.response, 'x'.repeat(1_024))
    assert(written < 20_000_000, `the receiver wrote ${written} bytes`)
  })

  it(
    'ends after the time limit, before the response and within it',
    { timeout: 20_000 },
    async () => {
      for (const respond of [
        () => undefined,
        ((_, response) => response.write('first')) satisfies RequestListener,
      ] as RequestListener[]) {
        for (const stop of [undefined, new AbortController().signal]) {
          const attempt = await send(respond, 300, stop)
          assert.equal(attempt.status, null)
          assert.equal(attempt.error, 'There was no complete response within 0.3 seconds.')
          assert(attempt.durationMs >= 290 && attempt.durationMs < 3_000)
        }
      }
    },
  )

  it('ends when the service stops, before the time limit', async () => {
    const stop = new AbortController()
    const attempt = await send(() => stop.abort(), 60_000, stop.signal)
    assert.deepEqual([attempt.status, attempt.error], [null, 'The request failed (ABORT_ERR).'])
  })

  it('fails with a reason if the connection is cut or the headers are too large', async () => {
    const cut = await send((request) => request.socket.destroy())
    assert.match(cut.error ?? '', /closed the connection/)
    const large = await send((_, response) => {
      response.writeHead(200, { 'x-large': 'x'.repeat(100_000) }).end()
    })
    assert.deepEqual(
      [large.status, large.error],
      [null, 'The request failed (HPE_HEADER_OVERFLOW).'],
    )
  })

  it('reads Retry-After as seconds and as a date, and only of 429 and 503', async () => {
    const read = async (status: number, value: string) =>
      (await send((_, response) => response.writeHead(status, { 'retry-after': value }).end()))
        .retryAfterSeconds
    assert.equal(await read(429, '120'), 120)
    assert.equal(await read(503, '999999999'), 86_400)
    const inAnHour = await read(503, new Date(Date.now() + 3_600_000).toUTCString())
    assert(inAnHour !== null && inAnHour > 3_590 && inAnHour <= 3_600)
    assert.deepEqual([await read(500, '120'), await read(429, 'soon')], [null, null])
  })
})
