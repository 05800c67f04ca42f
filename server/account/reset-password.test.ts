import * as endpoints from '@coffer/contract/account-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as refusals from '../test/refusals.ts'
import {
  ask,
  cookieOf,
  logInAs,
  makePerson,
  openPersonStage,
  openPersonStageWithMail,
  type PersonStage,
} from '../test/account-setup.ts'
import { assertRefusal } from '../test/setup.ts'

let stage: Awaited<ReturnType<typeof openPersonStageWithMail>>
before(async () => {
  stage = await openPersonStageWithMail()
})
after(() => stage.close())

const NEW_PASSWORD = 'another harbour at dusk'

describe('POST /api/account/forgot', () => {
  const endpoint = endpoints.forgotAccountPassword
  const fieldsOf = ({ person }: PersonStage) => ({ email: person.email })

  it('200 answers alike for everybody, and writes to the owner of an account only', async () => {
    const { harness, mail } = stage
    const person = await makePerson(harness)
    const answers = []
    for (const email of [person.email.toUpperCase(), 'nobody@example.com']) {
      const response = await ask({ harness }, endpoint, { email })
      assert.equal(response.statusCode, 200)
      assert.equal(response.headers['set-cookie'], undefined)
      const { ticket, ...rest } = response.json<{ ticket: string }>()
      answers.push([ticket.length, rest])
    }
    assert.deepEqual(answers[0], answers[1])
    await mail.read(person.email)
    assert.equal(mail.count('nobody@example.com'), 0)
  })

  it('200 also where nobody can be written to', async () => {
    const mute = await openPersonStage()
    const response = await ask(mute, endpoint, { email: mute.person.email })
    assert.equal(response.statusCode, 200)
    assert.match(response.json<{ ticket: string }>().ticket, /^[\w-]{32}$/)
    await mute.harness.end()
  })

  it('400 INVALID_REQUEST for what is no e-mail', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['email', undefined],
      ['email', 'a b@example.com'],
    ]))
})

describe('POST /api/account/reset', () => {
  const endpoint = endpoints.resetAccountPassword

  const fieldsOf = () => ({ ticket: 'x'.repeat(32), code: '123456', password: NEW_PASSWORD })

  /** A ticket of somebody, and the code that was sent. */
  async function forget(email: string) {
    const asked = await ask(stage, endpoints.forgotAccountPassword, { email })
    const { ticket } = asked.json<{ ticket: string }>()
    return { ticket, code: await stage.mail.readCode(email), password: NEW_PASSWORD }
  }

  it('200 sets the password, ends every log-in and begins a new one', async () => {
    const { harness } = stage
    const person = await makePerson(harness)
    const response = await ask({ harness }, endpoint, await forget(person.email))
    assert.equal(response.statusCode, 200)
    const read = (cookie: string) => ask({ harness, person: { cookie } }, endpoints.readAccount)
    assertRefusal(await read(person.cookie), endpoints.readAccount, 'LOGIN_REQUIRED')
    assert.equal((await read(cookieOf(response))).json().logIns.length, 1)
    await logInAs(harness, person.email, NEW_PASSWORD)
  })

  it('400 CODE_INVALID for a wrong code, a used one, and a ticket that leads nowhere', async () => {
    const { harness } = stage
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

  it('400 PASSWORD_REFUSED for one that is easy to guess, and the code is still good', async () => {
    const { harness } = stage
    const person = await makePerson(harness)
    const fields = await forget(person.email)
    const short = await ask({ harness }, endpoint, { ...fields, password: 'short' })
    assertRefusal(short, endpoint, 'PASSWORD_REFUSED')
    assert.equal(short.headers['set-cookie'], undefined)
    assert.equal((await ask({ harness }, endpoint, fields)).statusCode, 200)
  })

  it('400 INVALID_REQUEST for fields that cannot be', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['ticket', undefined],
      ['ticket', 'a b'],
      ['code', '12345'],
      ['code', 123_456],
      ['password', ''],
    ]))
})
