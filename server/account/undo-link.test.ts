/** Who gets an undo link, and what cannot outlive an undo. */
import * as endpoints from '@coffer/contract/account/account'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  ask,
  makePerson,
  moveEmail,
  openPersonSetup,
  openPersonSetupWithMail,
  type TestPerson,
} from '../test/account-setup.ts'
import { assertRefusal } from '../test/setup.ts'
import { inventEmail, PASSWORD } from '../test/sign-in.ts'

let setup: Awaited<ReturnType<typeof openPersonSetupWithMail>>
before(async () => {
  setup = await openPersonSetupWithMail()
})
after(() => setup.close())

async function emailOf({ id }: Pick<TestPerson, 'id'>) {
  const { rows } = await setup.harness.admin.query<{ email: string }>(
    'select email from directory.people where service_user_id = $1',
    [id],
  )
  return rows[0]
}

describe('a change of the email address', () => {
  const noticeTo = async (email: string) =>
    (await setup.mail.readSubject(email, /was changed/)).text ?? ''

  it('sends no undo link to an address that nobody verified: it may be a stranger', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    await harness.admin.query(
      'update directory.people set email_verified_at = null where service_user_id = $1',
      [person.id],
    )
    await moveEmail(setup, person)
    const notice = await noticeTo(person.email)
    assert.doesNotMatch(notice, /undo|ticket|http/)
    assert.match(notice, /contact support/)
  })

  it('stores no undo link if no mail server is configured', async () => {
    const mute = await openPersonSetup()
    const fields = { email: inventEmail(), password: PASSWORD }
    assert.equal((await ask(mute, endpoints.changeEmail, fields)).statusCode, 200)
    const { rowCount } = await mute.harness.admin.query('select from directory.undo_links')
    assert.equal(rowCount, 0)
    await mute.harness.end()
  })

  it('401 LOGIN_REQUIRED if an undo or a reset ends the login while the code is being checked', async () => {
    const { harness, mail } = setup
    const { verifyNewEmail } = endpoints
    const person = await makePerson(harness)
    const email = inventEmail()
    const begun = await ask({ harness, person }, endpoints.changeEmail, {
      email,
      password: PASSWORD,
    })
    const fields = { ...begun.json<{ ticket: string }>(), code: await mail.readCode(email) }
    // Like the undo: it locks the person first, and ends all logins.
    await harness.admin.query('begin')
    await harness.admin.query(
      'select from directory.people where service_user_id = $1 for update',
      [person.id],
    )
    const response = ask({ harness, person }, verifyNewEmail, fields)
    await untilWaiting()
    await harness.admin.query('delete from directory.log_ins where service_user_id = $1', [
      person.id,
    ])
    await harness.admin.query('commit')
    assertRefusal(await response, verifyNewEmail, 'LOGIN_REQUIRED')
    assert.equal((await emailOf(person))?.email, person.email)
  })

  async function untilWaiting() {
    for (;;) {
      const { rowCount } = await setup.harness.admin.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      if (rowCount !== 0) return
    }
  }
})
