import * as endpoints from '@coffer/contract/account-automatic-topup-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ask } from '../test/account-setup.ts'
import { startMailServer, type MailServer } from '../test/mail-server.ts'
import { makePayer } from '../test/own-topup-setup.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal } from '../test/setup.ts'
import { openAutomaticSetup, type AutomaticSetup } from '../test/topup/automatic-setup.ts'
import { attachCard, makeAutomatic, TERMS } from '../test/topup/card-setup.ts'

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
      pausedFor: null,
    })
  })
})

describe('POST /api/account/automatic-topup', () => {
  const endpoint = endpoints.setAutomaticTopup

  it('200 stores the consent with its time, and sends an email with it', async () => {
    const { cardId, ...owner } = await newOwner()
    assert.equal((await ask(owner, endpoint, { ...TERMS, cardId })).statusCode, 200)
    const { rows } = await setup.query(
      `select consent, consented_at > now() - interval '1 minute' as is_fresh
       from directory.automatic_topups where service_user_id = $1`,
      [owner.person.id],
    )
    assert.deepEqual(rows, [{ consent: TERMS.consent, is_fresh: true }])
    const { text = '' } = await mail.readSubject(
      owner.person.email,
      /^Automatic top-up of your wallet is on$/,
    )
    assert(text.includes(TERMS.consent), text)
    assert.match(text, /This wasn't you\?/)
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
      consent: ['', '  '],
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
