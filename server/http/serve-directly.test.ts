/** Requests that are served without Fastify get the same responses as with it. */
import { batch } from '@coffer/contract/batch'
import { BODY_MAX_BYTES } from '@coffer/contract/limits'
import { checkBalance, credit, debit, readWallet } from '@coffer/contract/server-api'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as send, type IncomingHttpHeaders } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { readConfig } from '../config.ts'
import { testEnv } from '../test/harness.ts'
import { basicOf, openSetup, type Fields, type Setup } from '../test/setup.ts'
import { createHttpServer } from './create-http-server.ts'
import { DirectRoutes } from './serve-directly.ts'

interface Sent {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

interface Received {
  status: number | undefined
  headers: IncomingHttpHeaders
  /** As they were sent. */
  names: string[]
  body: string
}

function receive(port: number, { method = 'POST', path, headers, body }: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const request = send({ port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString()
        const { statusCode: status, headers: received, rawHeaders } = response
        const names = rawHeaders.filter((_, index) => index % 2 === 0)
        resolve({ status, headers: received, names, body: text })
      })
    })
    request.once('error', reject)
    request.end(body)
  })
}

const JSON_TYPE = { 'content-type': 'application/json' }
const bodyOf = (text: string) => ({
  headers: { ...JSON_TYPE, 'content-length': String(Buffer.byteLength(text)) },
  body: text,
})

describe('a request', () => {
  const config = readConfig({
    ...testEnv('postgres://localhost/none'),
    PUBLIC_URL: 'http://wallet.example',
    ACCOUNT_URL: 'http://account.example',
  })
  const recorded: unknown[] = []
  const nobody = () => undefined
  const dependencies = {
    config,
    log: { info: nobody, debug: nobody, error: nobody },
    metrics: { observeRequest: (...each: unknown[]) => recorded.push(each), countOverload: nobody },
    appActivity: { recordRefusal: nobody },
  }
  let routes: DirectRoutes
  let port: number
  let stop: () => Promise<unknown>
  before(async () => {
    const server = createHttpServer((_request, response) => response.end('Fastify'), {
      isHttps: false,
      isBusy: () => false,
      onRefused: nobody,
      directRoutes: {
        serve: (...exchange: Parameters<DirectRoutes['serve']>) => routes.serve(...exchange),
      } as DirectRoutes,
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    ;({ port } = server.address() as AddressInfo)
    stop = () => once(server.close(), 'close')
  })
  after(() => stop())
  beforeEach(() => {
    routes = new DirectRoutes(dependencies as never)
    for (const endpoint of [debit, readWallet]) {
      routes.add(endpoint, (_request, fields) => Promise.resolve({ fields }))
    }
  })

  const HOST = { host: 'wallet.example' }
  async function isServedDirectly(sent: Sent): Promise<boolean> {
    const { headers } = await receive(port, { ...sent, headers: { ...HOST, ...sent.headers } })
    return headers['x-request-id'] !== undefined
  }
  const plain = { path: debit.path, ...bodyOf('{"a":1}') }

  it('is served directly if it is plain', async () => {
    const { body } = await receive(port, { ...plain, headers: { ...HOST, ...plain.headers } })
    assert.deepEqual(JSON.parse(body), { fields: { a: 1 } })
    const charset = { ...plain.headers, 'content-type': 'application/json; charset=utf-8' }
    assert.equal(await isServedDirectly({ ...plain, headers: charset }), true)
    const path = `${readWallet.path}?a=1&b=%C3%BC+x&a=2`
    const { body: read } = await receive(port, { method: 'GET', path, headers: HOST })
    assert.deepEqual(JSON.parse(read), { fields: { a: ['1', '2'], b: 'ü x' } })
    assert.equal(await isServedDirectly({ method: 'GET', path: readWallet.path }), true)
  })

  const others: Record<string, Sent> = {
    'with another method': { ...plain, method: 'PUT' },
    HEAD: { method: 'HEAD', path: readWallet.path },
    'with a query beside a body': { ...plain, path: `${debit.path}?a=1` },
    'with another spelling of the path': { ...plain, path: `${debit.path}/` },
    'with an encoded path': { ...plain, path: debit.path.replace('debit', '%64ebit') },
    'for an unknown path': { ...plain, path: '/api/server/wallet/unknown' },
    'of a browser': { ...plain, headers: { ...plain.headers, origin: 'https://shop.example' } },
    'of a page of the same site': {
      ...plain,
      headers: { ...plain.headers, 'sec-fetch-site': 'same-origin' },
    },
    'without a content type': { ...plain, headers: { 'content-length': '7' } },
    'with another content type': {
      ...plain,
      headers: { ...plain.headers, 'content-type': 'text/plain' },
    },
    'in chunks': { ...plain, headers: { ...JSON_TYPE, 'transfer-encoding': 'chunked' } },
    'without a body': { path: debit.path, headers: { ...JSON_TYPE, 'content-length': '0' } },
    'that is too large': { path: debit.path, ...bodyOf(' '.repeat(BODY_MAX_BYTES + 1)) },
    'GET with a body': { method: 'GET', path: readWallet.path, ...bodyOf('{}') },
    'for the host of another origin': {
      ...plain,
      headers: { ...plain.headers, host: 'account.example' },
    },
    'for an unknown host': { ...plain, headers: { ...plain.headers, host: 'other.example' } },
  }
  for (const [name, sent] of Object.entries(others)) {
    it(`${name} is served by Fastify`, async () => {
      assert.equal(await isServedDirectly(sent), false)
    })
  }

  it('is served by Fastify while the process stops', async () => {
    routes.stop()
    assert.equal(await isServedDirectly(plain), false)
  })

  it('ends its connection if the process stops meanwhile', async () => {
    routes.add(debit, () => {
      routes.stop()
      return Promise.resolve({})
    })
    const keep = { ...HOST, ...plain.headers, connection: 'keep-alive' }
    assert.equal((await receive(port, { ...plain, headers: keep })).headers.connection, 'close')
  })

  it('that ends before its body is complete is recorded as invalid and executes nothing', async () => {
    let isRun = false
    routes.add(debit, () => {
      isRun = true
      return Promise.resolve({})
    })
    recorded.length = 0
    const socket = connect(port, '127.0.0.1')
    const head = `POST ${debit.path} HTTP/1.1\r\nHost: wallet.example\r\nContent-Type: application/json\r\n`
    socket.write(`${head}Content-Length: 100\r\n\r\n{"a":`)
    await once(socket, 'connect')
    setTimeout(() => socket.resetAndDestroy(), 50)
    while (recorded.length === 0) await new Promise(setImmediate)
    const [[record]] = recorded as [[{ status: number; code: string }]]
    assert.deepEqual([record.status, record.code, isRun], [400, 'INVALID_REQUEST', false])
  })
})

describe('the response to a request of the server API', () => {
  let setup: Setup
  let port: number
  before(async () => {
    setup = await openSetup()
    const address = await setup.harness.app.listen({ port: 0, host: '127.0.0.1' })
    port = Number(new URL(address).port)
  })
  after(() => setup.harness.end())

  /** Without what differs between two responses to the same request. */
  function comparable({ status, headers, names, body }: Received) {
    const { date: _date, 'x-request-id': id, ...same } = headers
    assert.match(String(id), /^[\w-]{36}$/)
    // Fastify closes the connection itself after a body that it cannot parse.
    const written = names.filter((name) => name.toLowerCase() !== 'connection')
    return { status, headers: same, names: new Set(written), body }
  }

  const sentTo = (path: string, fields: Fields, headers = {}): Sent => {
    const sent = bodyOf(JSON.stringify(fields))
    return { path, ...sent, headers: { ...sent.headers, ...headers } }
  }

  function requests(): Record<string, Sent> {
    const { app, user } = setup
    const { clientId, clientSecret } = app
    const who = { clientId, clientSecret, serviceUserId: user.serviceUserId }
    const pair = { referenceType: 'ORDER', referenceId: 'same' }
    const query = new URLSearchParams(who).toString()
    const get = (path: string, headers = {}): Sent => ({ method: 'GET', path, headers })
    return {
      'a posted debit': sentTo(debit.path, { ...who, ...pair, amount: '1.00' }),
      'a repeat that differs': sentTo(debit.path, { ...who, ...pair, amount: '2.00' }),
      'a refusal': sentTo(debit.path, { ...who, ...pair, referenceId: 'poor', amount: '9999' }),
      'a credit': sentTo(credit.path, { ...who, ...pair, referenceId: 'in', amount: 1.5 }),
      'an invalid amount': sentTo(debit.path, { ...who, ...pair, amount: '1.001' }),
      'a missing field': sentTo(debit.path, who),
      'a wrong secret': sentTo(debit.path, { ...who, clientSecret: 'wrong' }),
      'no credentials': sentTo(debit.path, {}),
      'HTTP Basic': sentTo(debit.path, { ...who, ...pair, amount: '1.00' }, basicOf(app)),
      'a list': { path: debit.path, ...bodyOf('[]') },
      null: { path: debit.path, ...bodyOf('null') },
      'broken JSON': { path: debit.path, ...bodyOf('{"amount":') },
      'a prototype': { path: debit.path, ...bodyOf('{"__proto__":{"a":1}}') },
      'a batch': sentTo(batch.path, { clientId, clientSecret, operations: [] }),
      'a wallet': get(`${readWallet.path}?${query}`),
      'a repeated parameter': get(`${readWallet.path}?${query}&serviceUserId=x`),
      'an unknown user': get(
        `${readWallet.path}?clientId=${clientId}&clientSecret=${clientSecret}&serviceUserId=su_1`,
      ),
      'a balance': get(`${checkBalance.path}?${query}&requiredAmount=1`),
      'a broken encoding': get(`${checkBalance.path}?${query}&requiredAmount=%zz`),
      'no query': get(checkBalance.path),
    }
  }

  it('is the same with and without Fastify, with all of its headers', async () => {
    const seen = new Set<number | undefined>()
    for (const [name, sent] of Object.entries(requests())) {
      const { headers = {} } = sent
      // Another spelling, which only Fastify accepts.
      const unusual =
        sent.method === 'GET'
          ? { ...headers, 'content-length': '0' }
          : { ...headers, 'content-type': 'application/json;charset=utf-8' }
      await receive(port, sent)
      const direct = comparable(await receive(port, sent))
      const framework = comparable(await receive(port, { ...sent, headers: unusual }))
      assert.deepEqual(direct, framework, name)
      seen.add(direct.status)
    }
    assert.deepEqual(seen, new Set([200, 400, 401]))
  })

  it('is logged alike', async () => {
    const { 'a refusal': sent } = requests()
    assert(sent)
    const type = { ...sent.headers, 'content-type': 'application/json;charset=utf-8' }
    const { logLines } = setup.harness
    logLines.length = 0
    await receive(port, sent)
    await receive(port, { ...sent, headers: type })
    while (logLines.join('').split('\n').length < 3) await new Promise(setImmediate)
    const [direct, framework] = logLines
      .join('')
      .trim()
      .split('\n')
      .map((line) => {
        const { time, requestId, durationMs, ...same } = JSON.parse(line) as Fields
        assert(typeof time === 'number' && typeof requestId === 'string')
        assert(typeof durationMs === 'number' && durationMs >= 0)
        return same
      })
    assert.deepEqual(direct, framework)
    assert.equal(direct?.['code'], 'INSUFFICIENT_BALANCE')
  })
})
