/** The client controls X-Forwarded-For and, if every proxy is trusted, also the address of the request. */
import { readWallet } from '@coffer/contract/server-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { MARK } from '../test/canaries.ts'
import { call, openSetup, type Setup } from '../test/setup.ts'

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
        [20, '/livez', 200],
        [20, '/readyz', 200],
        [20, '/metrics', 200],
        [30, 'unknown', 404],
      ],
    )
  })

  it('omits an invalid address, so that no caller can forge a line or a field', async () => {
    const hostile = [
      MARK,
      `${MARK}","level":60,"msg":"forged`,
      `203.0.113.7","status":200,"${MARK}":"`,
      `203.0.113.7"}{"level":60,"msg":"${MARK}"}`,
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
