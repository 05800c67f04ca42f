/** Everybody who may credit a payment does so at once, in two processes: it is credited once. */
import { confirmTopup, createIntent } from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { closeConnections, percentile, post, type Answer } from '../test/client.ts'
import { spawnService, type ServiceProcess } from '../test/harness.ts'
import { mintSession } from '../test/shop.ts'
import {
  assertBooks,
  inSession,
  openTopupStage,
  topupEnv,
  wakeSweeper,
  walletOf,
  withNewUser,
  type TopupStage,
} from '../test/topup-setup.ts'
import { WEBHOOK } from '../test/webhooks.ts'

const INTENTS = Number(process.env['RACE_INTENTS'] ?? 40)
const CONFIRMS = 50
/** In each of the two processes. */
const WEBHOOKS = 5
const AT_ONCE = 4

interface Payer {
  there: TopupStage
  paymentIntentId: string
  path: string
}

describe('two processes', () => {
  let stage: TopupStage
  let processes: ServiceProcess[]

  before(async () => {
    stage = await openTopupStage()
    const { databaseUrl } = stage.harness
    const env = topupEnv(stage.sandbox)
    processes = [await spawnService(databaseUrl, env), await spawnService(databaseUrl, env)]
    for (const { url } of processes) {
      const { webhookSecret } = stage.sandbox
      stage.sandbox.addWebhookEndpoint(url + WEBHOOK, webhookSecret, ['payment_intent.succeeded'])
    }
    stage.sandbox.faults.webhook.duplicate = WEBHOOKS - 1
    await wakeSweeper(stage)
  })
  after(async () => {
    closeConnections()
    await Promise.all(processes.map((each) => each.kill('SIGTERM')))
    await stage.close()
  })

  const urlOf = (index: number) => processes[index % 2]?.url ?? ''

  async function beginOne(index: number): Promise<Payer> {
    const there = await withNewUser(stage)
    const session = await mintSession(there)
    const { path } = inSession(createIntent, session)
    const { status, text } = await post(urlOf(index), path, { amount: 1 + (index % 50) })
    assert.equal(status, 200, text)
    const { paymentIntentId } = JSON.parse(text) as { paymentIntentId: string }
    return { there, paymentIntentId, path: inSession(confirmTopup, session).path }
  }

  async function countCredits() {
    const { rows } = await stage.harness.admin.query<{ credits: number }>(
      `select count(*)::int as credits from ledger.operations where reference_type = 'TOPUP'`,
    )
    return rows[0]?.credits
  }

  const latencies: number[] = []

  async function confirmOne({ path, paymentIntentId }: Payer, index: number): Promise<Answer> {
    for (;;) {
      const sentMs = performance.now()
      const answer = await post(urlOf(index), path, { paymentIntentId })
      latencies.push(performance.now() - sentMs)
      // A busy machine may not answer in time; the page asks again.
      if (answer.status !== 502 && answer.status !== 503) return answer
      await sleep(500)
    }
  }

  /** Some ask before it is paid, most after; meanwhile the processor tells both processes several times. */
  async function race(payer: Payer, amount: number) {
    const early = Array.from({ length: 5 }, (_, index) => confirmOne(payer, index))
    await sleep(Math.random() * 20)
    stage.sandbox.complete(payer.paymentIntentId)
    const late = Array.from({ length: CONFIRMS - 5 }, (_, index) => confirmOne(payer, index))
    const answers = await Promise.all(late)
    const expected = answers[0]?.text ?? ''
    assert.equal((JSON.parse(expected) as { balance: number }).balance, amount)
    for (const { status, text } of answers) assert.deepEqual([status, text], [200, expected])
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
      // Several payments' webhooks wait for each other and go out in another order.
      stage.sandbox.faults.webhook.reorder = wave.length * 2 * WEBHOOKS
      await Promise.all(wave.map((payer, i) => race(payer, 1 + ((first + i) % 50))))
      stage.sandbox.flushWebhooks()
      payers.push(...wave)
    }
    await stage.sandbox.webhooksSettled()
    const seconds = (performance.now() - startedMs) / 1000
    assert.equal(await countCredits(), INTENTS)
    for (const [index, { there }] of payers.entries()) {
      assert.equal((await walletOf(there)).balance, BigInt(1 + (index % 50)) * 100n)
    }
    await assertBooks(stage)
    const delivered = stage.sandbox.state.deliveries.filter(
      ({ outcome }) => outcome === 'delivered',
    )
    assert.equal(delivered.length, INTENTS * 2 * WEBHOOKS)
    const [median, worst] = [0.5, 0.99].map((share) => percentile(latencies, share).toFixed(0))
    test.diagnostic(
      `${latencies.length} confirms and ${delivered.length} webhooks in ${seconds.toFixed(1)} s; ` +
        `confirm p50 ${median} ms, p99 ${worst} ms`,
    )
  })

  it('one of them is killed in the midst: the other credits the rest, once', async () => {
    const earlier = (await countCredits()) ?? 0
    stage.sandbox.faults.webhook.reorder = 0
    const payers = await Promise.all(Array.from({ length: 20 }, (_, index) => beginOne(index)))
    const asked = payers.flatMap((payer) => {
      stage.sandbox.complete(payer.paymentIntentId)
      // Half of them are cut off without an answer.
      const confirms = Array.from({ length: 10 }, (_, index) => confirmOne(payer, index))
      return confirms.map((answer) => answer.catch(() => undefined))
    })
    await sleep(50)
    await processes[1]?.kill('SIGKILL')
    await Promise.all(asked)
    const untilMs = performance.now() + 60_000
    while ((await countCredits()) !== earlier + 20 && performance.now() < untilMs) await sleep(100)
    assert.equal(await countCredits(), earlier + 20)
    await stage.sandbox.webhooksSettled()
    assert.equal(await countCredits(), earlier + 20)
    await assertBooks(stage)
    processes.pop()
  })
})
