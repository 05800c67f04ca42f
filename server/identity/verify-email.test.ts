import { exchangeLinkCode } from '@coffer/contract/server-api'
import { forgotPassword, logIn, signUp, verifyEmail as endpoint } from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  callPage,
  inventEmail,
  makePerson,
  newcomer,
  openDoorWithMail,
  step,
} from '../test/sign-in.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, call, type Stage } from '../test/setup.ts'
import { issueCode } from './ticket.ts'

describe('POST /api/widget/auth/verify', () => {
  let door: Awaited<ReturnType<typeof openDoorWithMail>>
  before(async () => {
    door = await openDoorWithMail()
  })
  after(() => door.close())

  /** Somebody new, asked for the code that was sent. */
  async function askCode(email = inventEmail()) {
    const fields = { ...newcomer(door), email }
    const { ticket } = await step(door, signUp, fields)
    return { fields, ticket: ticket ?? '', code: await door.mail.readCode(email) }
  }

  /** As after a sign-up, on a stage with or without a mail server. */
  const fieldsOf = async ({ harness, app }: Stage) => {
    const person = { firstName: 'Grace', lastName: 'Newcomer', email: inventEmail() }
    const asked = { purpose: 'sign_up', clientAppId: app.id, ...person } as const
    return issueCode(harness.context.db, asked)
  }

  const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

  async function refuses(ticket: string, code: string) {
    assertRefusal(await callPage(door, endpoint, { ticket, code }), endpoint, 'CODE_INVALID')
  }

  async function countPeople(email: string) {
    const { rows } = await door.harness.admin.query(
      'select from directory.people where lower(email) = lower($1)',
      [email],
    )
    return rows.length
  }

  it('200 makes the account and its link, and the person can log in', async () => {
    const { fields, ticket, code } = await askCode()
    const linked = await step(door, endpoint, { ticket, code })
    assert.deepEqual(Object.keys(linked), ['step', 'serviceUserId', 'linkCode'])
    const { serviceUserId, linkCode } = linked
    const exchanged = await call(door, exchangeLinkCode, { linkCode })
    assert.deepEqual(exchanged.json(), { serviceUserId })
    const again = await step(door, logIn, fields)
    assert.deepEqual([again.step, again.serviceUserId], ['linked', serviceUserId])
  })

  it('200 verifies an account that was made while there was no mailer, then asks for consent', async () => {
    const person = await makePerson(door, { isVerified: false })
    const { clientId } = door.app
    const { ticket } = await step(door, logIn, { clientId, ...person, id: undefined })
    const code = await door.mail.readCode(person.email)
    const next = await step(door, endpoint, { ticket, code })
    assert.deepEqual([next.step, next.firstName], ['consent', 'Ada'])
    const { rows } = await door.harness.admin.query(
      'select from directory.people where service_user_id = $1 and email_verified_at is not null',
      [person.id],
    )
    assert.equal(rows.length, 1)
  })

  it('200 after a few wrong tries', async () => {
    const { ticket, code } = await askCode()
    for (let by = 1; by <= 4; by++) await refuses(ticket, wrong(code, by))
    assert.equal((await step(door, endpoint, { ticket, code })).step, 'linked')
  })

  it('400 CODE_INVALID for the right code too, after five wrong ones', async () => {
    const { fields, ticket, code } = await askCode()
    for (let by = 1; by <= 5; by++) await refuses(ticket, wrong(code, by))
    await refuses(ticket, code)
    assert.equal(await countPeople(fields.email), 0)
  })

  it('400 CODE_INVALID for the right code too, after fifty guesses at once', async () => {
    const { fields, ticket, code } = await askCode()
    const guesses = Array.from({ length: 50 }, (_, index) =>
      refuses(ticket, wrong(code, index + 1)),
    )
    await Promise.all(guesses)
    await refuses(ticket, code)
    assert.equal(await countPeople(fields.email), 0)
    const { rows } = await door.harness.admin.query(
      'select tries from directory.tickets where email = $1',
      [fields.email],
    )
    assert.deepEqual(rows, [{ tries: '5' }])
  })

  it('400 CODE_INVALID for a code that was used, also by many at once', async () => {
    const { fields, ticket, code } = await askCode()
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => callPage(door, endpoint, { ticket, code })),
    )
    assert.equal(responses.filter(({ statusCode }) => statusCode === 200).length, 1)
    await refuses(ticket, code)
    assert.equal(await countPeople(fields.email), 1)
  })

  it('400 CODE_INVALID when it is too old', async () => {
    const { fields, ticket, code } = await askCode()
    await door.harness.admin.query(
      `update directory.tickets set expires_at = now() - interval '1 second' where email = $1`,
      [fields.email],
    )
    await refuses(ticket, code)
    assert.equal(await countPeople(fields.email), 0)
  })

  it('400 CODE_INVALID for the code of another ticket, purpose or time', async () => {
    const email = inventEmail()
    const [one, other] = [await askCode(email), await askCode(email)]
    if (one.code !== other.code) await refuses(one.ticket, other.code)
    await refuses('x'.repeat(32), one.code)
    const person = await makePerson(door)
    const { clientId } = door.app
    const reset = await step(door, forgotPassword, { clientId, email: person.email })
    await refuses(reset.ticket ?? '', await door.mail.readCode(person.email))
    await step(door, endpoint, { ticket: other.ticket, code: other.code })
    await refuses(one.ticket, one.code)
    assert.equal(await countPeople(email), 1)
  })

  it('400 CODE_INVALID for every code when the e-mail was taken', async () => {
    const { email } = await makePerson(door)
    const { ticket } = await step(door, signUp, { ...newcomer(door), email })
    await door.mail.read(email)
    const { rows } = await door.harness.admin.query(
      'select code_hash from directory.tickets where email = $1',
      [email],
    )
    assert.deepEqual(rows, [{ code_hash: null }])
    await refuses(ticket ?? '', '000000')
  })

  it('400 INVALID_REQUEST for what cannot be a ticket or a code', () =>
    refusals.refusesValues(door, endpoint, fieldsOf, {
      ticket: ['', 'a b', 'x'.repeat(65)],
      code: ['', '12345', '1234567', '12345a', '１２３４５６', ' 12345', '12345\n', '-12345'],
    }))
})
