import * as accountApi from '@coffer/contract/account/account'
import * as endpoints from '@coffer/contract/account/automatic-topup'
import * as refusals from '../test/refusals.ts'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { one } from '../database/statement.ts'
import { findPerson } from '../identity/queries.ts'
import { ServiceError } from '../service-error.ts'
import { ask, cookieOf, moveEmail } from '../test/account-setup.ts'
import { type MailServer, startMailServer } from '../test/mail-server.ts'
import { makePayer } from '../test/own-topup-setup.ts'
import { assertRefusal } from '../test/setup.ts'
import {
  type AutomaticPerson,
  type AutomaticSetup,
  openAutomaticSetup,
} from '../test/topup/automatic-setup.ts'
import { attachCard, makeAutomatic, TERMS } from '../test/topup/card-setup.ts'
import { setAutomaticTopup } from './automatic-topup.ts'

let setup: AutomaticSetup
let mail: MailServer
before(async () => {
  mail = await startMailServer()
  setup = await openAutomaticSetup({ ...mail.env, THREE_D_SECURE_ABOVE: '50' })
})
after(async () => {
  await setup.close()
  await mail.stop()
})

async function newOwner() {
  const payer = await makePayer(setup)
  return { ...payer, cardId: await attachCard(setup, payer, 'pm_card_visa') }
}

async function read(person: Parameters<typeof ask>[0]) {
  const response = await ask(person, endpoints.readAutomaticTopup, {})
  assert.equal(response.statusCode, 200, response.body)
  return response.json<{ automaticTopup: object | null }>()
}

describe('GET /api/account/automatic-topup', () => {
  it('200 returns the terms, or null if it is off, and what is possible', async () => {
    const owner = await newOwner()
    assert.deepEqual(await read(owner), {
      automaticTopup: null,
      minAmount: 1,
      maxAmount: 50,
      currency: 'USD',
    })
    const { cardId } = owner
    await ask(owner, endpoints.setAutomaticTopup, { ...TERMS, cardId })
    assert.deepEqual((await read(owner)).automaticTopup, {
      threshold: 10,
      amount: 20,
      monthMax: 100,
      timeZone: 'UTC',
      cardId,
      cardName: 'visa 4242',
      suspendedFor: null,
    })
  })
})

describe('POST /api/account/automatic-topup', () => {
  const endpoint = endpoints.setAutomaticTopup

  it('200 stores the terms as text with the time, and sends them by email; a text of the caller is ignored', async () => {
    const { cardId, ...owner } = await newOwner()
    const consent = 'Charge 1.00 USD. Not you? Open https://attacker.example'
    const response = await ask(owner, endpoint, { ...TERMS, cardId, consent })
    assert.equal(response.statusCode, 200, response.body)
    const { rows } = await setup.query(
      `select consent, consented_at > now() - interval '1 minute' as is_fresh
       from directory.automatic_topups where service_user_id = $1`,
      [owner.person.id],
    )
    const terms =
      'When my balance is below 10.00 USD, charge 20.00 USD to visa 4242: at most once per hour, and at most 100.00 USD per month.'
    assert.deepEqual(rows, [{ consent: terms, is_fresh: true }])
    const { text = '' } = await mail.readSubject(
      owner.person.email,
      /^Automatic top-up of your wallet is on$/,
    )
    assert(text.includes(terms), text)
    assert.doesNotMatch(text, /attacker/)
    assert.match(text, /This wasn't you\?/)
  })

  it('200 writes the terms in the language of the person', async () => {
    const { cardId, ...owner } = await newOwner()
    await setup.query(`update directory.people set language = 'de' where service_user_id = $1`, [
      owner.person.id,
    ])
    await ask(owner, endpoint, { ...TERMS, cardId })
    const subject = /^Die automatische Aufladung Ihrer Geldbörse ist an$/
    const { text = '' } = await mail.readSubject(owner.person.email, subject)
    assert.match(text, /Wenn mein Guthaben unter 10\.00 USD liegt, werden 20\.00 USD von visa 4242/)
  })

  it('200 accepts a limit of one charge per month', async () => {
    const { cardId, ...owner } = await newOwner()
    const fields = { ...TERMS, cardId, amount: '20.00', monthMax: '20.00' }
    assert.equal((await ask(owner, endpoint, fields)).statusCode, 200)
  })

  it('400 INVALID_AMOUNT for an amount that no top-up can have, or above which banks ask', async () => {
    const { cardId, ...owner } = await newOwner()
    for (const amount of ['0', '0.99', '50.01', '1e1', 'x']) {
      const response = await ask(owner, endpoint, { ...TERMS, cardId, amount })
      assertRefusal(response, endpoint, 'INVALID_AMOUNT')
    }
  })

  it('400 INVALID_REQUEST for other fields that are wrong', async () => {
    const { cardId, ...owner } = await newOwner()
    await refusals.refusesValues(owner, endpoint, () => ({ ...TERMS, cardId }), {
      threshold: ['0', '-1', 'x'],
      monthMax: ['19.99', '0', 'x'],
      timeZone: ['', 'Mars/Olympus'],
    })
    assert.equal((await read(owner)).automaticTopup, null)
  })

  it('401 LOGIN_FAILED with a wrong password; nothing changes', async () => {
    const { cardId, ...owner } = await newOwner()
    const response = await ask(owner, endpoint, { ...TERMS, cardId, password: 'wrong password' })
    assertRefusal(response, endpoint, 'LOGIN_FAILED')
    assert.equal((await read(owner)).automaticTopup, null)
  })

  it('404 CARD_NOT_FOUND for a card that is not saved', async () => {
    const { cardId: _cardId, ...owner } = await newOwner()
    const other = await newOwner()
    for (const cardId of ['pm_unknown', other.cardId]) {
      const response = await ask(owner, endpoint, { ...TERMS, cardId })
      assertRefusal(response, endpoint, 'CARD_NOT_FOUND')
    }
  })

  it('502 PAYMENT_PROVIDER_ERROR if the processor does not list the cards', async () => {
    const { cardId, ...owner } = await newOwner()
    setup.sandbox.faults.status500 = { times: 2, route: 'GET /v1/payment_methods' }
    const response = await ask(owner, endpoint, { ...TERMS, cardId })
    assertRefusal(response, endpoint, 'PAYMENT_PROVIDER_ERROR')
  })
})

describe('a new password that is set by email', () => {
  const NEW_PASSWORD = 'another harbour at dusk'
  const { forgotAccountPassword, resetAccountPassword, undoEmailChange } = accountApi

  async function reset({ person }: AutomaticPerson) {
    await ask(setup, forgotAccountPassword, { email: person.email })
    const fields = { ticket: await mail.readTicket(person.email), password: NEW_PASSWORD }
    return ask(setup, resetAccountPassword, fields)
  }

  async function undo({ person }: AutomaticPerson) {
    await moveEmail({ harness: setup.harness, mail }, person)
    const fields = { ticket: await mail.readUndoTicket(person.email), password: NEW_PASSWORD }
    return ask(setup, undoEmailChange, fields)
  }

  for (const [title, act] of Object.entries({
    'a reset': reset,
    'the undo of a new email': undo,
  })) {
    it(`200 ${title} switches it off, stops a charge that is open, and says so in the email`, async () => {
      const person = await makeAutomatic(setup)
      const route = 'POST /v1/payment_intents/:id/confirm'
      setup.sandbox.faults.status500 = { times: 1_000, route }
      await setup.sweepDue(person)
      setup.sandbox.resetFaults()
      assert.deepEqual(await setup.topupsOf(person), [{ status: 'open', amount: 2000 }])
      const response = await act(person)
      assert.equal(response.statusCode, 200, response.body)
      const cookie = cookieOf(response)
      assert.equal((await read({ ...person, person: { cookie } })).automaticTopup, null)
      await setup.sweepDue(person)
      assert.deepEqual(await setup.topupsOf(person), [{ status: 'ended', amount: 2000 }])
      assert.equal(await setup.balanceOf(person), 0n)
      const subject = /^The password of your wallet was reset$/
      const { text = '' } = await mail.readSubject(person.person.email, subject)
      assert.match(text, /automatic top-up was on, it was turned off/)
    })
  }

  it('is not undone by somebody whose old password was checked right before it', async () => {
    const { cardId, ...owner } = await newOwner()
    const { context } = setup.harness
    const { id: userId, email } = owner.person
    const checked = (await one(context.db, findPerson(userId))) ?? assert.fail()
    await reset({ ...owner, cardId })
    const person = { userId, email, language: null }
    await assert.rejects(
      setAutomaticTopup(context, person, checked, { ...TERMS, cardId }),
      (error) => error instanceof ServiceError && error.code === 'LOGIN_FAILED',
    )
    const { rows } = await setup.query(
      'select from directory.automatic_topups where service_user_id = $1',
      [userId],
    )
    assert.equal(rows.length, 0)
  })
})

describe('POST /api/account/automatic-topup/off', () => {
  it('200 switches it off, also twice', async () => {
    const person = await makeAutomatic(setup)
    for (let count = 0; count < 2; count++) {
      assert.equal((await ask(person, endpoints.endAutomaticTopup, {})).statusCode, 200)
    }
    assert.equal((await read(person)).automaticTopup, null)
    await setup.sweepDue(person)
    assert.equal(await setup.balanceOf(person), 0n)
  })
})
