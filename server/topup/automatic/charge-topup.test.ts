/** The charge of an automatic top-up, when calls of the processor get lost or the person changes their mind. */
import { endAutomaticTopup, setAutomaticTopup } from '@coffer/contract/account/automatic-topup'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { ask } from '../../test/account-setup.ts'
import { assertBooks } from '../../test/topup-setup.ts'
import {
  type AutomaticPerson,
  type AutomaticSetup,
  openAutomaticSetup,
} from '../../test/topup/automatic-setup.ts'
import { attachCard, makeAutomatic, TERMS } from '../../test/topup/card-setup.ts'

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
    })
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
  it('charges once if the response is lost', async () => {
    const person = await makeAutomatic(setup)
    setup.sandbox.faults.timeoutAfter = { times: 2, route: CONFIRM, reset: true }
    for (let count = 0; count < 3; count++) await setup.sweepDue(person)
    assert.equal(await setup.balanceOf(person), 20_00n)
    assert.deepEqual(await setup.topupsOf(person), [{ status: 'credited', amount: 2000 }])
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
