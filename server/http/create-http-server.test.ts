/** What a process does that cannot keep up. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createHttpServer } from './create-http-server.ts'
import { EventLoopDelay } from './watch-event-loop.ts'

describe('the door', () => {
  it('503 SERVICE_UNAVAILABLE to the server API alone while the process is busy, and is counted', async () => {
    let refused = 0
    let isBusy = true
    const server = createHttpServer((_request, response) => response.end('answered'), {
      isHttps: false,
      isBusy: () => isBusy,
      onRefused: () => refused++,
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const debit = () =>
      fetch(`${url}/api/server/wallet/debit`, { method: 'POST', body: 'x'.repeat(10_000) })
    const answer = await debit()
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('Retry-After'), '1')
    assert.match(answer.headers.get('X-Request-Id') ?? '', /^[\w-]{36}$/)
    assert.equal(answer.headers.get('X-Content-Type-Options'), 'nosniff')
    assert.equal(((await answer.json()) as { code: string }).code, 'SERVICE_UNAVAILABLE')
    assert.equal(await (await fetch(`${url}/readyz`)).text(), 'answered')
    isBusy = false
    assert.equal(await (await debit()).text(), 'answered')
    assert.equal(refused, 1)
    server.closeAllConnections()
    await once(server.close(), 'close')
  })
})

describe('the door and whoever does not read', () => {
  it('ends the connection, and with it what was kept for them', async () => {
    const long = 'x'.repeat(1_000_000)
    const server = createHttpServer((_request, response) => response.end(long), {
      isHttps: false,
      isBusy: () => false,
      onRefused: () => undefined,
      silenceMs: 200,
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1').pause()
    socket.on('error', () => undefined)
    // More than the buffers of the system hold.
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
  it('is no overload once; twice in a row it is, until it rings in time again', () => {
    const delay = new EventLoopDelay(0)
    const heard = [50, 1_000, 1_600, 2_200, 2_250, 3_000].map((nowMs) => {
      delay.tick(nowMs)
      return delay.isBusy
    })
    assert.deepEqual(heard, [false, false, true, true, false, false])
  })
})
