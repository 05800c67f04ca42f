/** Without OpenTelemetry's packages: a span of our own is active while the service handles a request. */
import { context, ROOT_CONTEXT, trace, type Context, type ContextManager } from '@opentelemetry/api'
import { readWallet } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { after, before, describe, it } from 'node:test'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { call, openSetup, type Setup } from '../test/setup.ts'

const IDS = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }

describe('a request with an active span', () => {
  let setup: Setup
  const storage = new AsyncLocalStorage<Context>()
  before(async () => {
    const manager: ContextManager = {
      active: () => storage.getStore() ?? ROOT_CONTEXT,
      with: (active, work, self, ...args) => storage.run(active, () => work.call(self, ...args)),
      bind: (_context, target) => target,
      enable: () => manager,
      disable: () => manager,
    }
    context.setGlobalContextManager(manager)
    setup = await openSetup()
  })
  after(async () => {
    context.disable()
    await setup.harness.end()
  })

  it('has the ids of the trace in all its log lines, and its route in the span', async () => {
    const { harness, user } = setup
    const span = trace.wrapSpanContext(IDS)
    const recorded: unknown[] = []
    span.updateName = (name) => (recorded.push(name), span)
    span.setAttribute = (name, value) => (recorded.push(`${name}=${String(value)}`), span)
    await endOfTurn()
    harness.logLines.splice(0)
    await context.with(trace.setSpan(ROOT_CONTEXT, span), async () => {
      await call(setup, readWallet, { serviceUserId: user.serviceUserId })
      harness.context.log.warn('a line of the logger')
      await endOfTurn()
    })
    const lines = harness.logLines.join('').split('\n').filter(Boolean)
    const shown = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const own = shown.filter(({ route, msg }) => route ?? msg === 'a line of the logger')
    assert.equal(own.length, 2)
    for (const line of own) {
      assert.deepEqual([line['trace_id'], line['span_id']], [IDS.traceId, IDS.spanId])
    }
    assert.deepEqual(recorded, [`GET ${readWallet.path}`, `http.route=${readWallet.path}`])
  })
})
