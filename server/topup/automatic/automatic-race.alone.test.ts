/**
 * Many people, two processes that are killed, and a processor that loses calls: one charge at a time, within the month.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { idOf } from '../../../sandbox/state.ts'
import { type ServiceProcess, spawnService } from '../../test/harness.ts'
import {
  assertBooks,
  openTopupSetup,
  topupEnv,
  type TopupSetup,
  resumeSweeper,
} from '../../test/topup-setup.ts'
import { WEBHOOK } from '../../test/webhooks.ts'

const PEOPLE = Number(process.env['AUTOMATIC_PEOPLE'] ?? 40)
const MONTH_MAX = 50_00
const KILLS = 2

describe(`${PEOPLE} people with automatic top-up`, () => {
  let setup: TopupSetup
  let processes: ServiceProcess[]
  const env = () => topupEnv(setup.sandbox)
  const spawn = () => spawnService(setup.harness.databaseUrl, env())

  before(async () => {
    // Only the processes that are killed run jobs.
    setup = await openTopupSetup({}, { runsJobs: false })
    processes = [await spawn(), await spawn()]
    for (const { url } of processes) setup.sandbox.addWebhookEndpoint(url + WEBHOOK)
    setup.sandbox.faults.webhook.duplicate = 1
  })
  after(async () => {
    await Promise.all(processes.map((each) => each.kill('SIGINT')))
    await setup.close()
  })

  /** Without passwords, which would take minutes. */
  async function insertPeople() {
    const { admin } = setup.harness
    const { stripe } = setup.tools.processor
    for (let index = 0; index < PEOPLE; index++) {
      const { id: customer } = await stripe.customers.create()
      const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
      await admin.query(
        `with w as (insert into ledger.wallets default values returning id),
          u as (insert into directory.service_users (wallet_id) select id from w returning id),
          p as (
            insert into directory.people (service_user_id, first_name, last_name, email)
            select id, 'Ada', 'Example', $1 from u returning service_user_id
          ), c as (
            insert into directory.customers (service_user_id, customer_id) select id, $2 from u
          )
          insert into directory.automatic_topups
            (service_user_id, threshold, amount, month_max, time_zone, card_id, card_name, consent)
          select service_user_id, 100000, 2000, $4, 'UTC', $3, 'visa 4242', 'Yes.' from p`,
        [`automatic-${index}@example.com`, customer, card, MONTH_MAX],
      )
    }
  }

  async function count(text: string): Promise<number> {
    const { rows } = await setup.harness.admin.query<{ count: number }>(text)
    return rows[0]?.count ?? 0
  }

  /** Every hour that passes lets each of them be charged again. */
  async function playHours(hours: number) {
    const { admin } = setup.harness
    for (let hour = 0; hour < hours; hour++) {
      await admin.query('update directory.automatic_topups set next_try_at = now()')
      await admin.query(
        `update directory.topups set next_check_at = now() where status = 'open' and is_automatic`,
      )
      await sleep(1_000)
    }
  }

  it('are charged one at a time, never above the month, and every payment is credited once', async () => {
    await insertPeople()
    const { faults } = setup.sandbox
    await resumeSweeper(setup)
    const confirm = 'POST /v1/payment_intents/:id/confirm'
    for (let kill = 0; kill < KILLS; kill++) {
      faults.timeoutAfter = { times: 6, route: confirm, reset: true }
      faults.timeoutBefore = { times: 6, route: kill % 2 ? confirm : '*', reset: true }
      faults.status500After = { times: 4, reset: true }
      const [victim] = processes.splice(kill % 2, 1)
      await playHours(5)
      await victim?.kill('SIGKILL')
      // As if the leases of the killed process had ended; the other one loses its own, too.
      await setup.harness.admin.query('update directory.leases set held_until = now()')
      processes.push(await spawn())
    }
    setup.sandbox.resetFaults()
    const unfinished = `select (select count(*) from directory.automatic_topups a where ${PEOPLE} > 0 and (
          select coalesce(sum(amount), 0) from directory.topups t
          where t.service_user_id = a.service_user_id and t.status = 'credited'
        ) + a.amount <= a.month_max)::int as count`
    for (let round = 0; round < 60 + PEOPLE && (await count(unfinished)) > 0; round++)
      await playHours(1)
    assert.equal(await count(unfinished), 0, 'everybody has reached the limit of the month')

    const { paymentIntents } = setup.sandbox.state
    const paid = [...paymentIntents.values()].filter(({ status }) => status === 'succeeded')
    assert.equal(paid.length, PEOPLE * 2)
    const byCustomer = Map.groupBy(paid, ({ customer }) => idOf(customer))
    for (const payments of byCustomer.values()) {
      const total = payments.reduce((sum, { amount_received: amount }) => sum + amount, 0)
      assert(total <= MONTH_MAX, `${total} in one month`)
    }
    assert.equal(
      await count(`select count(*)::int from ledger.operations where kind = 'topup'`),
      PEOPLE * 2,
    )
    await assertBooks(setup)
  })
})
