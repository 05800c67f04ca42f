import { exchangeLinkCode } from '@coffer/contract/server-api'
import {
  agree,
  forgotPassword,
  logIn,
  resetPassword as endpoint,
} from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  callPage,
  inventEmail,
  makePerson,
  openSignInWithMail,
  PASSWORD,
  step,
  untilPaused,
  type TestPerson,
} from '../test/sign-in.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, call, type Setup } from '../test/setup.ts'
import { link } from './link.ts'
import { issueCode } from './ticket.ts'

const NEW_PASSWORD = 'another sound one'

describe('POST /api/widget/auth/reset', () => {
  let service: Awaited<ReturnType<typeof openSignInWithMail>>
  before(async () => {
    service = await openSignInWithMail()
  })
  after(() => service.close())

  /** A person who forgot the password, with the code that was sent. */
  async function askCode(about: Parameters<typeof makePerson>[1] = {}) {
    const person = await makePerson(service, about)
    const { clientId } = service.app
    const { ticket } = await step(service, forgotPassword, { clientId, email: person.email })
    return { person, ticket: ticket ?? '', code: await service.mail.readCode(person.email) }
  }

  /** The state after a request for a code, on a setup with or without a mail server. */
  const fieldsOf = async (there: Setup) => {
    const { id, email } = await makePerson(there)
    const { db } = there.harness.context
    const request = {
      purpose: 'reset',
      clientAppId: there.app.id,
      serviceUserId: id,
      email,
    } as const
    return { ...(await issueCode(db, request)), password: NEW_PASSWORD }
  }

  const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

  async function refuses(ticket: string, code: string) {
    const fields = { ticket, code, password: NEW_PASSWORD }
    assertRefusal(await callPage(service, endpoint, fields), endpoint, 'CODE_INVALID')
  }

  const logInWith = ({ email }: TestPerson, password: string) =>
    callPage(service, logIn, { clientId: service.app.clientId, email, password })

  it('200 sets the password, then requests consent like a login', async () => {
    const { person, ticket, code } = await askCode()
    const next = await step(service, endpoint, { ticket, code, password: NEW_PASSWORD })
    assert.deepEqual([next.step, next.firstName], ['consent', 'Ada'])
    assertRefusal(await logInWith(person, PASSWORD), logIn, 'LOGIN_FAILED')
    assert.equal((await logInWith(person, NEW_PASSWORD)).statusCode, 200)
  })

  it('200 skips the consent for a linked person and verifies the email', async () => {
    const { person, ticket, code } = await askCode({ isVerified: false })
    const { db } = service.harness.context
    const serviceUserId = await link(db, service.app.id, person.id)
    const linked = await step(service, endpoint, { ticket, code, password: NEW_PASSWORD })
    assert.deepEqual([linked.step, linked.serviceUserId], ['linked', serviceUserId])
  })

  it('200 ends every login of the person and resets the count of failed attempts', async () => {
    const { person, ticket, code } = await askCode()
    const { admin } = service.harness
    await admin.query(
      `insert into directory.log_ins (token_hash, service_user_id, device, expires_at)
       values ($1, $2, 'A browser', now() + interval '1 day')`,
      [randomBytes(32), person.id],
    )
    await untilPaused(() => logInWith(person, 'wrong'))
    await step(service, endpoint, { ticket, code, password: NEW_PASSWORD })
    const { rows } = await admin.query('select from directory.log_ins where service_user_id = $1', [
      person.id,
    ])
    assert.equal(rows.length, 0)
    assert.equal((await logInWith(person, NEW_PASSWORD)).statusCode, 200)
  })

  it('200 ends a sign-in that was started with the old password, so it can no longer link an app', async () => {
    const { person, ticket, code } = await askCode()
    const intruder = (await logInWith(person, PASSWORD)).json<{ step: string; ticket: string }>()
    assert.equal(intruder.step, 'consent')
    const owner = await step(service, endpoint, { ticket, code, password: NEW_PASSWORD })
    const refused = await callPage(service, agree, { ticket: intruder.ticket })
    assertRefusal(refused, agree, 'LOGIN_REQUIRED')
    const linked = await step(service, agree, { ticket: owner.ticket })
    assert.equal(linked.step, 'linked')
  })

  it('200 ends link codes that were issued for the old password', async () => {
    const { person, ticket, code } = await askCode()
    await link(service.harness.context.db, service.app.id, person.id)
    const intruder = (await logInWith(person, PASSWORD)).json<{ linkCode: string }>()
    const owner = await step(service, endpoint, { ticket, code, password: NEW_PASSWORD })
    const refused = await call(service, exchangeLinkCode, { linkCode: intruder.linkCode })
    assertRefusal(refused, exchangeLinkCode, 'LINK_CODE_INVALID')
    const exchanged = await call(service, exchangeLinkCode, { linkCode: owner.linkCode })
    assert.equal(exchanged.statusCode, 200, exchanged.body)
  })

  it('400 PASSWORD_REFUSED does not use up the code', async () => {
    const { person, ticket, code } = await askCode({ email: `hildegard.${inventEmail()}` })
    const weak = ['too short', 'password1234', `${person.email.split('@')[0]}!!`]
    for (const password of weak) {
      const response = await callPage(service, endpoint, { ticket, code, password })
      assertRefusal(response, endpoint, 'PASSWORD_REFUSED')
    }
    assert.equal((await logInWith(person, PASSWORD)).statusCode, 200)
    await step(service, endpoint, { ticket, code, password: NEW_PASSWORD })
  })

  it('400 CODE_INVALID even for the correct code after five wrong ones', async () => {
    const { person, ticket, code } = await askCode()
    for (let by = 1; by <= 5; by++) await refuses(ticket, wrong(code, by))
    await refuses(ticket, code)
    assert.equal((await logInWith(person, PASSWORD)).statusCode, 200)
  })

  it('400 CODE_INVALID even for the correct code after fifty concurrent guesses', async () => {
    const { person, ticket, code } = await askCode()
    const guesses = Array.from({ length: 50 }, (_, index) =>
      refuses(ticket, wrong(code, index + 1)),
    )
    await Promise.all(guesses)
    await refuses(ticket, code)
    assert.equal((await logInWith(person, PASSWORD)).statusCode, 200)
  })

  it('400 CODE_INVALID for a used code, also concurrently', async () => {
    const { person, ticket, code } = await askCode()
    const passwords = ['the first of two', 'the second of two']
    const responses = await Promise.all(
      passwords.map((password) => callPage(service, endpoint, { ticket, code, password })),
    )
    const statuses = responses.map(({ statusCode }) => statusCode)
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 400],
    )
    await refuses(ticket, code)
    const set = passwords[statuses.indexOf(200)] ?? ''
    assert.equal((await logInWith(person, set)).statusCode, 200)
  })

  it('400 CODE_INVALID for an expired code and for the code of another ticket', async () => {
    const [one, other] = [await askCode(), await askCode()]
    if (one.code !== other.code) await refuses(one.ticket, other.code)
    await refuses('x'.repeat(32), one.code)
    await service.harness.admin.query(
      `update directory.tickets set expires_at = now() - interval '1 second'`,
    )
    await refuses(one.ticket, one.code)
    assert.equal((await logInWith(one.person, PASSWORD)).statusCode, 200)
  })

  it('400 CODE_INVALID for every code of an unknown email', async () => {
    const email = inventEmail()
    const { clientId } = service.app
    const { ticket } = await step(service, forgotPassword, { clientId, email })
    const { rows } = await service.harness.admin.query(
      'select code_hash, service_user_id from directory.tickets where email = $1',
      [email],
    )
    assert.deepEqual(rows, [{ code_hash: null, service_user_id: null }])
    await refuses(ticket ?? '', '000000')
  })

  it('400 CODE_INVALID for a code that was sent for a sign-up', async () => {
    const { context } = service.harness
    const request = {
      purpose: 'sign_up',
      clientAppId: service.app.id,
      email: inventEmail(),
    } as const
    const { ticket, code } = await issueCode(context.db, request)
    await refuses(ticket, code)
  })

  it('400 INVALID_REQUEST for invalid fields', () =>
    refusals.refusesValues(service, endpoint, fieldsOf, {
      ticket: ['', 'a b', 'x'.repeat(65)],
      code: ['', '12345', '1234567', '１２３４５６'],
      password: ['', 'x'.repeat(129)],
    }))
})
