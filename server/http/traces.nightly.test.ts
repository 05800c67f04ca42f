/**
 * Runs the service under OpenTelemetry's auto-instrumentation, with the variables from docs/operations.md, and receives
 * its spans. The packages are not among ours, because there are 200 of them: the test installs them.
 */
import { debit, readWallet } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { spawnService, type ServiceProcess } from '../test/harness.ts'
import { openSetup, type Setup } from '../test/setup.ts'

const PACKAGES = ['@opentelemetry/api@1.10.0', '@opentelemetry/auto-instrumentations-node@0.82.0']
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FOLDER = `${ROOT}node_modules/.cache/otel-0.82.0`
const TIME_LIMIT_MS = 60_000

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  attributes: { key: string; value: { stringValue?: string } }[]
}

interface Exported {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
}

describe('the service under auto-instrumentation', () => {
  let setup: Setup
  let service: ServiceProcess
  let receiver: Server
  const spans: Span[] = []
  let received = ''

  before(async () => {
    install()
    receiver = createServer((request, response) => void receive(request, response))
    await once(receiver.listen(0, '127.0.0.1'), 'listening')
    const { port } = receiver.address() as AddressInfo
    setup = await openSetup()
    service = await spawnService(setup.harness.databaseUrl, {
      ...readVariables(),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    })
  })
  after(async () => {
    assert.equal(await service.kill('SIGINT'), 0)
    receiver.close()
    await setup.harness.end()
  })

  async function receive(request: IncomingMessage, response: ServerResponse) {
    const body = await text(request)
    received += body
    const { resourceSpans } = JSON.parse(body) as Exported
    for (const { scopeSpans } of resourceSpans) {
      spans.push(...scopeSpans.flatMap((scope) => scope.spans))
    }
    response.setHeader('Content-Type', 'application/json').end('{}')
  }

  function install() {
    if (existsSync(`${FOLDER}/node_modules/@opentelemetry/auto-instrumentations-node`)) return
    mkdirSync(FOLDER, { recursive: true })
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', FOLDER]
    execFileSync('npm', ['install', ...options, ...PACKAGES], { stdio: 'pipe' })
  }

  /** The block of variables in the documentation. */
  function readVariables(): Record<string, string> {
    const operations = readFileSync(`${ROOT}docs/operations.md`, 'utf8')
    const block = /```ini\n(NODE_OPTIONS[^`]+)```/.exec(operations)?.[1] ?? ''
    const pairs = [...block.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replace('/opt/otel', FOLDER),
    ])
    assert(pairs.length > 3)
    return Object.fromEntries(pairs) as Record<string, string>
  }

  async function find(isWanted: (span: Span) => boolean): Promise<Span> {
    const lastMs = performance.now() + TIME_LIMIT_MS
    for (;;) {
      const span = spans.find(isWanted)
      if (span) return span
      const names = spans.map(({ name }) => name).join(', ')
      assert(performance.now() < lastMs, `the span did not arrive; received: ${names}`)
      await sleep(50)
    }
  }

  const attributeOf = (span: Span, name: string) =>
    span.attributes.find(({ key }) => key === name)?.value.stringValue

  const newTrace = () => {
    const traceId = randomBytes(16).toString('hex')
    return { traceId, headers: { traceparent: `00-${traceId}-${'1'.repeat(16)}-01` } }
  }

  it('continues the trace of the caller, names the route, and hides the URL and its secret', async () => {
    const { clientId, clientSecret } = setup.app
    const { serviceUserId } = setup.user
    const { traceId, headers } = newTrace()
    const query = new URLSearchParams({ clientId, clientSecret, serviceUserId })
    const response = await fetch(`${service.url}${readWallet.path}?${query}`, { headers })
    assert.equal(response.status, 200)
    const span = await find((each) => each.traceId === traceId && each.kind === 2)
    assert.equal(span.name, `GET ${readWallet.path}`)
    assert.equal(attributeOf(span, 'http.route'), readWallet.path)
    // A URL that cannot be decoded reaches no route.
    const other = newTrace()
    await fetch(`${service.url}/%ff?${query}`, { headers: other.headers })
    await find((each) => each.traceId === other.traceId && each.kind === 2)
    for (const secret of [clientSecret, encodeURIComponent(clientSecret), serviceUserId]) {
      assert(!received.includes(secret), 'a span contains a secret')
    }
  })

  it('shows the queries of a debit, and its log line carries the ids of the trace', async () => {
    const { clientId, clientSecret } = setup.app
    const { serviceUserId } = setup.user
    const { traceId, headers } = newTrace()
    const pair = { referenceType: 'ORDER', referenceId: randomUUID() }
    const response = await fetch(`${service.url}${debit.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ clientId, clientSecret, serviceUserId, amount: 1, ...pair }),
    })
    assert.equal(response.status, 200)
    const span = await find((each) => each.traceId === traceId && each.kind === 2)
    const query = await find((each) => each.traceId === traceId && each.name.startsWith('pg'))
    assert.notEqual(query.parentSpanId, undefined)
    const requestId = response.headers.get('x-request-id') ?? ''
    const isLogged = () => service.output.find((line) => line.includes(requestId))
    for (let tries = 0; tries < 1_000 && !isLogged(); tries++) await sleep(20)
    const line = JSON.parse(isLogged() ?? '{}') as Record<string, unknown>
    assert.deepEqual([line['trace_id'], line['span_id']], [traceId, span.spanId])
    for (const secret of [clientSecret, serviceUserId, pair.referenceId]) {
      assert(!received.includes(secret), 'a span contains a secret')
    }
  })
})
