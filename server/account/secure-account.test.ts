/** "This wasn't me": a link in the emails about an account ends everything that somebody else started. */
import * as endpoints from '@coffer/contract/account/account'
import { secureAccount as endpoint } from '@coffer/contract/account/safety'
import { debit } from '@coffer/contract/server/wallet'
import * as widgetApi from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { link } from '../identity/link.ts'
import {
  ask,
  logInAs,
  makePerson,
  openPersonSetupWithMail,
  type TestPerson,
} from '../test/account-setup.ts'
import { spawnService } from '../test/harness.ts'
import { assertRefusal, call } from '../test/setup.ts'
import { callPage, PASSWORD, SAME_ORIGIN } from '../test/sign-in.ts'

type Service = Awaited<ReturnType<typeof openPersonSetupWithMail>>
let setup: Service
before(async () => {
  setup = await openPersonSetupWithMail()
})
after(() => setup.close())

/** A linked person, and the ticket from the email about their first login. */
async function makeWarned() {
  const person = await makePerson(setup.harness, 50_00n)
  const ticket = await setup.mail.readWarningTicket(person.email)
  const serviceUserId = await link(setup.harness.context.db, setup.app.id, person.id)
  return { person: { ...person, serviceUserId }, ticket }
}

const secure = (ticket: string) => ask({ harness: setup.harness }, endpoint, { ticket })

async function succeeds(ticket: string) {
  const response = await secure(ticket)
  assert.equal(response.statusCode, 200, response.body)
  assert.equal(response.headers['set-cookie'], undefined)
}

async function isLoggedIn(cookie: string): Promise<boolean> {
  const response = await ask({ harness: setup.harness, person: { cookie } }, endpoints.readAccount)
  return response.statusCode === 200
}

const spend = (serviceUserId: string) =>
  call(setup, debit, {
    serviceUserId,
    amount: 1,
    referenceType: 'ORDER',
    referenceId: randomUUID(),
  })

describe('POST /api/account/secure', () => {
  it('200 ends all logins, links, widget sessions and started steps, and disables the password', async () => {
    const { harness, app, mail } = setup
    const { person, ticket } = await makeWarned()
    const { email, serviceUserId } = person
    const intruder = await logInAs(harness, email)
    const session = await call(setup, widgetApi.createSession, { serviceUserId })
    const { sessionToken } = session.json<{ sessionToken: string }>()
    await ask({ harness }, endpoints.forgotAccountPassword, { email })
    const reset = await mail.readTicket(email)
    assert.equal((await spend(serviceUserId)).statusCode, 200)

    await succeeds(ticket)
    assert.deepEqual([await isLoggedIn(person.cookie), await isLoggedIn(intruder)], [false, false])
    assert.equal((await spend(serviceUserId)).statusCode, 404)
    const wallet = await call(setup, widgetApi.readWidgetWallet, { session: sessionToken })
    assertRefusal(wallet, widgetApi.readWidgetWallet, 'SESSION_EXPIRED')
    const late = { ticket: reset, password: 'another harbour at dusk' }
    const response = await ask({ harness }, endpoints.resetAccountPassword, late)
    assertRefusal(response, endpoints.resetAccountPassword, 'CODE_INVALID')
    const fields = { email, password: PASSWORD }
    const { logInToAccount } = endpoints
    assertRefusal(await ask({ harness }, logInToAccount, fields), logInToAccount, 'LOGIN_FAILED')
    const inWidget = await callPage({ harness }, widgetApi.logIn, {
      clientId: app.clientId,
      ...fields,
    })
    assertRefusal(inWidget, widgetApi.logIn, 'LOGIN_FAILED')
    // The money stays, and the owner sets a new password by email.
    await ask({ harness }, endpoints.forgotAccountPassword, { email })
    const password = 'another harbour at dusk'
    const again = { ticket: await mail.readTicket(email), password }
    const entered = await ask({ harness }, endpoints.resetAccountPassword, again)
    assert.equal(entered.statusCode, 200, entered.body)
    const account = await ask(
      { harness, person: { cookie: await logInAs(harness, email, password) } },
      endpoints.readAccount,
    )
    const { balance, apps } = account.json<{ balance: number; apps: unknown[] }>()
    assert.deepEqual([balance, apps], [49, []])
  })

  it('200 takes effect in another process within a second', async () => {
    const { person, ticket } = await makeWarned()
    const other = await spawnService(setup.harness.databaseUrl, setup.mail.env)
    try {
      const readThere = async () => {
        const headers = { ...SAME_ORIGIN, cookie: person.cookie }
        return (await fetch(other.url + endpoints.readAccount.path, { headers })).status
      }
      const { clientId, clientSecret } = setup.app
      const spendThere = async () => {
        const response = await fetch(other.url + debit.path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            clientId,
            clientSecret,
            serviceUserId: person.serviceUserId,
            amount: 1,
            referenceType: 'ORDER',
            referenceId: randomUUID(),
          }),
        })
        return response.status
      }
      assert.deepEqual([await readThere(), await spendThere()], [200, 200])
      await succeeds(ticket)
      await sleep(1_000)
      assert.deepEqual([await readThere(), await spendThere()], [401, 404])
    } finally {
      await other.kill('SIGINT')
    }
  })

  it('200 lets no login or link that was started at the same moment survive', async () => {
    const { harness, app } = setup
    const { person, ticket } = await makeWarned()
    const { email } = person
    const logIn = () => ask({ harness }, endpoints.logInToAccount, { email, password: PASSWORD })
    const fields = { clientId: app.clientId, email, password: PASSWORD }
    const attempts = Array.from({ length: 4 }, () => [
      logIn(),
      callPage({ harness }, widgetApi.logIn, fields),
    ]).flat()
    await sleep(20)
    await succeeds(ticket)
    await Promise.all(attempts)
    const { rows } = await harness.admin.query(
      `select (select count(*)::int from directory.log_ins where service_user_id = $1) as log_ins,
        (select count(*)::int from directory.tickets where service_user_id = $1) as tickets,
        (select count(*)::int from directory.links where service_user_id = $1 and ended_at is null) as links`,
      [person.id],
    )
    assert.deepEqual(rows, [{ log_ins: 0, tickets: 0, links: 0 }])
  })

  it('400 CODE_INVALID for a used link, also concurrently', async () => {
    const { ticket } = await makeWarned()
    const responses = await Promise.all(Array.from({ length: 5 }, () => secure(ticket)))
    assert.equal(responses.filter(({ statusCode }) => statusCode === 200).length, 1)
    assertRefusal(await secure(ticket), endpoint, 'CODE_INVALID')
  })

  it('403 ORIGIN_NOT_ALLOWED for another site, and the link still works', async () => {
    const { ticket } = await makeWarned()
    const { harness } = setup
    const headers = { 'sec-fetch-site': 'cross-site' }
    assertRefusal(
      await ask({ harness }, endpoint, { ticket }, headers),
      endpoint,
      'ORIGIN_NOT_ALLOWED',
    )
    await succeeds(ticket)
  })
})

describe('the link "This wasn\'t me"', () => {
  const count = async ({ id }: Pick<TestPerson, 'id'>) => {
    const text = 'select from directory.warning_links where service_user_id = $1'
    return (await setup.harness.admin.query(text, [id])).rowCount
  }

  it('is in the emails about a new login, apps and the password', async () => {
    const { harness, mail, app } = setup
    const person = await makePerson(harness)
    const { email } = person
    const expects = async (subject: RegExp) => {
      const { text } = await mail.readSubject(email, subject)
      assert.match(text ?? '', /\/account#warning\?ticket=[\w-]{32}$/m)
    }
    await expects(/^New login/)
    const fields = { clientId: app.clientId, email, password: PASSWORD }
    const { ticket } = (await callPage(setup, widgetApi.logIn, fields)).json<{ ticket: string }>()
    await callPage(setup, widgetApi.agree, { ticket })
    await expects(/^An app was connected/)
    await ask({ harness, person }, endpoints.unlinkApp, { clientId: app.clientId })
    await expects(/^An app was disconnected/)
    await link(harness.context.db, app.id, person.id)
    await ask({ harness, person }, endpoints.unlinkAllApps)
    await expects(/^All apps were disconnected/)
    const newPassword = 'another harbour at dusk'
    await ask({ harness, person }, endpoints.changePassword, { password: PASSWORD, newPassword })
    await expects(/password .* was changed$/)
  })

  it('is not sent to an address that nobody verified', async () => {
    const { harness, mail } = setup
    const person = await makePerson(harness)
    const { email } = person
    await mail.readWarningTicket(email)
    const earlier = await count(person)
    await harness.admin.query(
      'update directory.people set email_verified_at = null where service_user_id = $1',
      [person.id],
    )
    await logInAs(harness, email)
    const { text } = await mail.readSubject(email, /^New login/)
    assert.doesNotMatch(text ?? '', /https?:/)
    assert.equal(await count(person), earlier)
  })
})
