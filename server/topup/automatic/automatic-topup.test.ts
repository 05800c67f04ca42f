/** Automatic top-up: when it charges the card, and when it does not. Each edge is a test. */
import { endAutomaticTopup, setAutomaticTopup } from '@coffer/contract/account/automatic-topup'
import { removeCard } from '@coffer/contract/account/cards'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ask } from '../../test/account-setup.ts'
import { startMailServer, type MailServer } from '../../test/mail-server.ts'
import { assertBooks } from '../../test/topup-setup.ts'
import { openAutomaticSetup, type AutomaticSetup } from '../../test/topup/automatic-setup.ts'
import { attachCard, makeAutomatic, TERMS } from '../../test/topup/card-setup.ts'

const SUSPENDED = /^Automatic top-up of your wallet is suspended$/

let setup: AutomaticSetup
let mail: MailServer
before(async () => {
  mail = await startMailServer()
  setup = await openAutomaticSetup(mail.env)
})
after(async () => {
  await assertBooks(setup)
  await setup.close()
  await mail.stop()
})

describe('automatic top-up', () => {
  it('adds the amount once while the balance is below the threshold, and sends a receipt', async () => {
    const person = await makeAutomatic(setup)
    await setup.sweepDue(person)
    assert.equal(await setup.balanceOf(person), 20_00n)
    await setup.sweepDue(person)
    assert.equal(await setup.balanceOf(person), 20_00n)
    assert.deepEqual(await setup.topupsOf(person), [{ status: 'credited', amount: 2000 }])
    await mail.readSubject(person.person.email, /^Receipt: money was added to your wallet$/)
  })

  it('at most once per hour, also if it is switched off and on', async () => {
    const person = await makeAutomatic(setup, { threshold: '50.00' })
    await setup.startDue()
    assert.equal((await setup.topupsOf(person)).length, 1)
    await setup.startDue()
    await ask(person, endAutomaticTopup, {})
    await ask(person, setAutomaticTopup, { ...TERMS, cardId: person.cardId, threshold: '50.00' })
    await setup.startDue()
    assert.equal((await setup.topupsOf(person)).length, 1)
    await setup.sweepDue(person)
    assert.equal((await setup.topupsOf(person)).length, 2)
  })

  it('never above the limit of the month; open payments count, failed ones do not', async () => {
    const person = await makeAutomatic(setup, { threshold: '900.00', monthMax: '59.99' })
    setup.sandbox.faults.processing = true
    await setup.sweepDue(person)
    setup.sandbox.faults.processing = false
    const id = await setup.intentOf(person)
    for (let count = 0; count < 3; count++) await setup.sweepDue(person)
    assert.deepEqual(await setup.topupsOf(person), [{ status: 'open', amount: 2000 }])
    setup.sandbox.endProcessing(id)
    for (let count = 0; count < 4; count++) await setup.sweepDue(person)
    assert.equal(await setup.balanceOf(person), 40_00n)
    await setup.query(
      `update directory.topups set created_at = created_at - interval '32 days' where service_user_id = $1`,
      [person.person.id],
    )
    await setup.sweepDue(person)
    assert.equal(await setup.balanceOf(person), 60_00n)
  })

  it('starts a new month at midnight of the person, not of UTC', async () => {
    const rules = { threshold: '900.00', monthMax: '39.99' }
    for (const [timeZone, offset, balance] of [
      ['Pacific/Kiritimati', '1 second', 20_00n],
      ['Pacific/Pago_Pago', '-1 second', 40_00n],
    ] as const) {
      const person = await makeAutomatic(setup, { ...rules, timeZone })
      await setup.sweepDue(person)
      await setup.query(
        `update directory.topups set created_at =
          date_trunc('month', now() at time zone $2) at time zone $2 + $3::interval where service_user_id = $1`,
        [person.person.id, timeZone, offset],
      )
      await setup.sweepDue(person)
      assert.equal(await setup.balanceOf(person), balance, timeZone)
    }
  })

  it('not while the wallet is frozen or in debt, and not because of holds', async () => {
    const frozen = await makeAutomatic(setup)
    const indebted = await makeAutomatic(setup)
    const holding = await makeAutomatic(setup)
    await setup.query('update ledger.wallets set is_active = false where id = $1', [
      frozen.user.walletId,
    ])
    await setup.query('update ledger.wallets set debt = 1 where id = $1', [indebted.user.walletId])
    await setup.query('update ledger.wallets set held = 1000 where id = $1', [
      holding.user.walletId,
    ])
    for (const person of [frozen, indebted, holding]) {
      await setup.sweepDue(person)
      assert.deepEqual(await setup.topupsOf(person), [])
    }
    await setup.query('update ledger.wallets set is_active = true where id = $1', [
      frozen.user.walletId,
    ])
    await setup.query('update ledger.wallets set debt = 0 where id = $1', [indebted.user.walletId])
    await setup.query('update ledger.wallets set held = 0 where id = $1', [holding.user.walletId])
  })

  it('is suspended with one email if the bank requires authentication', async () => {
    const person = await makeAutomatic(setup, {}, 'pm_card_authenticationRequired')
    await setup.sweepDue(person)
    assert.equal((await setup.suspensionOf(person))?.suspended_for, 'authentication')
    assert.deepEqual(await setup.topupsOf(person), [{ status: 'ended', amount: 2000 }])
    const { text = '' } = await mail.readSubject(person.person.email, SUSPENDED)
    assert.match(text, /Your bank wants you to confirm the payment yourself/)
    await setup.sweepDue(person)
    assert.equal((await setup.topupsOf(person)).length, 1)
    assert.equal(await setup.balanceOf(person), 0n)
  })

  it('is suspended with an email after three declines in a row, and works again when it is saved', async () => {
    const person = await makeAutomatic(setup, {}, 'pm_card_chargeCustomerFail')
    for (let count = 1; count <= 3; count++) {
      assert.equal((await setup.suspensionOf(person))?.suspended_for, null)
      await setup.sweepDue(person)
      assert.equal((await setup.suspensionOf(person))?.failures, count)
    }
    assert.equal((await setup.suspensionOf(person))?.suspended_for, 'failures')
    await mail.readSubject(person.person.email, SUSPENDED)
    const cardId = await attachCard(setup, person, 'pm_card_visa')
    await ask(person, setAutomaticTopup, { ...TERMS, cardId })
    await setup.sweepDue(person)
    assert.equal(await setup.balanceOf(person), 20_00n)
    assert.deepEqual(await setup.suspensionOf(person), { suspended_for: null, failures: 0 })
  })

  it('a success between declines starts the count again', async () => {
    const person = await makeAutomatic(setup, { threshold: '900' }, 'pm_card_chargeCustomerFail')
    await setup.sweepDue(person)
    await setup.sweepDue(person)
    await setup.query(
      'update directory.automatic_topups set card_id = $2 where service_user_id = $1',
      [person.person.id, await attachCard(setup, person, 'pm_card_visa')],
    )
    await setup.sweepDue(person)
    assert.deepEqual(await setup.suspensionOf(person), { suspended_for: null, failures: 0 })
  })

  it('is suspended if the card is removed or has expired', async () => {
    const removed = await makeAutomatic(setup)
    await ask(removed, removeCard, { id: removed.cardId })
    const gone = await makeAutomatic(setup)
    setup.sandbox.state.detached.add(gone.cardId)
    for (const person of [removed, gone]) {
      await setup.sweepDue(person)
      assert.equal((await setup.suspensionOf(person))?.suspended_for, 'card')
      assert.equal(await setup.balanceOf(person), 0n)
    }
    const expired = await makeAutomatic(setup, {}, 'pm_card_chargeDeclinedExpiredCard')
    for (let count = 0; count < 3; count++) await setup.sweepDue(expired)
    assert.equal((await setup.suspensionOf(expired))?.suspended_for, 'failures')
  })
})
