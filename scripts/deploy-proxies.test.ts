/** The unchanged configurations of the proxies, in front of real service processes: no log contains data of requests. */
import { BATCH_BODY_MAX_BYTES } from '@coffer/contract/limits'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { cloneDatabase } from '../server/test/database.ts'
import { spawnService, type ServiceProcess } from '../server/test/harness.ts'
import { skipWithout } from './find-program.ts'
import { prepareProxy, requestProxy as request, type Proxy } from './run-proxy.ts'

const CANARY = 'c4n4ry'
let database: Awaited<ReturnType<typeof cloneDatabase>>

before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

/** Sends bytes that are not a request, or a request without TLS. */
async function sendRaw(port: number, isTls: boolean, bytes: string) {
  const socket = isTls ? connectTls({ port, rejectUnauthorized: false }) : connect({ port })
  socket.on('error', () => undefined)
  socket.write(bytes)
  socket.resume()
  await Promise.race([once(socket, 'close').catch(() => undefined), pause(500)])
  socket.destroy()
}

for (const name of ['nginx', 'haproxy'] as const) {
  describe(`the configuration of ${name}`, { skip: skipWithout(name) }, () => {
    let proxy: Proxy
    let services: ServiceProcess[]

    before(async () => {
      const env = { TRUST_PROXY: '127.0.0.1' }
      services = await Promise.all([
        spawnService(database.url, env),
        spawnService(database.url, env),
      ])
      const hosts = services.map(({ url }) => new URL(url).host)
      // A busy machine may send fewer requests per second than are allowed.
      proxy = await prepareProxy(name, hosts, name === 'nginx' ? { 'rate=50r/s': 'rate=1r/m' } : {})
    })
    after(async () => {
      for (const service of services) await service.kill('SIGKILL')
      proxy.remove()
    })

    it('is valid', () => assert.equal(proxy.check(), undefined))

    it('forwards public routes, blocks internal ones, and logs no secret', async () => {
      const { port } = proxy
      await proxy.start()
      try {
        await waitUntilReady(port)
        await requestEverything(port)
        await exceedLimits(name, port)
        if (name === 'nginx') await requestWithoutTls(proxy)
        const lines = services.flatMap((service) => service.output).join('\n')
        assert.doesNotMatch(lines, new RegExp(CANARY))
        assert.doesNotMatch(lines, /"ip":"(?!127\.0\.0\.1")/)
        for (const service of services) await service.kill('SIGKILL')
        const { status } = await request(port, `/api/server/wallet?clientSecret=${CANARY}`)
        assert.match(`${status}`, /^50[234]$/)
      } finally {
        await proxy.stop()
      }
      const written = proxy.readLog()
      assert.match(written, / GET \/api\/server\/wallet 401 /)
      assert.match(written, / GET \/api\/server\/wallet 50[234] /)
      assert.match(written, / POST \/api\/server\/wallet\/debit 401 /)
      assert.deepEqual(
        written.split('\n').filter((line) => line.includes(CANARY)),
        [],
      )
    })
  })
}

async function waitUntilReady(port: number) {
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await request(port, '/docs')).status === 200) return
    await pause(100)
  }
  assert.fail('the proxy forwards nothing')
}

/** What keeps large bodies without credentials away from the service. */
async function exceedLimits(name: string, port: number) {
  const path = '/api/server/wallet/batch'
  const type = { 'content-type': 'application/json' }
  const many = (length: number) =>
    Promise.all(Array.from({ length }, () => request(port, path, { ...type, body: '{}' })))
  const small = await many(name === 'nginx' ? 200 : 70)
  const large = await request(port, path, { ...type, body: '{}'.padEnd(BATCH_BODY_MAX_BYTES) })
  if (name === 'nginx') {
    assert(small.some(({ status }) => status === 429))
    return
  }
  assert.equal(large.status, 429)
  const encoded = await request(port, '/api/server/wallet/%62atch', { ...type, body: '{}' })
  assert.equal(encoded.status, 404)
}

/** Pages are redirected, the API is refused, and certbot's challenges are served. */
async function requestWithoutTls({ plainPort: port, folder }: Proxy) {
  const call = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' })
  const page = await call(`/widget/wallet?session=ws_${CANARY}`)
  assert.equal(page.status, 301)
  assert.match(page.headers.get('location') ?? '', /^https:\/\/[^/]+\/widget\/wallet\?session=ws_/)
  assert.equal((await call(`/api/server/wallet?clientSecret=${CANARY}`)).status, 403)
  mkdirSync(join(folder, '.well-known/acme-challenge'), { recursive: true })
  writeFileSync(join(folder, '.well-known/acme-challenge/token'), 'proof')
  assert.equal(await (await call('/.well-known/acme-challenge/token')).text(), 'proof')
}

async function requestEverything(port: number) {
  const query = `clientId=${CANARY}&clientSecret=${CANARY}&serviceUserId=${CANARY}`
  const everywhere = {
    referer: `https://shop.example/?${CANARY}`,
    'user-agent': CANARY,
    cookie: `a=${CANARY}`,
  }
  const spoofed = { 'x-forwarded-for': '203.0.113.9', ...everywhere }
  assert.equal((await request(port, `/api/server/wallet?${query}`, spoofed)).status, 401)
  assert.equal((await request(port, `/api/widget/wallet?session=ws_${CANARY}`)).status, 401)
  assert.equal((await request(port, `/widget/wallet?session=ws_${CANARY}`)).status, 200)
  assert.equal((await request(port, '/', { accept: 'text/html' })).status, 200)
  assert.equal((await request(port, '/llms.txt')).status, 200)
  const body = JSON.stringify({ clientId: CANARY, clientSecret: CANARY, serviceUserId: CANARY })
  const debit = { 'content-type': 'application/json', body }
  assert.equal((await request(port, `/api/server/wallet/debit?${query}`, debit)).status, 401)
  const batch = { ...debit, body: body.padEnd(BATCH_BODY_MAX_BYTES) }
  assert.equal((await request(port, `/api/server/wallet/batch?${query}`, batch)).status, 401)
  const larger = { ...debit, body: body.padEnd(2 * BATCH_BODY_MAX_BYTES) }
  // The service responds before it has read everything, so the connection may end while the request is still being sent.
  let refusal = 0
  for (let attempt = 0; attempt < 10 && refusal === 0; attempt++) {
    refusal = (await request(port, '/api/server/wallet/batch', larger)).status
  }
  assert.equal(refusal, 413)
  for (const path of [
    '/metrics',
    '/livez',
    '/readyz',
    '/docs/../metrics',
    '/api/%2e%2e/metrics',
    '/',
  ]) {
    const response = await request(port, `${path}?${query}`)
    assert.match(`${path} ${response.status}`, / 40[04]$/)
    assert.doesNotMatch(response.body, /coffer_request_seconds/)
  }
  const long = `/api/server/wallet?${query}${'x'.repeat(20_000)}`
  assert.match(`${(await request(port, long)).status}`, /^4\d\d$/)
  await sendRaw(port, true, `GET /api/server/wallet?${query} HTTP/7.7\r\n\r\n`)
  await sendRaw(
    port,
    true,
    `GET /api/server/wallet?${query} HTTP/1.1\r\nhost: a\r\n${CANARY} : x\r\n\r\n`,
  )
  await sendRaw(port, true, `GET /api/server/wallet?${query} HTTP/1.1\r\nhost: a\r\n`)
  await sendRaw(port, true, `${CANARY}\r\n\r\n`)
  await sendRaw(port, false, `GET /api/server/wallet?${query} HTTP/1.1\r\nhost: a\r\n\r\n`)
}
