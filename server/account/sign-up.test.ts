import { readAccount } from '@coffer/contract/account/account'
import { signUpAtAccount as endpoint, verifySignUp } from '@coffer/contract/account/sign-up'
import { signUp, verifyEmail } from '@coffer/contract/widget/widget'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ask } from '../test/account-setup.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal } from '../test/setup.ts'
import {
  assertRateLimited,
  callPage,
  dumpDirectory,
  inventEmail,
  makePerson,
  newAccount,
  newcomer,
  openSignIn,
  openSignInWithMail,
  step,
} from '../test/sign-in.ts'
import { assertStarted, LOG_IN_KINDS } from '../test/tables/log-in-kinds.ts'

const [PERSON] = LOG_IN_KINDS

/** The Cookie header of the login that the response starts. */
function cookieOf(response: LightMyRequestResponse): string {
  assert(PERSON !== undefined)
  return assertStarted(PERSON, response)
}

type Service = Awaited<ReturnType<typeof openSignIn>>

async function findPeople({ harness }: Pick<Service, 'harness'>, email: string) {
  const { rows } = await harness.admin.query<{ is_verified: boolean; links: number }>(
    `select email_verified_at is not null as is_verified,
       (select count(*)::int from directory.links l where l.service_user_id = p.service_user_id) as links
     from directory.people p where lower(email) = lower($1)`,
    [email],
  )
  return rows
}

async function readOwn({ harness }: Pick<Service, 'harness'>, cookie: string) {
  const response = await ask({ harness, person: { cookie } }, readAccount)
  assert.equal(response.statusCode, 200, response.body)
  return response.json<{ email: string; balance: number; apps: unknown[] }>()
}

describe('POST /api/account/sign-up', () => {
  let setup: Service
  before(async () => {
    setup = await openSignIn()
  })
  after(() => setup.harness.end())

  it('200 creates the account with a wallet and no link, and logs the person in', async () => {
    const fields = newAccount()
    const response = await callPage(setup, endpoint, fields)
    assert.deepEqual(response.json(), {})
    const account = await readOwn(setup, cookieOf(response))
    assert.deepEqual([account.email, account.balance, account.apps], [fields.email, 0, []])
    assert.deepEqual(await findPeople(setup, fields.email), [{ is_verified: false, links: 0 }])
  })

  it('400 PASSWORD_REFUSED by the rules of the widget, before it counts', async () => {
    for (const password of ['elevenchars', 'password1234', 'abcabcabcabc']) {
      const response = await callPage(setup, endpoint, { ...newAccount(), password })
      assertRefusal(response, endpoint, 'PASSWORD_REFUSED')
    }
    const own = { ...newAccount(), email: 'anna@example.com', password: 'anna likes coffee' }
    assertRefusal(await callPage(setup, endpoint, own), endpoint, 'PASSWORD_REFUSED')
  })

  it('400 INVALID_REQUEST for invalid fields', () =>
    refusals.refusesValues(setup, endpoint, newAccount, {
      firstName: ['', ' ', 'x'.repeat(81), 'a\nb'],
      lastName: ['', '\u00a0', 'x'.repeat(81)],
      email: ['', 'a', 'a@b', 'a b@c.d', 'a@b.c\r\nBcc: d@e.f'],
      password: ['', 'x'.repeat(129)],
    }))

  it('403 ORIGIN_NOT_ALLOWED for a page of another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    const response = await ask({ harness: setup.harness }, endpoint, newAccount(), headers)
    assertRefusal(response, endpoint, 'ORIGIN_NOT_ALLOWED')
  })

  it('409 EMAIL_TAKEN without a mail server, for every spelling of the email', async () => {
    const { email } = await makePerson(setup)
    for (const each of [email, email.toUpperCase()]) {
      const response = await callPage(setup, endpoint, { ...newAccount(), email: each })
      assertRefusal(response, endpoint, 'EMAIL_TAKEN')
    }
  })

  it('429 RATE_LIMITED together with the sign-ups in the widget', async () => {
    const limited = await openSignIn({ SIGN_UPS_PER_HOUR: '4' })
    try {
      for (let index = 0; index < 2; index++) {
        await step(limited, signUp, newcomer(limited))
        cookieOf(await callPage(limited, endpoint, newAccount()))
      }
      const earlier = await dumpDirectory(limited)
      assertRateLimited(await callPage(limited, endpoint, newAccount()), 1, 3600)
      assertRateLimited(await callPage(limited, signUp, newcomer(limited)), 1, 3600)
      assert.equal(await dumpDirectory(limited), earlier)
    } finally {
      await limited.harness.end()
    }
  })
})

describe('POST /api/account/sign-up/verify', () => {
  let service: Awaited<ReturnType<typeof openSignInWithMail>>
  before(async () => {
    service = await openSignInWithMail()
  })
  after(() => service.close())

  async function begin(email = inventEmail()) {
    const fields = { ...newAccount(), email }
    const response = await callPage(service, endpoint, fields)
    assert.equal(response.statusCode, 200, response.body)
    assert.equal(response.headers['set-cookie'], undefined)
    return { fields, ...response.json<{ ticket: string }>() }
  }

  it('200 sends a code, which creates the verified account and logs the person in', async () => {
    const { fields, ticket } = await begin()
    assert.deepEqual(await findPeople(service, fields.email), [])
    const code = await service.mail.readCode(fields.email)
    const response = await callPage(service, verifySignUp, { ticket, code })
    assert.deepEqual(response.json(), {})
    assert.equal((await readOwn(service, cookieOf(response))).email, fields.email)
    assert.deepEqual(await findPeople(service, fields.email), [{ is_verified: true, links: 0 }])
    assert.equal(service.mail.count(fields.email), 0)
  })

  it('200 with the same response for an email that has an account; only its owner learns it', async () => {
    const { email } = await makePerson(service)
    const [free, taken] = [await begin(), await begin(email)]
    assert.deepEqual(Object.keys(taken), Object.keys(free))
    assert.equal(taken.ticket.length, free.ticket.length)
    await service.mail.readSubject(email, /^You already have a wallet account$/)
    const guess = await callPage(service, verifySignUp, { ticket: taken.ticket, code: '000000' })
    assertRefusal(guess, verifySignUp, 'CODE_INVALID')
    const code = await service.mail.readCode(free.fields.email)
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const other = await callPage(service, verifySignUp, { ticket: free.ticket, code: wrong })
    assertRefusal(other, verifySignUp, 'CODE_INVALID')
  })

  it('400 CODE_INVALID for a sign-up of the widget, and there for one of /account', async () => {
    const inWidget = newcomer(service)
    const { ticket } = await step(service, signUp, inWidget)
    const code = await service.mail.readCode(inWidget.email)
    const here = await callPage(service, verifySignUp, { ticket, code })
    assertRefusal(here, verifySignUp, 'CODE_INVALID')
    const begun = await begin()
    const fields = { ticket: begun.ticket, code: await service.mail.readCode(begun.fields.email) }
    assertRefusal(await callPage(service, verifyEmail, fields), verifyEmail, 'CODE_INVALID')
    assert.deepEqual(await findPeople(service, inWidget.email), [])
    assert.deepEqual(await findPeople(service, begun.fields.email), [])
  })
})
