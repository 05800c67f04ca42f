import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { movesNothing } from '../test/setup.ts'
import {
  assertBooks,
  begin,
  beginAndPay,
  confirm,
  openTopupSetup,
  stopSweeper,
  rowOf,
  sweep,
  sweepNow,
  resumeSweeper,
  walletOf,
  withNewUser,
  type Intent,
  type TopupSetup,
} from '../test/topup-setup.ts'
import { deliver, eventOf } from '../test/webhooks.ts'
import { startSweeper } from './sweep.ts'

describe('the sweeper', () => {
  let setup: TopupSetup
  before(async () => {
    setup = await openTopupSetup()
  })
  after(async () => {
    await assertBooks(setup)
    await setup.close()
  })

  const run = (text: string, values: unknown[] = []) => setup.harness.admin.query(text, values)

  async function age(intent: Intent, interval: string) {
    const { id } = await rowOf(setup, intent)
    await run(
      `update directory.topups set created_at = now() - $2::interval, next_check_at = now() where id = $1`,
      [id, interval],
    )
  }

  it('credits within 60 s when the browser was closed and every webhook is lost', async (test) => {
    const shop = await withNewUser(setup)
    await resumeSweeper(setup)
    // The worst moment to pay is right after a check.
    const calls = setup.calls.length
    while (!setup.calls.slice(calls).includes('GET /v1/events')) await sleep(50)
    const paidMs = performance.now()
    await beginAndPay(shop)
    while ((await walletOf(shop)).balance === 0n) await sleep(100)
    const seconds = (performance.now() - paidMs) / 1000
    test.diagnostic(`credited ${seconds.toFixed(1)} s after the payment`)
    assert(seconds < 30)
    await stopSweeper(setup)
    assert.equal((await walletOf(shop)).balance, 20_00n)
  })

  it('credits a top-up whose process crashed between the credit and its record, once', async () => {
    const shop = await withNewUser(setup)
    const intent = await beginAndPay(shop)
    await run(
      `create function die() returns trigger language plpgsql as $$ begin raise 'died'; end $$`,
    )
    await run(`create trigger die before update on directory.topups for each row
      when (new.status = 'credited') execute function die()`)
    const event = eventOf(setup, 'payment_intent.succeeded', intent.paymentIntentId)
    assert.equal((await confirm(shop, intent)).statusCode, 500)
    assert.equal((await deliver(setup, event)).statusCode, 500)
    assert.deepEqual((await walletOf(shop)).balance, 20_00n)
    assert.equal((await rowOf(shop, intent)).status, 'open')
    await run('drop function die() cascade')
    await movesNothing(setup.harness.admin, () => sweepNow(setup))
    assert.equal((await rowOf(shop, intent)).status, 'credited')
  })

  it('doubles the interval between checks of an open top-up, up to six hours', async () => {
    const intent = await begin(await withNewUser(setup))
    const { id } = await rowOf(setup, intent)
    const intervals: number[] = []
    for (let count = 0; count < 13; count++) {
      await sweepNow(setup, ['check-topups'])
      const { rows } = await run(
        `select extract(epoch from next_check_at - now())::int as seconds from directory.topups where id = $1`,
        [id],
      )
      intervals.push(Math.round((rows[0] as { seconds: number }).seconds / 10) * 10)
    }
    const doubled = Array.from({ length: 12 }, (_, index) => 10 * 2 ** index)
    assert.deepEqual(intervals, [...doubled, 21_600])
  })

  it('catches up after days of downtime, over any number of pages', async () => {
    const shop = await withNewUser(setup)
    const intents: Intent[] = []
    for (let count = 0; count < 220; count++) intents.push(await beginAndPay(shop, 1))
    const yesterday = Math.floor(Date.now() / 1000) - 86_400
    const ids = new Set(intents.map(({ paymentIntentId }) => paymentIntentId))
    for (const event of setup.sandbox.state.events.values()) {
      if (ids.has((event.data.object as { id: string }).id)) event.created = yesterday
    }
    await sweepNow(setup, ['poll-events'])
    assert.equal((await walletOf(shop)).balance, 0n)
    await run(`update directory.polled_events set polled_to = now() - interval '2 days'`)
    // One on the first page fails: the poll is not complete, although the last page succeeds.
    const bad = setup.sandbox.state.paymentIntents.get(intents.at(-1)?.paymentIntentId ?? '')
    assert(bad !== undefined)
    bad.currency = 'eur'
    await sweepNow(setup, ['poll-events'])
    assert.equal((await walletOf(shop)).balance, 219_00n)
    bad.currency = 'usd'
    await sweepNow(setup, ['poll-events'])
    assert.equal((await walletOf(shop)).balance, 220_00n)
  })

  it('finds an event that the processor lists ten minutes late', async () => {
    const shop = await withNewUser(setup)
    const { paymentIntentId } = await beginAndPay(shop)
    for (const event of setup.sandbox.state.events.values()) {
      if ((event.data.object as { id: string }).id === paymentIntentId) event.created -= 600
    }
    await run('update directory.polled_events set polled_to = now()')
    await sweepNow(setup, ['poll-events'])
    assert.equal((await walletOf(shop)).balance, 20_00n)
  })

  it('credits once and checks once if many sweeps run at the same time', async () => {
    const shop = await withNewUser(setup)
    const { paymentIntentId } = await beginAndPay(shop)
    await run(`update directory.topups set next_check_at = now() where status = 'open'`)
    const calls = setup.calls.length
    await Promise.all(Array.from({ length: 20 }, () => sweep(setup.tools, ['check-topups'])))
    const checks = setup.calls.slice(calls).filter((call) => call.includes(paymentIntentId))
    assert.deepEqual(checks, [`GET /v1/payment_intents/${paymentIntentId}`])
    await Promise.all(Array.from({ length: 20 }, () => sweep(setup.tools, ['poll-events'])))
    assert.equal((await walletOf(shop)).balance, 20_00n)
  })

  it('polls in one process if twenty work', async () => {
    await stopSweeper(setup)
    const calls = setup.calls.length
    await resumeSweeper(setup)
    const sweepers = Array.from({ length: 20 }, () => startSweeper(setup.tools))
    await sleep(11_000)
    await Promise.all(sweepers.map((sweeper) => sweeper.stop()))
    await stopSweeper(setup)
    const polls = setup.calls.slice(calls).filter((call) => call === 'GET /v1/events')
    assert(polls.length <= 2, `${polls.length} polls`)
  })

  it('cancels an unpaid top-up after a day, which can then no longer be paid', async () => {
    const shop = await withNewUser(setup)
    const young = await begin(shop)
    const left = await begin(shop)
    const challenged = await beginAndPay(shop, 20, 'pm_card_authenticationRequired')
    for (const intent of [left, challenged]) await age(intent, '24 hours 1 second')
    await age(young, '23 hours 59 minutes')
    await movesNothing(setup.harness.admin, () => sweepNow(setup))
    const statusOf = ({ paymentIntentId }: Intent) =>
      setup.sandbox.state.paymentIntents.get(paymentIntentId)?.status
    for (const intent of [left, challenged]) {
      assert.equal(statusOf(intent), 'canceled')
      assert.equal((await rowOf(shop, intent)).status, 'ended')
      assert.throws(() => setup.sandbox.complete(intent.paymentIntentId))
    }
    assert.equal((await rowOf(shop, young)).status, 'open')
    assert.equal(statusOf(young), 'requires_payment_method')
    const calls = setup.calls.length
    await age(young, '23 hours 59 minutes')
    await sweepNow(setup, ['check-topups'])
    // Ended top-ups are no longer checked.
    assert(!setup.calls.slice(calls).some((call) => call.includes(left.paymentIntentId)))
  })
})
