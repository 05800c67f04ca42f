/** Ten thousand abandoned top-ups do not eat the processor's rate limit, nor hold up those who pay. */
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
  openTopupStage,
  topupEnv,
  wakeSweeper,
  walletOf,
  withNewUser,
  type TopupStage,
} from '../test/topup-setup.ts'

const ABANDONED = 10_000
const SECONDS = 30

async function abandonMany(stage: TopupStage) {
  const { paymentIntentId } = await begin(stage)
  const { paymentIntents } = stage.sandbox.state
  const model = paymentIntents.get(paymentIntentId)
  assert(model !== undefined)
  const ids = Array.from({ length: ABANDONED }, () => `pi_${randomBytes(12).toString('hex')}`)
  for (const id of ids) paymentIntents.set(id, { ...model, id, metadata: {} })
  await stage.harness.admin.query(
    `insert into directory.topups (service_user_id, wallet_id, client_app_id, amount, intent_id, next_check_at)
      select $1, $2, $3, 2000, unnest($4::text[]), now()`,
    [stage.user.id, stage.user.walletId, stage.app.id, ids],
  )
}

describe('the sweeper among ten thousand abandoned top-ups', () => {
  it('asks at most five times a second in all processes together, and credits who pays in time', async (test) => {
    const stage = await openTopupStage()
    const env = { ...testEnv(stage.harness.databaseUrl), ...topupEnv(stage.sandbox) }
    const log = createLog('silent', { write: () => undefined })
    const second = await startService(readConfig(env), { log })
    second.context.processor?.stripe.on('request', ({ method, path }: Record<string, string>) => {
      stage.calls.push(`${method} ${path?.split('?')[0] ?? ''}`)
    })
    try {
      await abandonMany(stage)
      const payers = await Promise.all(Array.from({ length: 10 }, () => withNewUser(stage)))
      await wakeSweeper(stage)
      const before = stage.calls.length
      const startedMs = performance.now()
      const waits = payers.map(async (there, index) => {
        await sleep(index * 1_500)
        await beginAndPay(there)
        const paidMs = performance.now()
        while ((await walletOf(there)).balance === 0n) await sleep(200)
        return (performance.now() - paidMs) / 1000
      })
      const longest = Math.max(...(await Promise.all(waits)))
      await sleep(Math.max(0, SECONDS * 1000 - (performance.now() - startedMs)))
      const seconds = (performance.now() - startedMs) / 1000
      const calls = stage.calls.slice(before)
      const polls = calls.filter((call) => call === 'GET /v1/events').length
      // Those who paid in this time ask for themselves: to begin, and to be credited.
      const lookUps = calls.filter((call) => call.startsWith('GET /v1/payment_intents/')).length
      test.diagnostic(
        `${(lookUps / seconds).toFixed(2)} look-ups/s, ${polls} polls in ${seconds.toFixed(0)} s; ` +
          `credited at most ${longest.toFixed(1)} s after the payment`,
      )
      assert(lookUps <= 5 * (seconds + 1) + 2 * payers.length, `${lookUps} look-ups`)
      assert(lookUps >= 2 * seconds, `${lookUps} look-ups: it hardly asks`)
      assert(polls <= seconds / 10 + 2, `${polls} polls`)
      assert(longest < 30)
      await assertBooks(stage)
    } finally {
      await second.stop()
      await stage.close()
    }
  })
})
