/** The charge of an automatic top-up, when calls of the processor get lost or the person changes their mind. */
import { endAutomaticTopup, setAutomaticTopup } from '@coffer/contract/account-automatic-topup-api'
import { removeCard } from '@coffer/contract/account-cards-api'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { one } from '../../database/statement.ts'
import { ask } from '../../test/account-setup.ts'
import type { Fields } from '../../test/setup.ts'
import { assertBooks, sweepNow } from '../../test/topup-setup.ts'
import { openAutomaticSetup } from '../../test/topup/automatic-setup.ts'
import type { AutomaticPerson, AutomaticSetup } from '../../test/topup/automatic-setup.ts'
import { attachCard, makeAutomatic, TERMS } from '../../test/topup/card-setup.ts'
import { deliver, eventOf } from '../../test/webhooks.ts'
import { findTopupByIntent } from '../queries.ts'
import { chargeTopup } from './charge-topup.ts'

const CONFIRM = 'POST /v1/payment_intents/:id/confirm'

let setup: AutomaticSetup
before(async () => {
  setup = await openAutomaticSetup()
})
after(async () => {
  await assertBooks(setup)
  await setup.close()
})

describe('a change before the charge', () => {
  it('charges the new card only if the person chooses another one before the charge', async () => {
    const person = await makeAutomatic(setup)
    setup.sandbox.faults.timeoutBefore = { times: 2, route: CONFIRM, reset: true }
    await setup.sweepDue(person)
    const first = await setup.intentOf(person)
    const cardId = await attachCard(setup, person, 'pm_card_mastercard')
    const response = await ask(person, setAutomaticTopup, { ...TERMS, cardId })
    assert.equal(response.statusCode, 200, response.body)
    await setup.sweepDue(person)
    const { paymentIntents } = setup.sandbox.state
    assert.equal(paymentIntents.get(first)?.status, 'canceled')
    await setup.sweepDue(person)
    const paid = [...paymentIntents.values()].filter(
      (each) =>
        each.customer === paymentIntents.get(first)?.customer && each.status === 'succeeded',
    )
    assert.deepEqual(
      paid.map(({ payment_method: method }) => method),
      [cardId],
    )
    assert.equal(await setup.balanceOf(person), 20_00n)
  })

  const changes: Record<string, (person: AutomaticPerson) => Promise<unknown>> = {
    'it is switched off': (person) => ask(person, endAutomaticTopup, {}),
    'the card is removed': (person) => ask(person, removeCard, { id: person.cardId }),
    'the wallet is frozen': ({ user }) => setup.tools.ledger.setWalletActive(user.walletId, false),
    'the person lowers the amount': (person) => save(person, { amount: '5', monthMax: '5' }),
    'the person saves the same terms again': (person) => save(person, {}),
    'it is switched off and on': async (person) => {
      await ask(person, endAutomaticTopup, {})
      await save(person, {})
    },
    'the balance is no longer below the threshold': (person) => setup.give(person, 10_00n),
  }

  for (const [title, change] of Object.entries(changes)) {
    it(`charges nothing if ${title} before the charge`, async () => {
      const person = await beforeCharge()
      const intentId = await setup.intentOf(person)
      await change(person)
      await setup.sweepDue(person)
      await assertCanceled(person, intentId)
      // The rounds of the next tests would charge this person, too.
      await ask(person, endAutomaticTopup, {})
      await setup.tools.ledger.setWalletActive(person.user.walletId, true)
    })
  }

  it('charges nothing in the next month: the charge counts for the month in which it was started', async () => {
    const person = await beforeCharge()
    await setup.query(
      `update directory.topups set created_at = date_trunc('month', now(), 'UTC') - interval '1 second'
       where service_user_id = $1`,
      [person.person.id],
    )
    const intentId = await setup.intentOf(person)
    const topup = await one(setup.tools.db, findTopupByIntent(intentId))
    assert(topup !== undefined)
    await chargeTopup(setup.tools, { ...topup, isOld: false })
    await assertCanceled(person, intentId)
  })

  async function save(person: AutomaticPerson, terms: Fields) {
    const fields = { ...TERMS, cardId: person.cardId, ...terms }
    const response = await ask(person, setAutomaticTopup, fields)
    assert.equal(response.statusCode, 200, response.body)
  }

  /** Somebody whose charge the processor has not received yet. */
  async function beforeCharge(): Promise<AutomaticPerson> {
    const person = await makeAutomatic(setup)
    setup.sandbox.faults.timeoutBefore = { times: 2, route: CONFIRM, reset: true }
    await setup.sweepDue(person)
    assert.deepEqual(await setup.topupsOf(person), [{ status: 'open', amount: 2000 }])
    return person
  }

  async function assertCanceled(person: AutomaticPerson, intentId: string) {
    const [first] = await setup.topupsOf(person)
    assert.deepEqual(first, { status: 'ended', amount: 2000 })
    assert.equal(setup.sandbox.state.paymentIntents.get(intentId)?.status, 'canceled')
  }
})

describe('a processor that loses calls', () => {
  for (const route of ['POST /v1/payment_intents', CONFIRM]) {
    for (const fault of ['timeoutBefore', 'timeoutAfter', 'status500', 'status500After'] as const) {
      it(`charges once after ${fault} of ${route}`, async () => {
        const person = await makeAutomatic(setup)
        setup.sandbox.faults[fault] = { times: 2, route, reset: true }
        await setup.sweepDue(person)
        for (let count = 0; count < 3; count++) await setup.sweepDue(person)
        setup.sandbox.resetFaults()
        await setup.sweepDue(person)
        assert.equal(await setup.balanceOf(person), 20_00n)
        assert.deepEqual(await setup.topupsOf(person), [{ status: 'credited', amount: 2000 }])
      })
    }
  }

  it('a webhook may arrive first, late and twice', async () => {
    const person = await makeAutomatic(setup)
    setup.sandbox.faults.timeoutAfter = { times: 2, route: CONFIRM, reset: true }
    await setup.sweepDue(person)
    const event = eventOf(setup, 'payment_intent.succeeded', await setup.intentOf(person))
    await Promise.all([deliver(setup, event), deliver(setup, event), setup.sweepDue(person)])
    await deliver(setup, event)
    assert.equal(await setup.balanceOf(person), 20_00n)
  })

  it('a charge that was never confirmed ends after a day', async () => {
    const person = await makeAutomatic(setup)
    setup.sandbox.faults.timeoutBefore = { times: 2, route: CONFIRM, reset: true }
    await setup.sweepDue(person)
    await setup.query(
      `update directory.topups set created_at = now() - interval '25 hours' where service_user_id = $1`,
      [person.person.id],
    )
    await sweepNow(setup, ['check-topups'])
    assert.deepEqual(await setup.topupsOf(person), [{ status: 'ended', amount: 2000 }])
    assert.equal(await setup.balanceOf(person), 0n)
  })

  it('a second open charge of the same person is impossible', async () => {
    const person = await makeAutomatic(setup)
    const insert = `insert into directory.topups (service_user_id, wallet_id, amount, is_automatic, intent_id)
      values ($1, $2, 2000, true, $3)`
    const values = [person.person.id, person.user.walletId]
    await setup.query(insert, [...values, `pi_${randomUUID()}`])
    await assert.rejects(
      setup.query(insert, [...values, `pi_${randomUUID()}`]),
      /topups_one_automatic/,
    )
    await setup.query(`update directory.topups set status = 'ended' where service_user_id = $1`, [
      person.person.id,
    ])
  })
})
