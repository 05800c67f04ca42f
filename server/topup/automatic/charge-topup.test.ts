/** The charge of an automatic top-up, when calls of the processor get lost or the person changes their mind. */
import { endAutomaticTopup, setAutomaticTopup } from '@coffer/contract/account-automatic-topup-api'
import { removeCard } from '@coffer/contract/account-cards-api'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { ask } from '../../test/account-setup.ts'
import { assertBooks, sweepNow } from '../../test/topup-setup.ts'
import { openAutomaticSetup } from '../../test/topup/automatic-setup.ts'
import type { AutomaticPerson, AutomaticSetup } from '../../test/topup/automatic-setup.ts'
import { attachCard, makeAutomatic, TERMS } from '../../test/topup/card-setup.ts'
import { deliver, eventOf } from '../../test/webhooks.ts'

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

  it('charges nothing if it is switched off, the card is removed or the wallet frozen before the charge', async () => {
    const acts = [
      (person: AutomaticPerson) => ask(person, endAutomaticTopup, {}),
      (person: AutomaticPerson) => ask(person, removeCard, { id: person.cardId }),
      ({ user }: AutomaticPerson) =>
        setup.query('update ledger.wallets set is_active = false where id = $1', [user.walletId]),
    ]
    for (const act of acts) {
      const person = await makeAutomatic(setup)
      setup.sandbox.faults.timeoutBefore = { times: 2, route: CONFIRM, reset: true }
      await setup.sweepDue(person)
      await act(person)
      await setup.sweepDue(person)
      assert.deepEqual(await setup.topupsOf(person), [{ status: 'ended', amount: 2000 }])
      assert.equal(
        setup.sandbox.state.paymentIntents.get(await setup.intentOf(person))?.status,
        'canceled',
      )
      await setup.query('update ledger.wallets set is_active = true where id = $1', [
        person.user.walletId,
      ])
    }
  })
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
