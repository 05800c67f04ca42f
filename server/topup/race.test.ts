/** Concurrent confirms and webhooks in two processes credit a payment once. */
import { confirmTopup, createIntent } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { closeConnections, percentile, post, type ServiceResponse } from '../test/client.ts'
import { spawnService, type ServiceProcess } from '../test/harness.ts'
import { mintSession } from '../test/shop.ts'
import {
  assertBooks,
  inSession,
  openTopupSetup,
  topupEnv,
  resumeSweeper,
  walletOf,
  withNewUser,
  type TopupSetup,
} from '../test/topup-setup.ts'
import { WEBHOOK } from '../test/webhooks.ts'

const INTENTS = Number(process.env['RACE_INTENTS'] ?? 40)
const CONFIRMS = 50
/** In each of the two processes. */
const WEBHOOKS = 5
const AT_ONCE = 4

interface Payer {
  shop: TopupSetup
  paymentIntentId: string
  path: string
}

describe('two processes', () => {
  let setup: TopupSetup
  let processes: ServiceProcess[]

  before(async () => {
    setup = await openTopupSetup()
    const { databaseUrl } = setup.harness
    const env = topupEnv(setup.sandbox)
    processes = [await spawnService(databaseUrl, env), await spawnService(databaseUrl, env)]
    for (const { url } of processes) {
      const { webhookSecret } = setup.sandbox
      setup.sandbox.addWebhookEndpoint(url + WEBHOOK, webhookSecret, ['payment_intent.succeeded'])
    }
    setup.sandbox.faults.webhook.duplicate = WEBHOOKS - 1
    await resumeSweeper(setup)
  })
  after(async () => {
    closeConnections()
    await Promise.all(processes.map((each) => each.kill('SIGINT')))
    await setup.close()
  })

  const urlOf = (index: number) => processes[index % 2]?.url ?? ''

  async function beginOne(index: number): Promise<Payer> {
    const shop = await withNewUser(setup)
    const session = await mintSession(shop)
    const { path } = inSession(createIntent, session)
    const { status, text } = await post(urlOf(index), path, { amount: 1 + (index % 50) })
    assert.equal(status, 200, text)
    const { paymentIntentId } = JSON.parse(text) as { paymentIntentId: string }
    return { shop, paymentIntentId, path: inSession(confirmTopup, session).path }
  }

  async function countCredits() {
    const { rows } = await setup.harness.admin.query<{ credits: number }>(
      `select count(*)::int as credits from ledger.operations where reference_type = 'TOPUP'`,
    )
    return rows[0]?.credits
  }

  const latencies: number[] = []

  async function confirmOne(
    { path, paymentIntentId }: Payer,
    index: number,
  ): Promise<ServiceResponse> {
    for (;;) {
      const sentMs = performance.now()
      const response = await post(urlOf(index), path, { paymentIntentId })
      latencies.push(performance.now() - sentMs)
      // A busy machine may not respond in time; the page retries.
      if (response.status !== 502 && response.status !== 503) return response
      await sleep(500)
    }
  }

  /** Confirms before and mostly after the payment, while the processor sends several webhooks to both processes. */
  async function race(payer: Payer, amount: number) {
    const early = Array.from({ length: 5 }, (_, index) => confirmOne(payer, index))
    await sleep(Math.random() * 20)
    setup.sandbox.complete(payer.paymentIntentId)
    const late = Array.from({ length: CONFIRMS - 5 }, (_, index) => confirmOne(payer, index))
    const responses = await Promise.all(late)
    const expected = responses[0]?.text ?? ''
    assert.equal((JSON.parse(expected) as { balance: number }).balance, amount)
    for (const { status, text } of responses) assert.deepEqual([status, text], [200, expected])
    for (const { status, text } of await Promise.all(early)) {
      if (status !== 402) assert.deepEqual([status, text], [200, expected])
    }
  }

  it(`${INTENTS} payments, each with ${CONFIRMS} confirms and ${2 * WEBHOOKS} webhooks: ${INTENTS} credits`, async (test) => {
    const startedMs = performance.now()
    const payers: Payer[] = []
    for (let first = 0; first < INTENTS; first += AT_ONCE) {
      const indices = Array.from(
        { length: Math.min(AT_ONCE, INTENTS - first) },
        (_, i) => first + i,
      )
      const wave = await Promise.all(indices.map(beginOne))
      // The webhooks of several payments are held back and sent in another order.
      setup.sandbox.faults.webhook.reorder = wave.length * 2 * WEBHOOKS
      await Promise.all(wave.map((payer, i) => race(payer, 1 + ((first + i) % 50))))
      setup.sandbox.flushWebhooks()
      payers.push(...wave)
    }
    await setup.sandbox.webhooksIdle()
    const seconds = (performance.now() - startedMs) / 1000
    assert.equal(await countCredits(), INTENTS)
    for (const [index, { shop }] of payers.entries()) {
      assert.equal((await walletOf(shop)).balance, BigInt(1 + (index % 50)) * 100n)
    }
    await assertBooks(setup)
    const delivered = setup.sandbox.state.deliveries.filter(
      ({ outcome }) => outcome === 'delivered',
    )
    assert.equal(delivered.length, INTENTS * 2 * WEBHOOKS)
    const [median, worst] = [0.5, 0.99].map((share) => percentile(latencies, share).toFixed(0))
    test.diagnostic(
      `${latencies.length} confirms and ${delivered.length} webhooks in ${seconds.toFixed(1)} s; ` +
        `confirm p50 ${median} ms, p99 ${worst} ms`,
    )
  })

  it('one of them is killed meanwhile: the other credits the remaining payments once', async () => {
    const earlier = (await countCredits()) ?? 0
    setup.sandbox.faults.webhook.reorder = 0
    const payers = await Promise.all(Array.from({ length: 20 }, (_, index) => beginOne(index)))
    const confirmed = payers.flatMap((payer) => {
      setup.sandbox.complete(payer.paymentIntentId)
      // Half of them lose their connection without a response.
      const confirms = Array.from({ length: 10 }, (_, index) => confirmOne(payer, index))
      return confirms.map((response) => response.catch(() => undefined))
    })
    await sleep(50)
    await processes[1]?.kill('SIGKILL')
    await Promise.all(confirmed)
    const untilMs = performance.now() + 60_000
    while ((await countCredits()) !== earlier + 20 && performance.now() < untilMs) await sleep(100)
    assert.equal(await countCredits(), earlier + 20)
    await setup.sandbox.webhooksIdle()
    assert.equal(await countCredits(), earlier + 20)
    await assertBooks(setup)
    processes.pop()
  })
})
