/** Whoever knows the password can change the email address. The owner of the old mailbox takes the account back. */
import * as endpoints from '@coffer/contract/account/account'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  ask,
  cookieOf,
  logInAs,
  makePerson,
  moveEmail,
  openPersonSetupWithMail,
  type TestPerson,
} from '../test/account-setup.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal } from '../test/setup.ts'
import { PASSWORD } from '../test/sign-in.ts'

const NEW_PASSWORD = 'another harbour at dusk'
const endpoint = endpoints.undoEmailChange

let setup: Awaited<ReturnType<typeof openPersonSetupWithMail>>
before(async () => {
  setup = await openPersonSetupWithMail()
})
after(() => setup.close())

const undo = (ticket: string, password = NEW_PASSWORD) =>
  ask({ harness: setup.harness }, endpoint, { ticket, password })

async function succeed(ticket: string) {
  const response = await undo(ticket)
  assert.equal(response.statusCode, 200, response.body)
  return response
}

async function refuses(ticket: string) {
  assertRefusal(await undo(ticket), endpoint, 'CODE_INVALID')
}

async function emailOf({ id }: Pick<TestPerson, 'id'>) {
  const { rows } = await setup.harness.admin.query<{ email: string; is_verified: boolean }>(
    `select email, email_verified_at is not null as is_verified
     from directory.people where service_user_id = $1`,
    [id],
  )
  return rows[0]
}

const assertOut = async (cookie: string) =>
  assertRefusal(
    await ask({ harness: setup.harness, person: { cookie } }, endpoints.readAccount),
    endpoints.readAccount,
    'LOGIN_REQUIRED',
  )

describe('POST /api/account/email/undo', () => {
  it('200 restores the address, ends all logins, logs the owner in and notifies the replaced address', async () => {
    const { harness, mail } = setup
    const person = await makePerson(harness)
    const email = await moveEmail(setup, person)
    const ticket = await mail.readUndoTicket(person.email)
    const cookie = cookieOf(await succeed(ticket))
    assert.deepEqual(await emailOf(person), { email: person.email, is_verified: true })
    await assertOut(person.cookie)
    const account = await ask({ harness, person: { cookie } }, endpoints.readAccount)
    assert.equal(account.json<{ logIns: unknown[] }>().logIns.length, 1)
    await mail.readSubject(email, /was undone/)
    for (const [name, password] of [
      [email, PASSWORD],
      [email, NEW_PASSWORD],
      [person.email, PASSWORD],
    ]) {
      const fields = { email: name, password }
      const { logInToAccount } = endpoints
      assertRefusal(await ask({ harness }, logInToAccount, fields), logInToAccount, 'LOGIN_FAILED')
    }
    await logInAs(harness, person.email, NEW_PASSWORD)
  })

  it('200 restores the first of three addresses, after which the link of the second is worth nothing', async () => {
    const { harness, mail } = setup
    const person = await makePerson(harness)
    const second = await moveEmail(setup, person)
    const third = await moveEmail(setup, person)
    const [first, later] = [
      await mail.readUndoTicket(person.email),
      await mail.readUndoTicket(second),
    ]
    await succeed(first)
    assert.equal((await emailOf(person))?.email, person.email)
    await refuses(later)
    await mail.readSubject(third, /was undone/)
  })

  it('200 for one of two simultaneous requests, and for the older of two links', async () => {
    const { harness, mail } = setup
    const person = await makePerson(harness)
    const second = await moveEmail(setup, person)
    await moveEmail(setup, person)
    const [first, later] = [
      await mail.readUndoTicket(person.email),
      await mail.readUndoTicket(second),
    ]
    const responses = await Promise.all([undo(first), undo(later), undo(first), undo(later)])
    assert.equal((await emailOf(person))?.email, person.email)
    const done = responses.filter(({ statusCode }) => statusCode === 200)
    assert(done.length >= 1 && done.length <= 2)
    await refuses(first)
    await refuses(later)
  })

  it('400 CODE_INVALID for a wrong ticket, a used one and an expired one', async () => {
    const { harness, mail } = setup
    const person = await makePerson(harness)
    await moveEmail(setup, person)
    const ticket = await mail.readUndoTicket(person.email)
    await refuses('x'.repeat(32))
    await harness.admin.query(
      `update directory.undo_links set expires_at = now() - interval '1 second'
       where service_user_id = $1`,
      [person.id],
    )
    await refuses(ticket)
    await harness.admin.query(
      `update directory.undo_links set expires_at = now() + interval '1 hour'
       where service_user_id = $1`,
      [person.id],
    )
    await succeed(ticket)
    await refuses(ticket)
  })

  it('400 PASSWORD_REFUSED without using up the link', async () => {
    const person = await makePerson(setup.harness)
    await moveEmail(setup, person)
    const ticket = await setup.mail.readUndoTicket(person.email)
    assertRefusal(await undo(ticket, 'short'), endpoint, 'PASSWORD_REFUSED')
    await succeed(ticket)
  })

  it('409 EMAIL_TAKEN while another account has the address, and the link works afterwards', async () => {
    const { harness, mail } = setup
    const [person, other] = [await makePerson(harness), await makePerson(harness)]
    const email = await moveEmail(setup, person)
    const ticket = await mail.readUndoTicket(person.email)
    await moveEmail(setup, other, person.email.toUpperCase())
    assertRefusal(await undo(ticket), endpoint, 'EMAIL_TAKEN')
    assert.equal((await emailOf(person))?.email, email)
    await logInAs(harness, email)
    await moveEmail(setup, other)
    await succeed(ticket)
  })

  it('400 INVALID_REQUEST for invalid fields', () =>
    refusals.refusesFields(
      setup,
      endpoint,
      () => ({ ticket: 'x'.repeat(32), password: NEW_PASSWORD }),
      [
        ['ticket', undefined],
        ['ticket', 'a b'],
        ['password', ''],
      ],
    ))
})
