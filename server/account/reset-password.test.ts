import * as endpoints from '@coffer/contract/account/account'
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

  it('200 returns the same response for every email, and sends a link only to the owner of an account', async () => {
    const { harness, mail } = setup
    const person = await makePerson(harness)
    const responses = []
    for (const email of [person.email.toUpperCase(), 'nobody@example.com']) {
      const response = await ask({ harness }, endpoint, { email })
      assert.equal(response.statusCode, 200)
      assert.equal(response.headers['set-cookie'], undefined)
      responses.push(response.body)
    }
    assert.deepEqual(responses, ['{}', '{}'])
    await mail.readTicket(person.email)
    assert.equal(mail.count('nobody@example.com'), 0)
  })

  it('200 even if no mail server is configured', async () => {
    const mute = await openPersonSetup()
    const response = await ask(mute, endpoint, { email: mute.person.email })
    assert.deepEqual([response.statusCode, response.json()], [200, {}])
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

  const fieldsOf = () => ({ ticket: 'x'.repeat(32), password: NEW_PASSWORD })

  /** What a person sends who has opened the link. */
  async function forget(email: string) {
    await ask(setup, endpoints.forgotAccountPassword, { email })
    return { ticket: await setup.mail.readTicket(email), password: NEW_PASSWORD }
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

  it('400 CODE_INVALID for a wrong ticket and a used one', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    const fields = await forget(person.email)
    const wrong = { ...fields, ticket: fields.ticket.toLowerCase() }
    assertRefusal(await ask({ harness }, endpoint, wrong), endpoint, 'CODE_INVALID')
    assert.equal((await ask({ harness }, endpoint, fields)).statusCode, 200)
    assertRefusal(await ask({ harness }, endpoint, fields), endpoint, 'CODE_INVALID')
  })

  it('400 PASSWORD_REFUSED for a password that is easy to guess, without using up the link', async () => {
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
      ['password', ''],
    ]))
})
