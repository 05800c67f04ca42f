/** The behavior of an overloaded process. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createDrain } from './create-drain.ts'
import { createHttpServer } from './create-http-server.ts'
import { EventLoopDelay } from './watch-event-loop.ts'

describe('the service', () => {
  it('503 SERVICE_UNAVAILABLE only for the server API while the process is busy, and counts the refusals', async () => {
    let refused = 0
    let isBusy = true
    const server = createHttpServer((_request, response) => response.end('served'), {
      isHttps: false,
      isBusy: () => isBusy,
      drain: createDrain(),
      onRefused: () => refused++,
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const debit = () =>
      fetch(`${url}/api/server/wallet/debit`, { method: 'POST', body: 'x'.repeat(10_000) })
    const response = await debit()
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('Retry-After'), '1')
    assert.match(response.headers.get('X-Request-Id') ?? '', /^[\w-]{36}$/)
    assert.equal(response.headers.get('X-Content-Type-Options'), 'nosniff')
    assert.equal(((await response.json()) as { code: string }).code, 'SERVICE_UNAVAILABLE')
    assert.equal(await (await fetch(`${url}/readyz`)).text(), 'served')
    isBusy = false
    assert.equal(await (await debit()).text(), 'served')
    assert.equal(refused, 1)
    server.closeAllConnections()
    await once(server.close(), 'close')
  })
})

describe('the service and a client that does not read', () => {
  it('closes the connection and frees the buffered responses', async () => {
    const long = 'x'.repeat(1_000_000)
    const server = createHttpServer((_request, response) => response.end(long), {
      isHttps: false,
      isBusy: () => false,
      drain: createDrain(),
      onRefused: () => undefined,
      silenceMs: 200,
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1').pause()
    socket.on('error', () => undefined)
    // More than the socket buffers of the operating system hold.
    socket.write('GET / HTTP/1.1\r\nHost: wallet\r\n\r\n'.repeat(20))
    const count = promisify(server.getConnections.bind(server))
    const untilMs = performance.now() + 5_000
    await once(server, 'request')
    while ((await count()) > 0 && performance.now() < untilMs) await sleep(50)
    assert.equal(await count(), 0)
    socket.destroy()
    await once(server.close(), 'close')
  })
})

describe('the delay of the event loop', () => {
  it('counts as overload after two late ticks in a row, until a tick is on time', () => {
    const delay = new EventLoopDelay(0)
    const busy = [50, 1_000, 1_600, 2_200, 2_250, 3_000].map((nowMs) => {
      delay.tick(nowMs)
      return delay.isBusy
    })
    assert.deepEqual(busy, [false, false, true, true, false, false])
  })
})
