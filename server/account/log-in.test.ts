import * as endpoints from '@coffer/contract/account/account'
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
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

let setup: Awaited<ReturnType<typeof openPersonSetupWithMail>>
before(async () => {
  setup = await openPersonSetupWithMail()
})
after(() => setup.close())

describe('POST /api/account/log-in', () => {
  const endpoint = endpoints.logInToAccount
  const fieldsOf = ({ person }: PersonSetup) => ({ email: person.email, password: PASSWORD })

  it('200 sets a SameSite=Strict cookie and stores only its hash', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    const response = await ask({ harness }, endpoint, { email: person.email, password: PASSWORD })
    assert.equal(response.statusCode, 200)
    assert.deepEqual(response.json(), {})
    const [header = ''] = [response.headers['set-cookie']].flat().map(String)
    const form = /^__Host-coffer=([\w-]{43}); Path=\/; HttpOnly; Secure; SameSite=Strict$/
    const token = form.exec(header)?.[1] ?? assert.fail(header)
    const { rows } = await harness.admin.query(
      `select extract(epoch from expires_at - created_at)::int as seconds from directory.log_ins
       where token_hash = $1 and service_user_id = $2`,
      [hash('sha256', token, 'buffer'), person.id],
    )
    assert.deepEqual(rows, [{ seconds: 12 * 60 * 60 }])
    const stored = await harness.admin.query('select i::text as text from directory.log_ins i')
    assert(stored.rows.every((row: { text: string }) => !row.text.includes(token)))
  })

  it('401 LOGIN_FAILED with the same bytes for a wrong password and an unknown email', async () => {
    const { harness, person } = setup
    const wrong = await ask({ harness }, endpoint, { email: person.email, password: 'wrong' })
    const unknown = { email: 'nobody@example.com', password: PASSWORD }
    const nobody = await ask({ harness }, endpoint, unknown)
    assertRefusal(wrong, endpoint, 'LOGIN_FAILED')
    assert.equal(nobody.statusCode, 401)
    assert.equal(nobody.body, wrong.body)
    assert.equal(nobody.headers['set-cookie'], undefined)
  })

  it('400 INVALID_REQUEST for an invalid email or password', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['email', undefined],
      ['email', 'nobody'],
      ['email', 'a\u0000@example.com'],
      ['email', `${'a'.repeat(250)}@example.com`],
      ['password', undefined],
      ['password', ''],
      ['password', 'x'.repeat(129)],
      ['password', 5],
    ]))
})

describe('POST /api/account/log-out', () => {
  const endpoint = endpoints.logOut

  it('200 ends this login and removes the cookie', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    const elsewhere = await logInAs(harness, person.email)
    const response = await ask({ harness, person }, endpoint)
    assert.equal(response.statusCode, 200)
    assert.equal(
      response.headers['set-cookie'],
      '__Host-coffer=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict',
    )
    assertRefusal(await ask({ harness, person }, endpoint), endpoint, 'LOGIN_REQUIRED')
    const other = { harness, person: { cookie: elsewhere } }
    assert.equal((await ask(other, endpoints.readAccount)).statusCode, 200)
  })
})
