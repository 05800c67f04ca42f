import * as endpoints from '@coffer/contract/account/account'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inventEmail, PASSWORD, untilRateLimited } from '../test/sign-in.ts'
import * as refusals from '../test/refusals.ts'
import {
  ask,
  logInAs,
  makePerson,
  openPersonSetup,
  openPersonSetupWithMail,
  type PersonSetup,
} from '../test/account-setup.ts'
import { assertRefusal } from '../test/setup.ts'

const NEW_PASSWORD = 'another harbour at dusk'

let setup: Awaited<ReturnType<typeof openPersonSetupWithMail>>
before(async () => {
  setup = await openPersonSetupWithMail()
})
after(() => setup.close())

const emailOf = async (harness: PersonSetup['harness'], cookie: string) =>
  (await ask({ harness, person: { cookie } }, endpoints.readAccount)).json().email as string

/** Requests a change of the email address and returns the ticket. */
async function begin(person: { cookie: string }, email: string): Promise<string> {
  const { harness } = setup
  const response = await ask({ harness, person }, endpoints.changeEmail, {
    email,
    password: PASSWORD,
  })
  assert.equal(response.statusCode, 200, response.body)
  assert.deepEqual(Object.keys(response.json()), ['ticket'])
  return response.json().ticket as string
}

describe('POST /api/account/email', () => {
  const endpoint = endpoints.changeEmail
  const fieldsOf = () => ({ email: inventEmail(), password: PASSWORD })

  it('200 changes the spelling of the own address', async () => {
    const { harness, mail } = setup
    const person = await makePerson(harness)
    const email = person.email.toUpperCase()
    const ticket = await begin(person, email)
    const code = await mail.readCode(email)
    const verified = await ask({ harness, person }, endpoints.verifyNewEmail, { ticket, code })
    assert.equal(verified.statusCode, 200, verified.body)
    assert.equal(await emailOf(harness, person.cookie), email)
  })

  it('200 returns the same response for a taken address, and sends no email', async () => {
    const { harness, mail } = setup
    const [person, other] = [await makePerson(harness), await makePerson(harness)]
    const ticket = await begin(person, other.email)
    const verified = await ask({ harness, person }, endpoints.verifyNewEmail, {
      ticket,
      code: '123456',
    })
    assertRefusal(verified, endpoints.verifyNewEmail, 'CODE_INVALID')
    assert.equal(mail.count(other.email, /^(?!New login )/), 0)
  })

  it('200 changes the address immediately if no mail server is configured', async () => {
    const mute = await openPersonSetup()
    const email = inventEmail()
    const response = await ask(mute, endpoint, { email, password: PASSWORD })
    assert.deepEqual(response.json(), {})
    assert.equal(await emailOf(mute.harness, mute.person.cookie), email)
    await logInAs(mute.harness, email)
    const { rows } = await mute.harness.admin.query(
      'select email_verified_at from directory.people where service_user_id = $1',
      [mute.person.id],
    )
    assert.deepEqual(rows, [{ email_verified_at: null }])
    await mute.harness.end()
  })

  it('409 EMAIL_TAKEN if no mail server is configured', async () => {
    const mute = await openPersonSetup()
    const other = await makePerson(mute.harness)
    const fields = { email: other.email.toUpperCase(), password: PASSWORD }
    assertRefusal(await ask(mute, endpoint, fields), endpoint, 'EMAIL_TAKEN')
    assert.equal(await emailOf(mute.harness, mute.person.cookie), mute.person.email)
    await mute.harness.end()
  })

  it('401 LOGIN_FAILED for a wrong password, and attempts are counted', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    const fields = { email: inventEmail(), password: 'wrong' }
    assertRefusal(await ask({ harness, person }, endpoint, fields), endpoint, 'LOGIN_FAILED')
    const other = await makePerson(harness)
    await untilRateLimited(() => ask({ harness, person: other }, endpoint, fields))
    assert.equal(setup.mail.count(fields.email), 0)
  })

  it('400 INVALID_REQUEST for an invalid email address', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['email', undefined],
      ['email', 'nobody'],
      ['password', undefined],
      ['password', 'x'.repeat(129)],
    ]))
})

describe('POST /api/account/email/verify', () => {
  const endpoint = endpoints.verifyNewEmail
  const fieldsOf = () => ({ ticket: 'x'.repeat(32), code: '123456' })

  it('200 changes the address, notifies the old one, and invalidates codes sent there', async () => {
    const { harness, mail } = setup
    const person = await makePerson(harness)
    const email = inventEmail()
    const forgot = endpoints.forgotAccountPassword
    await ask(setup, forgot, { email: person.email })
    const resetTicket = await mail.readTicket(person.email)
    const ticket = await begin(person, email)
    const code = await mail.readCode(email)
    assert.equal((await ask({ harness, person }, endpoint, { ticket, code })).statusCode, 200)
    assert.equal(await emailOf(harness, person.cookie), email)
    await logInAs(harness, email)
    const { rows } = await harness.admin.query(
      `select email_verified_at > now() - interval '1 minute' as is_verified from directory.people
       where service_user_id = $1`,
      [person.id],
    )
    assert.deepEqual(rows, [{ is_verified: true }])
    await mail.readSubject(person.email, /was changed/)
    const late = { ticket: resetTicket, password: NEW_PASSWORD }
    const response = await ask({ harness }, endpoints.resetAccountPassword, late)
    assertRefusal(response, endpoints.resetAccountPassword, 'CODE_INVALID')
    const again = await ask({ harness, person }, endpoint, { ticket, code })
    assertRefusal(again, endpoint, 'CODE_INVALID')
  })

  it('400 CODE_INVALID for a wrong code, after too many attempts, and for another person', async () => {
    const { harness, mail } = setup
    const [person, other] = [await makePerson(harness), await makePerson(harness)]
    const email = inventEmail()
    const ticket = await begin(person, email)
    const code = await mail.readCode(email)
    const wrong = code === '000000' ? '000001' : '000000'
    const verify = (fields: object, who = person) =>
      ask({ harness, person: who }, endpoint, { ticket, code, ...fields })
    assertRefusal(await verify({ code: wrong }), endpoint, 'CODE_INVALID')
    assertRefusal(await verify({}, other), endpoint, 'CODE_INVALID')
    const second = await begin(person, email)
    const secondCode = await mail.readCode(email)
    for (let time = 0; time < 5; time++) {
      const guess = secondCode === wrong ? code : wrong
      assertRefusal(await verify({ ticket: second, code: guess }), endpoint, 'CODE_INVALID')
    }
    const right = await verify({ ticket: second, code: secondCode })
    assertRefusal(right, endpoint, 'CODE_INVALID')
    assert.equal(await emailOf(harness, person.cookie), person.email)
    assert.equal(await emailOf(harness, other.cookie), other.email)
  })

  it('400 INVALID_REQUEST for an invalid ticket or code', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['ticket', undefined],
      ['ticket', ''],
      ['code', '12345'],
      ['code', 'abcdef'],
    ]))
})
