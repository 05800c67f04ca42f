import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { movesNothing } from '../test/setup.ts'
import {
  assertBooks,
  begin,
  beginAndPay,
  confirm,
  openTopupStage,
  restSweeper,
  rowOf,
  sweepNow,
  wakeSweeper,
  walletOf,
  withNewUser,
  type Intent,
  type TopupStage,
} from '../test/topup-setup.ts'
import { deliver, eventOf } from '../test/webhooks.ts'
import { sweep } from './sweep.ts'

describe('the sweeper', () => {
  let stage: TopupStage
  before(async () => {
    stage = await openTopupStage()
  })
  after(async () => {
    await assertBooks(stage)
    await stage.close()
  })

  const run = (text: string, values: unknown[] = []) => stage.harness.admin.query(text, values)

  async function age(intent: Intent, interval: string) {
    const { id } = await rowOf(stage, intent)
    await run(
      `update directory.topups set created_at = now() - $2::interval, next_check_at = now() where id = $1`,
      [id, interval],
    )
  }

  it('credits within 60 s when the browser was closed and every webhook is lost', async (test) => {
    const there = await withNewUser(stage)
    await wakeSweeper(stage)
    // The worst moment to pay is right after it has asked.
    const polled = `select from directory.turns where name = 'poll-events' and next_at > now() + interval '9 seconds'`
    while ((await run(polled)).rowCount === 0) await sleep(50)
    const paidMs = performance.now()
    await beginAndPay(there)
    while ((await walletOf(there)).balance === 0n) await sleep(100)
    const seconds = (performance.now() - paidMs) / 1000
    test.diagnostic(`credited ${seconds.toFixed(1)} s after the payment`)
    assert(seconds < 30)
    await restSweeper(stage)
    assert.equal((await walletOf(there)).balance, 20_00n)
  })

  it('settles what died between the credit and its record, and credits nothing twice', async () => {
    const there = await withNewUser(stage)
    const intent = await beginAndPay(there)
    await run(
      `create function die() returns trigger language plpgsql as $$ begin raise 'died'; end $$`,
    )
    await run(`create trigger die before update on directory.topups for each row
      when (new.status = 'credited') execute function die()`)
    const event = eventOf(stage, 'payment_intent.succeeded', intent.paymentIntentId)
    assert.equal((await confirm(there, intent)).statusCode, 500)
    assert.equal((await deliver(stage, event)).statusCode, 500)
    assert.deepEqual((await walletOf(there)).balance, 20_00n)
    assert.equal((await rowOf(there, intent)).status, 'open')
    await run('drop function die() cascade')
    await movesNothing(stage.harness.admin, () => sweepNow(stage))
    assert.equal((await rowOf(there, intent)).status, 'credited')
  })

  it('asks about open top-ups too, when the processor lists no event', async () => {
    const there = await withNewUser(stage)
    const intent = await beginAndPay(there)
    await sweepNow(stage, ['check-topups'])
    assert.equal((await walletOf(there)).balance, 20_00n)
    assert.equal((await rowOf(there, intent)).status, 'credited')
  })

  it('asks about an open one after twice as long each time, at most after six hours', async () => {
    const intent = await begin(await withNewUser(stage))
    const { id } = await rowOf(stage, intent)
    const pauses: number[] = []
    for (let count = 0; count < 13; count++) {
      await sweepNow(stage, ['check-topups'])
      const { rows } = await run(
        `select extract(epoch from next_check_at - now())::int as pause from directory.topups where id = $1`,
        [id],
      )
      pauses.push(Math.round((rows[0] as { pause: number }).pause / 10) * 10)
    }
    const doubled = Array.from({ length: 12 }, (_, index) => 10 * 2 ** index)
    assert.deepEqual(pauses, [...doubled, 21_600])
  })

  it('one that fails keeps no other from its turn, and is taken up again', async () => {
    const there = await withNewUser(stage)
    const [poisoned, ...others] = await Promise.all(
      Array.from({ length: 7 }, () => beginAndPay(there)),
    )
    const bad = stage.sandbox.state.paymentIntents.get(poisoned?.paymentIntentId ?? '')
    assert(bad !== undefined && poisoned !== undefined)
    bad.currency = 'eur'
    const doneAt = async () =>
      (await run(`select done_at from directory.turns where name = 'poll-events'`)).rows as unknown
    const earlier = await doneAt()
    await sweepNow(stage, ['poll-events'])
    assert.equal((await walletOf(there)).balance, 120_00n)
    for (const intent of others) assert.equal((await rowOf(there, intent)).status, 'credited')
    // Not done to the end: the next poll begins where this one did.
    assert.deepEqual(await doneAt(), earlier)
    bad.currency = 'usd'
    await sweepNow(stage, ['poll-events'])
    assert.equal((await walletOf(there)).balance, 140_00n)
    assert.notDeepEqual(await doneAt(), earlier)
  })

  it('catches up after days without it, over as many pages as there are', async () => {
    const there = await withNewUser(stage)
    const intents: Intent[] = []
    for (let count = 0; count < 220; count++) intents.push(await beginAndPay(there, 1))
    const yesterday = Math.floor(Date.now() / 1000) - 86_400
    const ids = new Set(intents.map(({ paymentIntentId }) => paymentIntentId))
    for (const event of stage.sandbox.state.events.values()) {
      if (ids.has((event.data.object as { id: string }).id)) event.created = yesterday
    }
    await sweepNow(stage, ['poll-events'])
    assert.equal((await walletOf(there)).balance, 0n)
    await run(
      `update directory.turns set done_at = now() - interval '2 days' where name = 'poll-events'`,
    )
    await sweepNow(stage, ['poll-events'])
    assert.equal((await walletOf(there)).balance, 220_00n)
  })

  it('many at once, in many processes, ask once', async () => {
    await begin(await withNewUser(stage))
    await run(`update directory.topups set next_check_at = now() where status = 'open'`)
    const calls = stage.calls.length
    await run(`update directory.turns set next_at = now() where name = 'poll-events'`)
    await Promise.all(Array.from({ length: 20 }, () => sweep(stage.tools)))
    await restSweeper(stage)
    assert.deepEqual(stage.calls.slice(calls), ['GET /v1/events'])
  })

  it('cancels after a day what nobody paid, and it can never be paid any more', async () => {
    const there = await withNewUser(stage)
    const young = await begin(there)
    const left = await begin(there)
    const challenged = await beginAndPay(there, 20, 'pm_card_authenticationRequired')
    for (const intent of [left, challenged]) await age(intent, '24 hours 1 second')
    await age(young, '23 hours 59 minutes')
    await movesNothing(stage.harness.admin, () => sweepNow(stage))
    const statusOf = ({ paymentIntentId }: Intent) =>
      stage.sandbox.state.paymentIntents.get(paymentIntentId)?.status
    for (const intent of [left, challenged]) {
      assert.equal(statusOf(intent), 'canceled')
      assert.equal((await rowOf(there, intent)).status, 'ended')
      assert.throws(() => stage.sandbox.complete(intent.paymentIntentId))
    }
    assert.equal((await rowOf(there, young)).status, 'open')
    assert.equal(statusOf(young), 'requires_payment_method')
    const calls = stage.calls.length
    await age(young, '23 hours 59 minutes')
    await sweepNow(stage, ['check-topups'])
    // Those that have ended are not asked about any more.
    assert(!stage.calls.slice(calls).some((call) => call.includes(left.paymentIntentId)))
  })

  it('credits what was paid after a day all the same, and forgets what never had an intent', async () => {
    const there = await withNewUser(stage)
    const late = await beginAndPay(there)
    await age(late, '25 hours')
    stage.sandbox.faults.timeoutBefore = { times: 2, reset: true }
    await assert.rejects(begin(there))
    const { rows } = await run(`update directory.topups set created_at = now() - interval '25 hours'
      where intent_id is null returning id`)
    const calls = stage.calls.length
    await sweepNow(stage, ['check-topups'])
    assert.equal((await walletOf(there)).balance, 20_00n)
    const { id } = rows[0] as { id: string }
    const { rows: ended } = await run('select status from directory.topups where id = $1', [id])
    assert.deepEqual(ended, [{ status: 'ended' }])
    assert(!stage.calls.slice(calls).includes('POST /v1/payment_intents'))
  })
})
