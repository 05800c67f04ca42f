import { logIn, signUp, verifyEmail as endpoint } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  callPage,
  inventEmail,
  makePerson,
  newcomer,
  openSignInWithMail,
  step,
} from '../test/sign-in.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, type Setup } from '../test/setup.ts'
import { issueCode } from './ticket.ts'

describe('POST /api/widget/auth/verify', () => {
  let service: Awaited<ReturnType<typeof openSignInWithMail>>
  before(async () => {
    service = await openSignInWithMail()
  })
  after(() => service.close())

  /** A new person and the code that was sent. */
  async function askCode(email = inventEmail()) {
    const fields = { ...newcomer(service), email }
    const { ticket } = await step(service, signUp, fields)
    return { fields, ticket: ticket ?? '', code: await service.mail.readCode(email) }
  }

  /** The state after a sign-up, on a setup with or without a mail server. */
  const fieldsOf = async ({ harness, app }: Setup) => {
    const person = { firstName: 'Grace', lastName: 'Newcomer', email: inventEmail() }
    const request = { purpose: 'sign_up', clientAppId: app.id, ...person } as const
    return issueCode(harness.context.db, request)
  }

  const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

  async function refuses(ticket: string, code: string) {
    assertRefusal(await callPage(service, endpoint, { ticket, code }), endpoint, 'CODE_INVALID')
  }

  async function countPeople(email: string) {
    const { rows } = await service.harness.admin.query(
      'select from directory.people where lower(email) = lower($1)',
      [email],
    )
    return rows.length
  }

  it('200 verifies an account that was created without a mail server, then requests consent', async () => {
    const person = await makePerson(service, { isVerified: false })
    const { clientId } = service.app
    const { ticket } = await step(service, logIn, { clientId, ...person, id: undefined })
    const code = await service.mail.readCode(person.email)
    const next = await step(service, endpoint, { ticket, code })
    assert.deepEqual([next.step, next.firstName], ['consent', 'Ada'])
    const { rows } = await service.harness.admin.query(
      'select from directory.people where service_user_id = $1 and email_verified_at is not null',
      [person.id],
    )
    assert.equal(rows.length, 1)
  })

  it('400 CODE_INVALID even for the correct code after five wrong ones', async () => {
    const { fields, ticket, code } = await askCode()
    for (let by = 1; by <= 5; by++) await refuses(ticket, wrong(code, by))
    await refuses(ticket, code)
    assert.equal(await countPeople(fields.email), 0)
  })

  it('400 CODE_INVALID even for the correct code after fifty concurrent guesses', async () => {
    const { fields, ticket, code } = await askCode()
    const guesses = Array.from({ length: 50 }, (_, index) =>
      refuses(ticket, wrong(code, index + 1)),
    )
    await Promise.all(guesses)
    await refuses(ticket, code)
    assert.equal(await countPeople(fields.email), 0)
    const { rows } = await service.harness.admin.query(
      'select tries from directory.tickets where email = $1',
      [fields.email],
    )
    assert.deepEqual(rows, [{ tries: '5' }])
  })

  it('400 CODE_INVALID for a used code, also concurrently', async () => {
    const { fields, ticket, code } = await askCode()
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => callPage(service, endpoint, { ticket, code })),
    )
    assert.equal(responses.filter(({ statusCode }) => statusCode === 200).length, 1)
    await refuses(ticket, code)
    assert.equal(await countPeople(fields.email), 1)
  })

  it('400 CODE_INVALID for every code when the email is taken', async () => {
    const { email } = await makePerson(service)
    const { ticket } = await step(service, signUp, { ...newcomer(service), email })
    await service.mail.read(email)
    const { rows } = await service.harness.admin.query(
      'select code_hash from directory.tickets where email = $1',
      [email],
    )
    assert.deepEqual(rows, [{ code_hash: null }])
    await refuses(ticket ?? '', '000000')
  })

  it('400 INVALID_REQUEST for a malformed ticket or code', () =>
    refusals.refusesValues(service, endpoint, fieldsOf, {
      ticket: ['', 'a b', 'x'.repeat(65)],
      code: ['', '12345', '1234567', '12345a', '１２３４５６', ' 12345', '12345\n', '-12345'],
    }))
})
