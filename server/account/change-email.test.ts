import * as endpoints from '@coffer/contract/account-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inventEmail, PASSWORD } from '../test/sign-in.ts'
import * as refusals from '../test/refusals.ts'
import {
  ask,
  logInAs,
  makePerson,
  openPersonStage,
  openPersonStageWithMail,
  type PersonStage,
} from '../test/account-setup.ts'
import { assertRefusal } from '../test/setup.ts'

const NEW_PASSWORD = 'another harbour at dusk'

let stage: Awaited<ReturnType<typeof openPersonStageWithMail>>
before(async () => {
  stage = await openPersonStageWithMail()
})
after(() => stage.close())

const emailOf = async (harness: PersonStage['harness'], cookie: string) =>
  (await ask({ harness, person: { cookie } }, endpoints.readAccount)).json().email as string

/** Asks to change the e-mail; returns the ticket. */
async function begin(person: { cookie: string }, email: string): Promise<string> {
  const { harness } = stage
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

  it('200 sends a code to the new address and changes nothing yet', async () => {
    const { harness, mail } = stage
    const person = await makePerson(harness)
    const email = inventEmail()
    await begin(person, email)
    await mail.readCode(email)
    assert.equal(await emailOf(harness, person.cookie), person.email)
  })

  it('200 answers alike for an address that is taken, and writes to nobody', async () => {
    const { harness, mail } = stage
    const [person, other] = [await makePerson(harness), await makePerson(harness)]
    const ticket = await begin(person, other.email)
    const verified = await ask({ harness, person }, endpoints.verifyNewEmail, {
      ticket,
      code: '123456',
    })
    assertRefusal(verified, endpoints.verifyNewEmail, 'CODE_INVALID')
    assert.equal(mail.count(other.email), 0)
  })

  it('200 changes it at once where nobody can be written to', async () => {
    const mute = await openPersonStage()
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

  it('409 EMAIL_TAKEN where nobody can be written to', async () => {
    const mute = await openPersonStage()
    const other = await makePerson(mute.harness)
    const fields = { email: other.email.toUpperCase(), password: PASSWORD }
    assertRefusal(await ask(mute, endpoint, fields), endpoint, 'EMAIL_TAKEN')
    assert.equal(await emailOf(mute.harness, mute.person.cookie), mute.person.email)
    await mute.harness.end()
  })

  it('401 LOGIN_FAILED for a wrong password, and tries are counted', async () => {
    const { harness } = stage
    const person = await makePerson(harness)
    const fields = { email: inventEmail(), password: 'wrong' }
    assertRefusal(await ask({ harness, person }, endpoint, fields), endpoint, 'LOGIN_FAILED')
    const more = Array.from({ length: 8 }, () => ask({ harness, person }, endpoint, fields))
    assert((await Promise.all(more)).some(({ statusCode }) => statusCode === 429))
    assert.equal(stage.mail.count(fields.email), 0)
  })

  it('400 INVALID_REQUEST for what is no e-mail', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['email', undefined],
      ['email', 'nobody'],
      ['password', undefined],
      ['password', 'x'.repeat(129)],
    ]))
})

describe('POST /api/account/email/verify', () => {
  const endpoint = endpoints.verifyNewEmail
  const fieldsOf = () => ({ ticket: 'x'.repeat(32), code: '123456' })

  it('200 changes the address, tells the old one, and ends what was sent there', async () => {
    const { harness, mail } = stage
    const person = await makePerson(harness)
    const email = inventEmail()
    const forgot = endpoints.forgotAccountPassword
    const reset = (await ask(stage, forgot, { email: person.email })).json()
    const resetCode = await mail.readCode(person.email)
    const ticket = await begin(person, email)
    const code = await mail.readCode(email)
    assert.equal((await ask({ harness, person }, endpoint, { ticket, code })).statusCode, 200)
    assert.equal(await emailOf(harness, person.cookie), email)
    await logInAs(harness, email)
    assert.match((await mail.read(person.email)).subject ?? '', /was changed/)
    const late = { ticket: reset.ticket, code: resetCode, password: NEW_PASSWORD }
    const answer = await ask({ harness }, endpoints.resetAccountPassword, late)
    assertRefusal(answer, endpoints.resetAccountPassword, 'CODE_INVALID')
    const again = await ask({ harness, person }, endpoint, { ticket, code })
    assertRefusal(again, endpoint, 'CODE_INVALID')
  })

  it('400 CODE_INVALID for a wrong code, after a few tries, and for somebody else', async () => {
    const { harness, mail } = stage
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

  it('400 CODE_INVALID when the address was taken meanwhile', async () => {
    const { harness, mail } = stage
    const [person, other] = [await makePerson(harness), await makePerson(harness)]
    const email = inventEmail()
    const tickets = [await begin(person, email)]
    const codes = [await mail.readCode(email)]
    tickets.push(await begin(other, email))
    codes.push(await mail.readCode(email))
    const verify = (who: typeof person, at: number) =>
      ask({ harness, person: who }, endpoint, { ticket: tickets[at], code: codes[at] })
    assert.equal((await verify(person, 0)).statusCode, 200)
    assertRefusal(await verify(other, 1), endpoint, 'CODE_INVALID')
  })

  it('400 INVALID_REQUEST for what is no ticket or code', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['ticket', undefined],
      ['ticket', ''],
      ['code', '12345'],
      ['code', 'abcdef'],
    ]))
})
