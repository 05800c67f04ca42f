/** The unchanged configurations of the proxies, in front of real service processes: no log contains data of requests. */
import { BATCH_BODY_MAX_BYTES } from '@coffer/contract/limits'
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { request as requestTls } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { cloneDatabase } from '../server/test/database.ts'
import { spawnService, type ServiceProcess } from '../server/test/harness.ts'
import { findFreePorts } from './find-free-ports.ts'
import { findProgram, skipWithout } from './find-program.ts'

const CANARY = 'c4n4ry'
const folder = mkdtempSync(join(tmpdir(), 'coffer-proxies-'))
let database: Awaited<ReturnType<typeof cloneDatabase>>

before(async () => {
  database = await cloneDatabase()
  // nginx runs as another user, and serves a file of this folder.
  chmodSync(folder, 0o711)
  const [key, certificate] = [join(folder, 'tls.key'), join(folder, 'tls.crt')]
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=wallet.example', '-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', ...made, ...names], { stdio: 'pipe' })
  writeFileSync(join(folder, 'tls.pem'), readFileSync(certificate) + readFileSync(key, 'utf8'))
})

after(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

/** Copies the file with other ports and paths; every text to be replaced must exist. */
function adapt(file: string, replacements: Record<string, string>): string {
  let text = readFileSync(new URL(`../deploy/${file}`, import.meta.url), 'utf8')
  for (const [old, other] of Object.entries(replacements)) {
    assert(text.includes(old), `${file} has no ${old}`)
    text = text.replaceAll(old, other)
  }
  const copy = join(folder, file)
  writeFileSync(copy, text)
  return copy
}

interface Proxy {
  file: string
  /** What differs in the copy, in addition to the ports of the service and the proxy. */
  replaces(port: number, plainPort: number): Promise<Record<string, string>>
  check(copy: string): string[]
  run(copy: string): string[]
}

const PROXIES: Record<string, Proxy> = {
  nginx: {
    file: 'nginx.conf',
    replaces: async (port, plainPort) => ({
      'listen 443': `listen ${port}`,
      'listen 80': `listen ${plainPort}`,
      '/var/www/acme': folder,
      // A busy machine may send fewer requests per second than are allowed.
      'rate=50r/s': 'rate=1r/m',
      '/run/nginx.pid': join(folder, 'nginx.pid'),
      '/var/log/nginx/access.log': join(folder, 'nginx.log'),
      '/var/lib/nginx/': join(folder, 'nginx-'),
    }),
    check: (copy) => ['-t', '-p', folder, '-c', copy],
    run: (copy) => ['-p', folder, '-c', copy, '-g', 'daemon off;'],
  },
  haproxy: {
    file: 'haproxy.cfg',
    async replaces(port) {
      const [postgres] = await findFreePorts(1)
      return { '8443': `${port}`, '127.0.0.1:5000': `127.0.0.1:${postgres}` }
    },
    check: (copy) => ['-c', '-f', copy],
    run: (copy) => ['-db', '-f', copy],
  },
}

interface ServiceResponse {
  status: number
  body: string
}

/** Sends one request over TLS; the status is 0 if there is no response. */
function request(
  port: number,
  path: string,
  { body = '', ...headers }: Record<string, string> = {},
) {
  return new Promise<ServiceResponse>((resolve) => {
    const method = body ? 'POST' : 'GET'
    const options = { port, path, method, headers, rejectUnauthorized: false, agent: false }
    const sent = requestTls(options, (response) => {
      let text = ''
      response.on('data', (piece) => (text += String(piece)))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
    })
    sent.on('error', () => resolve({ status: 0, body: '' }))
    sent.end(body)
  })
}

/** Sends bytes that are not a request, or a request without TLS. */
async function sendRaw(port: number, isTls: boolean, bytes: string) {
  const socket = isTls ? connectTls({ port, rejectUnauthorized: false }) : connect({ port })
  socket.on('error', () => undefined)
  socket.write(bytes)
  socket.resume()
  await Promise.race([once(socket, 'close').catch(() => undefined), pause(500)])
  socket.destroy()
}

for (const [name, proxy] of Object.entries(PROXIES)) {
  const program = findProgram(name)
  const skip = skipWithout(name)

  describe(`deploy/${proxy.file}`, { skip }, () => {
    let port = 0
    let plainPort = 0
    let copy = ''
    let services: ServiceProcess[]

    before(async () => {
      const env = { TRUST_PROXY: '127.0.0.1' }
      services = await Promise.all([
        spawnService(database.url, env),
        spawnService(database.url, env),
      ])
      const [first = '', second = ''] = services.map(({ url }) => new URL(url).host)
      ;[port = 0, plainPort = 0] = await findFreePorts(2)
      copy = adapt(proxy.file, {
        '127.0.0.1:8081': first,
        '127.0.0.1:8082': second,
        '/etc/coffer': folder,
        ...(await proxy.replaces(port, plainPort)),
      })
    })
    after(async () => {
      for (const service of services) await service.kill('SIGKILL')
    })

    it('is a valid configuration', () => {
      const output = openSync(join(folder, `${name}-check.log`), 'w+')
      const stdio = ['ignore', output, output] as const
      const { status } = spawnSync(program ?? '', proxy.check(copy), { stdio: [...stdio] })
      assert.equal(status, 0, readFileSync(join(folder, `${name}-check.log`), 'utf8'))
    })

    it('forwards public routes, blocks internal ones, and logs no secret', async () => {
      const log = join(folder, `${name}.log`)
      const output = openSync(log, 'a')
      const running = spawn(program ?? '', proxy.run(copy), { stdio: ['ignore', output, output] })
      const ended = once(running, 'exit')
      try {
        await waitUntilReady(port)
        await requestEverything(port)
        await exceedLimits(name, port)
        if (name === 'nginx') await requestWithoutTls(plainPort)
        const lines = services.flatMap((service) => service.output).join('\n')
        assert.doesNotMatch(lines, new RegExp(CANARY))
        assert.doesNotMatch(lines, /"ip":"(?!127\.0\.0\.1")/)
        for (const service of services) await service.kill('SIGKILL')
        const { status } = await request(port, `/api/server/wallet?clientSecret=${CANARY}`)
        assert.match(`${status}`, /^50[234]$/)
      } finally {
        running.kill('SIGTERM')
        await ended
      }
      const written = readFileSync(log, 'utf8')
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
async function requestWithoutTls(port: number) {
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
