/** Which routes an overloaded process refuses. A route of a new kind needs a row. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { ADMIN_ENV } from '../test/admin-setup.ts'
import type { Harness } from '../test/harness.ts'
import { startWithRoutes, type RegisteredRoute } from '../test/list-routes.ts'
import { createDrain } from './create-drain.ts'
import { createHttpServer } from './create-http-server.ts'

interface Kind {
  name: string
  urls: RegExp
  isRefused: boolean
}

/**
 * Backends retry a refused debit, and without their load the process recovers. All other requests are rare, and a user,
 * an operator, Stripe or a load balancer waits for them.
 */
const KINDS: readonly Kind[] = [
  { name: 'server API', urls: /^\/api\/server\//, isRefused: true },
  { name: 'webhook', urls: /^\/api\/processor\/webhook$/, isRefused: false },
  { name: 'widget API', urls: /^\/api\/widget\//, isRefused: false },
  { name: 'account API', urls: /^\/api\/account(\/|$)/, isRefused: false },
  { name: 'admin API', urls: /^\/api\/admin\//, isRefused: false },
  { name: 'health', urls: /^\/(livez|readyz)$/, isRefused: false },
  { name: 'metrics', urls: /^\/metrics$/, isRefused: false },
  { name: 'widget pages', urls: /^\/widget\/(wallet|topup)$/, isRefused: false },
  { name: 'account pages', urls: /^\/account(\/topup)?$/, isRefused: false },
  { name: 'client secret', urls: /^\/(api|account)\/client-secret$/, isRefused: false },
  { name: 'admin pages', urls: /^\/admin(\/\*)?$/, isRefused: false },
  { name: 'documentation', urls: /^\/docs(\/|$)|^\/llms\.txt$/, isRefused: false },
  { name: 'assets', urls: /^\/assets\//, isRefused: false },
  { name: 'icons', urls: /^\/favicon\.(svg|ico)$/, isRefused: false },
]

describe('an overloaded process', () => {
  let harness: Harness
  let routes: RegisteredRoute[]
  before(async () => {
    ;({ harness, routes } = await startWithRoutes(ADMIN_ENV))
  })
  after(() => harness.end())

  it('has a kind for every registered route, and a route for every kind', () => {
    for (const { url } of routes) {
      const kinds = KINDS.filter(({ urls }) => urls.test(url)).map(({ name }) => name)
      assert.equal(kinds.length, 1, `${url} is of the kinds ${kinds.join(', ') || 'none'}`)
    }
    const empty = KINDS.filter(({ urls }) => !routes.some(({ url }) => urls.test(url)))
    assert.deepEqual(empty, [])
  })

  for (const { name, urls, isRefused } of KINDS) {
    const result = isRefused ? 'refused with 503 SERVICE_UNAVAILABLE' : 'handled'
    it(`every route of the kind ${name} is ${result}`, async () => {
      const server = createHttpServer((_request, response) => response.end('handled'), {
        isHttps: false,
        isBusy: () => true,
        drain: createDrain(),
        onRefused: () => undefined,
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const { port } = server.address() as AddressInfo
      try {
        for (const { method, url } of routes.filter((each) => urls.test(each.url))) {
          for (const path of [url.replace('*', 'people'), `${url}?a=b`]) {
            const { status, text } = await send(port, method, path)
            const code = /"code":"(\w+)"/.exec(text)?.[1]
            const expected = isRefused ? [503, 'SERVICE_UNAVAILABLE'] : [200, undefined]
            assert.deepEqual([status, code], expected, `${method} ${path}`)
          }
        }
      } finally {
        server.closeAllConnections()
        await once(server.close(), 'close')
      }
    })
  }

  it('refuses the server API with 503 SERVICE_UNAVAILABLE however its path is written', async () => {
    const server = createHttpServer((_request, response) => response.end('handled'), {
      isHttps: false,
      isBusy: () => true,
      drain: createDrain(),
      onRefused: () => undefined,
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    for (const path of [
      '/api/server/wallet%2Fbatch',
      '/api/server/wallet/%62atch',
      '/%61pi/server/wallet/batch',
      '/api%2Fserver/wallet/batch',
      'http://wallet/api/server/wallet/batch',
    ]) {
      assert.equal((await send(port, 'POST', path)).status, 503, path)
    }
    assert.equal((await send(port, 'GET', '/account?next=%2F')).status, 200)
    server.closeAllConnections()
    await once(server.close(), 'close')
  })

  it('is recognized by an event loop that is late twice in a row', async () => {
    const url = await harness.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = new URL(url)
    const [first, second] = [await openSocket(port), await openSocket(port)]
    assert.equal(await statusOf(first, '/api/server/wallet'), 401)
    await blockTwice()
    // Sent in the same turn as the last delay, so that no timer can fire in time before it is read.
    const refused = statusOf(second, '/api/server/wallet')
    block()
    assert.equal(await refused, 503)
    const { body } = await harness.inject({ method: 'GET', url: '/metrics' })
    assert.match(
      body,
      /coffer_request_seconds_count\{method="OTHER",route="unread",status="503"\} 1/,
    )
    assert.match(body, /coffer_overload_refusals_total\{limit="event_loop"\} 1/)
    first.destroy()
    second.destroy()
  })

  /** Longer than the timer may be late. */
  function block() {
    const untilMs = performance.now() + 600
    while (performance.now() < untilMs);
  }

  async function blockTwice() {
    for (let time = 0; time < 2; time++) {
      block()
      await endOfTurn()
    }
  }
})

async function openSocket(port: string): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

async function statusOf(socket: Socket, path: string): Promise<number> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: wallet\r\n\r\n`)
  const [data] = (await once(socket, 'data')) as [Buffer]
  return Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString())?.[1])
}

async function send(port: number, method: string, path: string) {
  const sent = request({ port, host: '127.0.0.1', method, path }).end()
  const [response] = (await once(sent, 'response')) as [
    NodeJS.ReadableStream & { statusCode: number },
  ]
  let text = ''
  for await (const piece of response) text += String(piece)
  return { status: response.statusCode, text }
}
