import * as endpoints from '@coffer/contract/account/account'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { PASSWORD } from '../test/sign-in.ts'
import * as refusals from '../test/refusals.ts'
import {
  ask,
  logInAs,
  makePerson,
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

describe('POST /api/account/password', () => {
  const endpoint = endpoints.changePassword
  const fieldsOf = () => ({ password: PASSWORD, newPassword: NEW_PASSWORD })

  it('200 changes the password, ends every other login and notifies the owner', async () => {
    const { harness, mail } = setup
    const person = await makePerson(harness)
    const elsewhere = { harness, person: { cookie: await logInAs(harness, person.email) } }
    assert.equal((await ask({ harness, person }, endpoint, fieldsOf())).statusCode, 200)
    assert.equal(await emailOf(harness, person.cookie), person.email)
    const over = await ask(elsewhere, endpoints.readAccount)
    assertRefusal(over, endpoints.readAccount, 'LOGIN_REQUIRED')
    await logInAs(harness, person.email, NEW_PASSWORD)
    const old = { email: person.email, password: PASSWORD }
    const refused = await ask({ harness }, endpoints.logInToAccount, old)
    assertRefusal(refused, endpoints.logInToAccount, 'LOGIN_FAILED')
    await mail.readSubject(person.email, /password .* was changed/)
  })

  it('400 PASSWORD_REFUSED for a password that is easy to guess', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    for (const newPassword of ['short', 'password1234', 'abababababab', person.email]) {
      const response = await ask({ harness, person }, endpoint, { password: PASSWORD, newPassword })
      assertRefusal(response, endpoint, 'PASSWORD_REFUSED')
    }
    await logInAs(harness, person.email)
  })

  it('401 LOGIN_FAILED for a wrong old password', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    const fields = { password: 'wrong', newPassword: NEW_PASSWORD }
    assertRefusal(await ask({ harness, person }, endpoint, fields), endpoint, 'LOGIN_FAILED')
    await logInAs(harness, person.email)
  })

  it('400 INVALID_REQUEST for an invalid password', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['password', undefined],
      ['newPassword', undefined],
      ['newPassword', 'x'.repeat(129)],
      ['newPassword', 'a\u0000'],
    ]))
})
