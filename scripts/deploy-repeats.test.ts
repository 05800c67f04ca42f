/** Which requests nginx and HAProxy send again, in front of two servers that break connections. */
import { REPEATABLE_PATHS } from '@coffer/contract/server/repeatable-paths'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ENDPOINTS } from '../server/test/contract-endpoints.ts'
import { skipWithout } from './find-program.ts'
import { prepareProxy, requestProxy, type Proxy } from './run-proxy.ts'

const HEALTH = '/readyz'

/** How often each request has arrived at any of the servers. */
const arrivals = new Map<string, number>()
/** What the servers do with a request that arrives for the first time; they respond with 200 to a repeat. */
let onFirst: 'close' | 503 = 'close'

async function startUpstream(): Promise<Server> {
  const upstream = createServer((request, response) => {
    const id = String(request.headers['x-id'])
    request.resume().once('end', () => {
      if (request.url === HEALTH) return response.end()
      const count = (arrivals.get(id) ?? 0) + 1
      arrivals.set(id, count)
      if (count > 1 || id === 'plain') return response.end('served')
      if (onFirst === 'close') return request.socket.destroy()
      return response.writeHead(onFirst).end()
    })
  })
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  return upstream
}

async function stop(upstream: Server | undefined) {
  upstream?.closeAllConnections()
  if (upstream?.listening) await once(upstream.close(), 'close')
}

for (const name of ['nginx', 'haproxy'] as const) {
  describe(`the configuration of ${name}`, { skip: skipWithout(name) }, () => {
    let upstreams: Server[]
    let proxy: Proxy
    async function open(replacements: Record<string, string> = {}) {
      upstreams = await Promise.all([startUpstream(), startUpstream()])
      const hosts = upstreams.map((each) => `127.0.0.1:${(each.address() as AddressInfo).port}`)
      proxy = await prepareProxy(name, hosts, replacements)
      await proxy.start()
      while ((await send('/docs', 'GET', 'plain')) !== 200) await sleep(50)
    }
    afterEach(async () => {
      await proxy.stop()
      proxy.remove()
      for (const each of upstreams) await stop(each)
    })

    async function send(path: string, method: 'GET' | 'POST', id: string = randomUUID()) {
      const content = { 'x-id': id, 'content-type': 'application/json' }
      const { status } = await requestProxy(proxy.port, path, {
        ...content,
        ...(method === 'POST' && { body: '{"a":1}' }),
      })
      return status
    }

    it('repeats reads, and POST requests with references, at the other process, and nothing else', async () => {
      onFirst = 'close'
      // nginx would leave out both for two seconds, because both fail on purpose.
      await open(name === 'nginx' ? { 'max_fails=1': 'max_fails=0' } : {})
      for (const { method, path } of Object.values(ENDPOINTS)) {
        const id = randomUUID()
        const status = await send(path, method, id)
        const isRepeatable = method === 'GET' || REPEATABLE_PATHS.includes(path)
        const expected = isRepeatable ? [200, 2] : [502, 1]
        assert.deepEqual([status, arrivals.get(id)], expected, `${method} ${path}`)
      }
    })

    it('sends a request that could not be sent to the other process', async () => {
      await open()
      await stop(upstreams[0])
      // nginx notices that its idle connection has ended.
      await sleep(300)
      for (let index = 0; index < 6; index++) {
        assert.equal(await send('/api/widget/session', 'POST', 'plain'), 200)
      }
    })

    it('returns a 503 of an overloaded service once, and still serves pages', async () => {
      onFirst = 503
      await open()
      for (const path of REPEATABLE_PATHS) {
        const id = randomUUID()
        assert.deepEqual([await send(path, 'POST', id), arrivals.get(id)], [503, 1])
      }
      assert.equal(await send('/account', 'GET', 'plain'), 200)
    })
  })
}
