import * as endpoints from '@coffer/contract/account-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as refusals from '../test/refusals.ts'
import {
  ask,
  cookieOf,
  logInAs,
  makePerson,
  openPersonSetup,
  openPersonSetupWithMail,
  type PersonSetup,
} from '../test/account-setup.ts'
import { assertRefusal } from '../test/setup.ts'

let setup: Awaited<ReturnType<typeof openPersonSetupWithMail>>
before(async () => {
  setup = await openPersonSetupWithMail()
})
after(() => setup.close())

const NEW_PASSWORD = 'another harbour at dusk'

describe('POST /api/account/forgot', () => {
  const endpoint = endpoints.forgotAccountPassword
  const fieldsOf = ({ person }: PersonSetup) => ({ email: person.email })

  it('200 returns the same response for every email, and sends a code only to the owner of an account', async () => {
    const { harness, mail } = setup
    const person = await makePerson(harness)
    const responses = []
    for (const email of [person.email.toUpperCase(), 'nobody@example.com']) {
      const response = await ask({ harness }, endpoint, { email })
      assert.equal(response.statusCode, 200)
      assert.equal(response.headers['set-cookie'], undefined)
      const { ticket, ...rest } = response.json<{ ticket: string }>()
      responses.push([ticket.length, rest])
    }
    assert.deepEqual(responses[0], responses[1])
    await mail.read(person.email)
    assert.equal(mail.count('nobody@example.com'), 0)
  })

  it('200 even if no mail server is configured', async () => {
    const mute = await openPersonSetup()
    const response = await ask(mute, endpoint, { email: mute.person.email })
    assert.equal(response.statusCode, 200)
    assert.match(response.json<{ ticket: string }>().ticket, /^[\w-]{32}$/)
    await mute.harness.end()
  })

  it('400 INVALID_REQUEST for an invalid email address', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['email', undefined],
      ['email', 'a b@example.com'],
    ]))
})

describe('POST /api/account/reset', () => {
  const endpoint = endpoints.resetAccountPassword

  const fieldsOf = () => ({ ticket: 'x'.repeat(32), code: '123456', password: NEW_PASSWORD })

  /** A person's ticket and the code that was sent. */
  async function forget(email: string) {
    const response = await ask(setup, endpoints.forgotAccountPassword, { email })
    const { ticket } = response.json<{ ticket: string }>()
    return { ticket, code: await setup.mail.readCode(email), password: NEW_PASSWORD }
  }

  it('200 sets the password, ends every login and starts a new one', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    const response = await ask({ harness }, endpoint, await forget(person.email))
    assert.equal(response.statusCode, 200)
    const read = (cookie: string) => ask({ harness, person: { cookie } }, endpoints.readAccount)
    assertRefusal(await read(person.cookie), endpoints.readAccount, 'LOGIN_REQUIRED')
    assert.equal((await read(cookieOf(response))).json().logIns.length, 1)
    await logInAs(harness, person.email, NEW_PASSWORD)
  })

  it('400 CODE_INVALID for a wrong code, a used code and a ticket without an account', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    const fields = await forget(person.email)
    const wrong = { ...fields, code: fields.code === '000000' ? '000001' : '000000' }
    assertRefusal(await ask({ harness }, endpoint, wrong), endpoint, 'CODE_INVALID')
    assert.equal((await ask({ harness }, endpoint, fields)).statusCode, 200)
    assertRefusal(await ask({ harness }, endpoint, fields), endpoint, 'CODE_INVALID')
    const nobody = await ask({ harness }, endpoints.forgotAccountPassword, {
      email: 'nobody@example.com',
    })
    const nowhere = { ...fields, ticket: nobody.json<{ ticket: string }>().ticket }
    assertRefusal(await ask({ harness }, endpoint, nowhere), endpoint, 'CODE_INVALID')
  })

  it('400 PASSWORD_REFUSED for a password that is easy to guess, without using up the code', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    const fields = await forget(person.email)
    const short = await ask({ harness }, endpoint, { ...fields, password: 'short' })
    assertRefusal(short, endpoint, 'PASSWORD_REFUSED')
    assert.equal(short.headers['set-cookie'], undefined)
    assert.equal((await ask({ harness }, endpoint, fields)).statusCode, 200)
  })

  it('400 INVALID_REQUEST for invalid fields', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['ticket', undefined],
      ['ticket', 'a b'],
      ['code', '12345'],
      ['code', 123_456],
      ['password', ''],
    ]))
})
