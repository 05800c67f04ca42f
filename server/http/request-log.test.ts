/** The client controls X-Forwarded-For and, if every proxy is trusted, also the address of the request. */
import { debit, readWallet } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises'
import { MARK } from '../test/canaries.ts'
import { startOwnHarness } from '../test/harness.ts'
import { call, addShop, openSetup, type Setup } from '../test/setup.ts'

const KEYS = ['level', 'time', 'pid', 'requestId', 'method', 'route', 'status', 'durationMs']

describe('the request log behind a trusted proxy', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup({ TRUST_PROXY: 'true' })
  })
  after(() => setup.harness.end())

  /** The lines of one request, each of which must be JSON. */
  async function linesFor(forwarded: string) {
    const { harness, user } = setup
    await endOfTurn()
    harness.logLines.splice(0)
    const headers = { 'x-forwarded-for': forwarded }
    const fields = { serviceUserId: user.serviceUserId }
    const response = await call(setup, readWallet, fields, headers)
    assert.equal(response.statusCode, 200)
    await endOfTurn()
    const lines = harness.logLines.join('').split('\n').filter(Boolean)
    const all = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    return all.filter(({ requestId }) => requestId === response.headers['x-request-id'])
  }

  it('contains the address that the proxy reports', async () => {
    for (const address of ['203.0.113.7', '2001:db8::7']) {
      for (const forwarded of [address, `${address}, 10.0.0.1`]) {
        const [line, ...others] = await linesFor(forwarded)
        assert.deepEqual(others, [])
        assert.deepEqual(Object.keys(line ?? {}), [...KEYS, 'clientId', 'ip'])
        assert.equal(line?.['ip'], address)
      }
    }
  })

  it('has lines of probes only at the level debug, unless they fail', async () => {
    const { harness } = setup
    await endOfTurn()
    harness.logLines.splice(0)
    for (const url of ['/livez', '/readyz', '/metrics', '/metrics/x']) {
      await harness.inject({ method: 'GET', url })
    }
    await endOfTurn()
    const lines = harness.logLines.join('').split('\n').filter(Boolean)
    const shown = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const found = shown.filter(({ route }) => route !== undefined)
    assert.deepEqual(
      found.map(({ level, route, status }) => [level, route, status]),
      [
        ['debug', '/livez', 200],
        ['debug', '/readyz', 200],
        ['debug', '/metrics', 200],
        ['info', 'unknown', 404],
      ],
    )
  })

  it('omits an invalid address, so that no caller can forge a line or a field', async () => {
    const hostile = [
      MARK,
      `${MARK}","level":"fatal","msg":"forged`,
      `203.0.113.7","status":200,"${MARK}":"`,
      `203.0.113.7"}{"level":"fatal","msg":"${MARK}"}`,
      `203.0.113.7\\`,
      '203.0.113.7:8080',
      '203.0.113.777',
      `<script>${MARK}</script>`,
      `session=${MARK}`,
      '"',
    ]
    for (const forwarded of hostile) {
      const lines = await linesFor(forwarded)
      assert.deepEqual(lines.map(Object.keys), [[...KEYS, 'clientId']], forwarded)
      assert(!JSON.stringify(lines).includes(MARK), forwarded)
    }
  })
})

describe('the request log of a listening service', () => {
  let setup: Setup
  let port: number
  before(async () => {
    setup = await addShop(await startOwnHarness())
    const url = await setup.harness.app.listen({ port: 0, host: '127.0.0.1' })
    port = Number(new URL(url).port)
  })
  after(() => setup.harness.end())

  /** Sends a part of a debit. The client disconnects when `isEnough` resolves. */
  async function sendAndDisconnect(length: number, isEnough: Promise<unknown>) {
    const { app, user, harness } = setup
    const { clientId, clientSecret } = app
    const { serviceUserId } = user
    const reference = { referenceType: 'GONE', referenceId: String(length) }
    const debited = { clientId, clientSecret, serviceUserId, ...reference, amount: 1 }
    const body = JSON.stringify(debited)
    harness.logLines.splice(0)
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST ${debit.path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, length)}`,
    )
    await isEnough
    socket.resetAndDestroy()
    for (;;) {
      const lines = harness.logLines.join('').split('\n').filter(Boolean)
      const all = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
      const found = all.find(({ route }) => route === debit.path)
      if (found) return found
      await sleep(5)
    }
  }

  it('has the outcome of a debit whose client disconnected before the response', async (test) => {
    const { ledger } = setup.harness.context
    const posted = Promise.withResolvers<void>()
    const disconnected = Promise.withResolvers<void>()
    const post = ledger.post.bind(ledger)
    test.mock.method(ledger, 'post', async (...request: Parameters<typeof post>) => {
      const decision = await post(...request)
      posted.resolve()
      await disconnected.promise
      return decision
    })
    const sent = sendAndDisconnect(1000, posted.promise)
    await posted.promise
    setTimeout(disconnected.resolve, 100)
    const line = await sent
    assert.deepEqual([line['status'], line['clientId']], [200, setup.app.clientId])
  })

  it('400 INVALID_REQUEST for a body that ends early, which executes nothing', async () => {
    const line = await sendAndDisconnect(20, Promise.resolve())
    assert.deepEqual([line['status'], line['code']], [400, 'INVALID_REQUEST'])
  })
})
