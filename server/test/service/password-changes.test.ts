/** Every way to change a password ends everything that was started with the old one. A new way needs a row. */
import * as accountApi from '@coffer/contract/account/account'
import * as signIn from '@coffer/contract/admin/sign-in'
import * as serverApi from '@coffer/contract/server/wallet'
import * as widgetApi from '@coffer/contract/widget/widget'
import * as account from '../account-setup.ts'
import * as admin from '../admin-setup.ts'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { link } from '../../identity/link.ts'
import { ask, cookieOf, logInAs } from '../account-setup.ts'
import { type AdminSetup, askAs, auditOf } from '../admin-setup.ts'
import { createProof, makeClientApp } from '../factories.ts'
import {
  type Current,
  forget,
  NEW_PASSWORD,
  OPERATOR_ROWS,
  PERSON_ROWS,
  type PersonalSetup,
} from '../tables/password-change-rows.ts'
import { assertRefusal, call } from '../setup.ts'
import { mintSession } from '../shop.ts'
import { callPage, inventEmail, newcomer, PASSWORD, step } from '../sign-in.ts'

type Person = account.TestPerson

/** Leaves no password that a row could log in with; secure-account.test.ts checks what it ends. */
const DISABLES = 'server/account/secure-account.ts'

describe('the table of password changes', () => {
  const sources = globSync('server/**/*.ts')
    .filter((file) => !/\.test\.ts$|^server\/test\//.test(file))
    .map((file) => ({ file, source: readFileSync(file, 'utf8') }))

  it('has every file that writes a password or ends all logins of an operator', () => {
    const writers = sources.flatMap(({ source }) =>
      source
        .split(/^export function /m)
        .slice(1)
        .filter((text) =>
          /set password_hash|delete from admin\.log_ins where operator_id = \$1'/.test(text),
        )
        .map((text) => /^\w+/.exec(text)?.[0] ?? ''),
    )
    const expected = ['deleteLogInsOf', 'disablePassword', 'setOwnPassword', 'setPassword']
    assert.deepEqual(writers.toSorted(), expected)
    const calls = new RegExp(`run\\(\\w+, (${writers.join('|')})\\(`)
    const files = sources.filter(({ source }) => calls.test(source)).map(({ file }) => file)
    const rows = new Set([...PERSON_ROWS, ...OPERATOR_ROWS].map(({ file }) => file))
    assert.deepEqual(files.toSorted(), [...rows, DISABLES].toSorted())
  })
})

describe('a new password of a user', () => {
  let setup: PersonalSetup & { close: () => Promise<void> }
  before(async () => {
    setup = await account.openPersonSetupWithMail({ SIGN_UPS_PER_HOUR: '100000' })
  })
  after(() => setup.close())

  /** Everything that someone who knows the old password or reads old emails can have started. */
  async function startAll(person: Person) {
    const { harness, mail, app } = setup
    const fields = { email: person.email, password: PASSWORD }
    const linked = await makeClientApp(harness.context)
    const serviceUserId = await link(harness.context.db, linked.id, person.id)
    const session = await mintSession({ harness, app: linked, user: { ...person, serviceUserId } })
    const { ticket: consent } = await step(setup, widgetApi.logIn, {
      clientId: app.clientId,
      ...fields,
    })
    const { verifier, challenge } = createProof()
    const { linkCode } = await step(setup, widgetApi.logIn, {
      clientId: linked.clientId,
      challenge,
      ...fields,
    })
    const code = { linkCode, verifier }
    const reset = await forget(setup, person)
    const newEmail = inventEmail()
    const change = { email: newEmail, password: PASSWORD }
    const changed = await ask({ harness, person }, accountApi.changeEmail, change)
    const { ticket } = changed.json<{ ticket: string }>()
    const elsewhere = await logInAs(harness, person.email)
    const emailCode = { ticket, code: await mail.readCode(newEmail) }
    return { consent, code, linked, session, reset, emailCode, elsewhere }
  }

  const read = (cookie: string) =>
    ask({ harness: setup.harness, person: { cookie } }, accountApi.readAccount)

  const readSession = (session: string) =>
    setup.harness.inject({ method: 'GET', url: `/api/widget/wallet?session=${session}` })

  async function assertOut(cookie: string) {
    assertRefusal(await read(cookie), accountApi.readAccount, 'LOGIN_REQUIRED')
  }

  /** Returns the cookie of a browser that is logged in afterwards. */
  async function assertCurrent(
    current: Current,
    { cookie, email }: Person,
    response: LightMyRequestResponse,
  ): Promise<string> {
    assert.equal(response.headers['set-cookie'] !== undefined, current !== 'kept')
    const next = current === 'renewed' ? cookieOf(response) : cookie
    if (current !== 'kept') await assertOut(cookie)
    if (current === 'ended') return logInAs(setup.harness, email, NEW_PASSWORD)
    const { logIns } = (await read(next)).json<{ logIns: unknown[] }>()
    assert.equal(logIns.length, 1)
    return next
  }

  for (const { title, current, change, notice } of PERSON_ROWS) {
    it(`${title} ends everything that was started with the old one; the login of this browser is ${current}`, async () => {
      const { harness, mail } = setup
      const person = await account.makePerson(harness)
      const stranger = await account.makePerson(harness)
      const { consent, code, linked, session, reset, emailCode, elsewhere } = await startAll(person)
      const response = await change(setup, person)
      assert.equal(response.statusCode, 200, response.body)
      await assertOut(elsewhere)
      const cookie = await assertCurrent(current, person, response)
      const { agree } = widgetApi
      const { resetAccountPassword, verifyNewEmail } = accountApi
      const agreed = await callPage(setup, agree, { ticket: consent })
      assertRefusal(agreed, agree, 'LOGIN_REQUIRED')
      const { exchangeLinkCode } = serverApi
      const exchanged = await call({ harness, app: linked }, exchangeLinkCode, code)
      assertRefusal(exchanged, exchangeLinkCode, 'LINK_CODE_INVALID')
      assertRefusal(await readSession(session), widgetApi.readWidgetWallet, 'SESSION_EXPIRED')
      const again = await callPage(setup, resetAccountPassword, reset)
      assertRefusal(again, resetAccountPassword, 'CODE_INVALID')
      const verified = await ask({ harness, person: { cookie } }, verifyNewEmail, emailCode)
      assertRefusal(verified, verifyNewEmail, 'CODE_INVALID')
      if (notice) await mail.readSubject(person.email, notice)
      assert.equal((await read(stranger.cookie)).statusCode, 200)
    })

    it(`${title} ends nothing of other users`, async () => {
      const { harness } = setup
      const person = await account.makePerson(harness)
      const stranger = await account.makePerson(harness)
      const started = await startAll(stranger)
      const { consent, linked, session, emailCode, elsewhere } = started
      const fields = newcomer(setup)
      const { ticket } = await step(setup, widgetApi.signUp, fields)
      const code = await setup.mail.readCode(fields.email)
      assert.equal((await change(setup, person)).statusCode, 200)
      assert.equal((await read(elsewhere)).statusCode, 200)
      assert.equal((await step(setup, widgetApi.agree, { ticket: consent })).step, 'linked')
      const { exchangeLinkCode } = serverApi
      const exchanged = await call({ harness, app: linked }, exchangeLinkCode, started.code)
      assert.equal(exchanged.statusCode, 200, exchanged.body)
      assert.equal((await readSession(session)).statusCode, 200)
      const signedIn = { harness, person: stranger }
      const verified = await ask(signedIn, accountApi.verifyNewEmail, emailCode)
      assert.equal(verified.statusCode, 200, verified.body)
      assert.equal((await step(setup, widgetApi.verifyEmail, { ticket, code })).step, 'linked')
    })

    it(`${title} invalidates the old password, and the new one works`, async () => {
      const { harness } = setup
      const person = await account.makePerson(harness)
      const stranger = await account.makePerson(harness)
      assert.equal((await change(setup, person)).statusCode, 200)
      const old = { email: person.email, password: PASSWORD }
      const { logInToAccount } = accountApi
      assertRefusal(await ask({ harness }, logInToAccount, old), logInToAccount, 'LOGIN_FAILED')
      await logInAs(harness, person.email, NEW_PASSWORD)
      await logInAs(harness, stranger.email, PASSWORD)
    })
  }
})

describe('a new password of an operator', () => {
  let setup: AdminSetup
  before(async () => {
    setup = await admin.openAdminSetup()
  })
  after(() => setup.harness.end())

  /** An operator, and a second authenticator that was offered before the first one was set up. */
  async function makeOperator() {
    const { harness } = setup
    const made = await admin.makeNewOperator(harness, 'operator')
    const unused = await admin.beginEnrolling(harness, made)
    const { ticket, totp } = await admin.beginEnrolling(harness, made)
    const fields = { ticket, code: totp.generate() }
    const response = await ask({ harness }, signIn.finishAdminLogIn, fields)
    const operator = { ...made, totp, recoveryCodes: [], cookie: cookieOf(response) }
    return { operator, unused }
  }

  const finish = (ticket: string, code: string) =>
    ask({ harness: setup.harness }, signIn.finishAdminLogIn, { ticket, code })

  for (const { title, current, password, change, audit } of OPERATOR_ROWS) {
    it(`${title} ends everything that was started with the old one; the operator's own login is ${current}`, async () => {
      const { harness } = setup
      const { operator, unused } = await makeOperator()
      const elsewhere = await admin.logInAgain(setup, operator)
      const ticket = await admin.beginLogIn(harness, operator)
      const code = await admin.freshCode(harness, operator)
      const response = await change(setup, operator)
      assert.equal(response.statusCode, 200, response.body)
      assert.equal(response.headers['set-cookie'], undefined)
      const { readOperator, finishAdminLogIn } = signIn
      const isIn = async (who: { cookie: string }) =>
        (await askAs(setup, who, readOperator)).statusCode === 200
      assert.deepEqual([await isIn(elsewhere), await isIn(operator)], [false, current === 'kept'])
      assert.equal(await isIn(setup.viewer), true)
      assertRefusal(await finish(ticket, code), finishAdminLogIn, 'CODE_INVALID')
      const offered = await finish(unused.ticket, unused.totp.generate())
      assertRefusal(offered, finishAdminLogIn, 'CODE_INVALID')
      const { email } = operator
      const right = password === 'new' ? NEW_PASSWORD : operator.password
      const wrong = password === 'new' ? operator.password : NEW_PASSWORD
      const { logInToAdmin } = signIn
      const logIn = (each: string) => ask({ harness }, logInToAdmin, { email, password: each })
      assert.equal((await logIn(right)).statusCode, 200)
      assertRefusal(await logIn(wrong), logInToAdmin, 'LOGIN_FAILED')
      const [entry, failed] = (await auditOf(setup, email)).slice(-2)
      assert.equal(failed?.action, 'operator.log_in_failed')
      assert.deepEqual({ action: entry?.action, after: entry?.after }, audit)
    })
  }
})
