import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { startSandbox } from './start-sandbox.ts'
import { eventTypes } from './test-harness.ts'

const run = promisify(execFile)
const shim = createRequire(import.meta.url).resolve('@stripe/cli/bin/shim.js')
const home = await mkdtemp(join(tmpdir(), 'stripe-cli-'))
const sandbox = await startSandbox()
after(() => sandbox.close())
after(() => rm(home, { recursive: true, force: true }))

/** Event to trigger → event types that the sandbox must then have emitted. */
const TRIGGERS: Record<string, string[]> = {
  'payment_intent.created': ['payment_intent.created'],
  'payment_intent.succeeded': ['charge.succeeded', 'payment_intent.succeeded'],
  'payment_intent.payment_failed': ['charge.failed', 'payment_intent.payment_failed'],
  'payment_intent.requires_action': ['payment_intent.requires_action'],
  'payment_intent.canceled': ['payment_intent.canceled'],
  'charge.succeeded': ['charge.succeeded'],
  'charge.failed': ['charge.failed'],
  'charge.refunded': ['refund.created', 'charge.refunded'],
  'charge.refund.updated': ['charge.refund.updated'],
  'charge.dispute.created': ['charge.dispute.created'],
  'charge.dispute.updated': ['charge.dispute.updated'],
  'charge.dispute.closed': ['charge.dispute.closed'],
  'customer.created': ['customer.created'],
  'payment_method.attached': ['payment_method.attached'],
}

describe("Stripe's CLI with the sandbox", () => {
  afterEach(() => sandbox.reset())

  for (const [trigger, expected] of Object.entries(TRIGGERS)) {
    it(`stripe trigger ${trigger}`, async () => {
      const options = ['--api-base', sandbox.url, '--api-key', sandbox.secretKey]
      const { stdout, stderr } = await run(
        process.execPath,
        [shim, 'trigger', trigger, ...options],
        {
          env: {
            ...process.env,
            HOME: home,
            XDG_CONFIG_HOME: home,
            STRIPE_CLI_TELEMETRY_OPTOUT: '1',
          },
          timeout: 30_000,
        },
      )
      assert.match(`${stdout}${stderr}`, /Trigger succeeded/)
      const happened = eventTypes(sandbox)
      assert.deepEqual(
        expected.filter((type) => !happened.includes(type)),
        [],
      )
    })
  }
})
