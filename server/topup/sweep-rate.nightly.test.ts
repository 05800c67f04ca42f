/** Ten thousand abandoned top-ups do not use up the processor's rate limit or delay the crediting of payments. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../config.ts'
import { createLog } from '../http/create-log.ts'
import { startService } from '../start-service.ts'
import { testEnv } from '../test/harness.ts'
import {
  assertBooks,
  begin,
  beginAndPay,
  openTopupSetup,
  topupEnv,
  resumeSweeper,
  walletOf,
  withNewUser,
  type TopupSetup,
} from '../test/topup-setup.ts'

const ABANDONED = 10_000
const SECONDS = 30

async function abandonMany(setup: TopupSetup) {
  const { paymentIntentId } = await begin(setup)
  const { paymentIntents } = setup.sandbox.state
  const model = paymentIntents.get(paymentIntentId)
  assert(model !== undefined)
  const ids = Array.from({ length: ABANDONED }, () => `pi_${randomBytes(12).toString('hex')}`)
  for (const id of ids) paymentIntents.set(id, { ...model, id, metadata: {} })
  await setup.harness.admin.query(
    `insert into directory.topups (service_user_id, wallet_id, client_app_id, amount, intent_id, next_check_at)
      select $1, $2, $3, 2000, unnest($4::text[]), now()`,
    [setup.user.id, setup.user.walletId, setup.app.id, ids],
  )
}

describe('the sweeper with ten thousand abandoned top-ups', () => {
  it('sends at most five requests per second over all processes, and credits payments in time', async (test) => {
    const setup = await openTopupSetup()
    const env = { ...testEnv(setup.harness.databaseUrl), ...topupEnv(setup.sandbox) }
    const log = createLog('silent', { write: () => undefined })
    const second = await startService(readConfig(env), { log })
    second.context.processor?.stripe.on('request', ({ method, path }: Record<string, string>) => {
      setup.calls.push(`${method} ${path?.split('?')[0] ?? ''}`)
    })
    try {
      await abandonMany(setup)
      const payers = await Promise.all(Array.from({ length: 10 }, () => withNewUser(setup)))
      await resumeSweeper(setup)
      const before = setup.calls.length
      const startedMs = performance.now()
      const waits = payers.map(async (shop, index) => {
        await sleep(index * 1_500)
        await beginAndPay(shop)
        const paidMs = performance.now()
        while ((await walletOf(shop)).balance === 0n) await sleep(200)
        return (performance.now() - paidMs) / 1000
      })
      const longest = Math.max(...(await Promise.all(waits)))
      await sleep(Math.max(0, SECONDS * 1000 - (performance.now() - startedMs)))
      const seconds = (performance.now() - startedMs) / 1000
      const calls = setup.calls.slice(before)
      const polls = calls.filter((call) => call === 'GET /v1/events').length
      // Payments during this time cause lookups of their own: when they start and when they are credited.
      const lookUps = calls.filter((call) => call.startsWith('GET /v1/payment_intents/')).length
      test.diagnostic(
        `${(lookUps / seconds).toFixed(2)} lookups/s, ${polls} polls in ${seconds.toFixed(0)} s; ` +
          `credited at most ${longest.toFixed(1)} s after the payment`,
      )
      assert(lookUps <= 5 * (seconds + 1) + 2 * payers.length, `${lookUps} lookups`)
      assert(lookUps >= 2 * seconds, `${lookUps} lookups are too few`)
      assert(polls <= seconds / 10 + 2, `${polls} polls`)
      assert(longest < 30)
      await assertBooks(setup)
    } finally {
      await second.stop()
      await setup.close()
    }
  })
})
