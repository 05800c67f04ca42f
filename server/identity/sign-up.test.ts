import { exchangeLinkCode, readWallet } from '@coffer/contract/server/wallet'
import { signUp as endpoint, logIn, verifyEmail } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { activateClientApp } from '../client-app/activate-client-app.ts'
import {
  assertRateLimited,
  callPage,
  dumpDirectory,
  inventEmail,
  makePerson,
  newcomer,
  openSignIn,
  openSignInWithMail,
  step,
} from '../test/sign-in.ts'
import { createProof, makeClientApp } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, call, type Setup } from '../test/setup.ts'

describe('POST /api/widget/auth/sign-up', () => {
  let setup: Setup
  before(async () => {
    setup = await openSignIn()
  })
  after(() => setup.harness.end())

  async function findPeople(email: string, { harness }: Setup = setup) {
    const { rows } = await harness.admin.query(
      `select first_name, last_name, email, password_hash, email_verified_at from directory.people
       where lower(email) = lower($1)`,
      [email],
    )
    return rows
  }

  it('200 without a mail server creates account, wallet and link immediately', async () => {
    const { verifier, challenge } = createProof()
    const fields = newcomer(setup)
    const linked = await step(setup, endpoint, { ...fields, challenge })
    assert.deepEqual(Object.keys(linked), ['step', 'serviceUserId', 'linkCode'])
    assert.equal(linked.step, 'linked')
    const { serviceUserId, linkCode } = linked
    const exchanged = await call(setup, exchangeLinkCode, { linkCode, verifier })
    assert.deepEqual(exchanged.json(), { serviceUserId })
    const wallet = await call(setup, readWallet, { serviceUserId })
    assert.equal(wallet.json().balance, 0)
    const [person] = await findPeople(fields.email)
    assert.deepEqual([person?.first_name, person?.last_name], ['Grace', 'Newcomer'])
    assert.match(String(person?.password_hash), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal(person?.email_verified_at, null)
  })

  it('200 creates one account for concurrent requests with one email', async () => {
    const { email } = newcomer(setup)
    const variants = [email, email.toUpperCase(), email, email, email, email]
    const responses = await Promise.all(
      variants.map((each) => callPage(setup, endpoint, { ...newcomer(setup), email: each })),
    )
    const refused = responses.filter(({ statusCode }) => statusCode !== 200)
    assert.equal(refused.length, variants.length - 1)
    for (const response of refused) assertRefusal(response, endpoint, 'EMAIL_TAKEN')
    assert.equal((await findPeople(email)).length, 1)
  })

  it('200 accepts any Unicode in names and passwords, counted in characters', async () => {
    const odd = {
      firstName: '李',
      lastName: 'O’Neill–Müller',
      password: '🔑'.repeat(3) + 'žluťoučký',
    }
    const fields = { ...newcomer(setup), ...odd }
    await step(setup, endpoint, fields)
    assert.equal((await step(setup, logIn, fields)).step, 'linked')
  })

  it('400 PASSWORD_REFUSED for a password that is short, common, repetitive, or the email itself', async () => {
    const email = 'margarete.example@example.com'
    const weak = [
      'elevenchars',
      '🔑'.repeat(11),
      // Twelve characters as typed, eleven after normalization.
      'e\u0301elevenchar',
      'password1234',
      'PassWord1234!!!',
      'Coffer 2026 !!',
      'qwertyuiop12',
      'abcabcabcabc',
      '            ',
      'my margarete.example pass',
      'MARGARETE.EXAMPLE-2026',
    ]
    for (const password of weak) {
      const response = await callPage(setup, endpoint, { ...newcomer(setup), email, password })
      assertRefusal(response, endpoint, 'PASSWORD_REFUSED')
    }
    const own = { ...newcomer(setup), email: 'anna@example.com', password: 'anna likes coffee' }
    assertRefusal(await callPage(setup, endpoint, own), endpoint, 'PASSWORD_REFUSED')
    assert.deepEqual(await findPeople(email), [])
    await step(setup, endpoint, { ...newcomer(setup), email, password: 'twelve chars' })
  })

  it('400 PASSWORD_REFUSED below the configured length', async () => {
    const strict = await openSignIn({ PASSWORD_MIN: '20' })
    try {
      const short = { ...newcomer(strict), password: 'nineteen characters' }
      assertRefusal(await callPage(strict, endpoint, short), endpoint, 'PASSWORD_REFUSED')
      await step(strict, endpoint, { ...short, password: 'twenty characters ok' })
    } finally {
      await strict.harness.end()
    }
  })

  it('400 INVALID_REQUEST for invalid fields', () =>
    refusals.refusesValues(setup, endpoint, newcomer, {
      clientId: ['', 'app_', 'x'.repeat(28)],
      firstName: ['', ' ', 'x'.repeat(81), 'a\nb'],
      lastName: ['', '\u00a0', 'x'.repeat(81)],
      email: [
        '',
        'a',
        'a@b',
        '@b.c',
        'a@b..c',
        'a b@c.d',
        'a@b.c\r\nBcc: d@e.f',
        `${'x'.repeat(251)}@b.c`,
      ],
      password: ['', 'x'.repeat(129), 'a sound\npassphrase'],
    }))

  it('400 INVALID_REQUEST for an unknown or inactive app', async () => {
    const { context } = setup.harness
    const { clientId } = await makeClientApp(context)
    await activateClientApp(context.db, clientId, false)
    for (const id of [clientId, `app_${'0'.repeat(24)}`]) {
      const response = await callPage(setup, endpoint, { ...newcomer(setup), clientId: id })
      assertRefusal(response, endpoint, 'INVALID_REQUEST', 'clientId')
    }
  })

  it('409 EMAIL_TAKEN without a mail server, for every spelling of the email', async () => {
    const { email } = await makePerson(setup)
    const earlier = await findPeople(email)
    for (const each of [email, email.toUpperCase()]) {
      const response = await callPage(setup, endpoint, { ...newcomer(setup), email: each })
      assertRefusal(response, endpoint, 'EMAIL_TAKEN')
    }
    assert.deepEqual(await findPeople(email), earlier)
  })

  it('429 RATE_LIMITED above five an hour from one address, and from no other', async () => {
    const limited = await openSignIn({ SIGN_UPS_PER_HOUR: '5' })
    try {
      for (let index = 0; index < 5; index++) {
        const weak = { ...newcomer(limited), password: 'weak' }
        assertRefusal(await callPage(limited, endpoint, weak), endpoint, 'PASSWORD_REFUSED')
        await step(limited, endpoint, newcomer(limited))
      }
      const earlier = await dumpDirectory(limited)
      assertRateLimited(await callPage(limited, endpoint, newcomer(limited)), 1, 3600)
      assert.equal(await dumpDirectory(limited), earlier)
      const other = await callPage(limited, endpoint, newcomer(limited), '203.0.113.2')
      assert.equal(other.statusCode, 200)
    } finally {
      await limited.harness.end()
    }
  })

  it('429 RATE_LIMITED when too many passwords wait to be hashed, and no other error', async () => {
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => callPage(setup, endpoint, newcomer(setup))),
    )
    const refused = responses.filter(({ statusCode }) => statusCode !== 200)
    assert(refused.length > 0 && refused.length < 40, `${refused.length} of 40 were refused`)
    for (const response of refused) assertRefusal(response, endpoint, 'RATE_LIMITED')
  })

  describe('with a mail server', () => {
    let service: Awaited<ReturnType<typeof openSignInWithMail>>
    before(async () => {
      service = await openSignInWithMail()
    })
    after(() => service.close())

    it('200 creates nothing until the code from the email is entered', async () => {
      const fields = newcomer(service)
      const result = await step(service, endpoint, fields)
      assert.deepEqual(Object.keys(result), ['step', 'ticket'])
      assert.equal(result.step, 'verify')
      assert.deepEqual(await findPeople(fields.email, service), [])
      const code = await service.mail.readCode(fields.email)
      const linked = await step(service, verifyEmail, { ticket: result.ticket, code })
      assert.equal(linked.step, 'linked')
      const [person] = await findPeople(fields.email, service)
      assert(person?.email_verified_at instanceof Date)
    })

    it('200 reports a taken email only to its owner', async () => {
      const { email } = await makePerson(service)
      const free = await callPage(service, endpoint, newcomer(service))
      const taken = await callPage(service, endpoint, {
        ...newcomer(service),
        email: email.toUpperCase(),
      })
      const shapeOf = ({ statusCode, headers, body }: typeof free) => {
        const { date: _date, 'x-request-id': _id, ...others } = headers
        return { statusCode, headers: others, body: body.replace(/"[\w-]{32}"/, '"ticket"') }
      }
      assert.deepEqual(shapeOf(taken), shapeOf(free))
      const mail = await service.mail.read(email)
      assert.equal(mail.subject, 'You already have a wallet account')
      assert.match(mail.text ?? '', /You already have an account/)
      assert.doesNotMatch(`${mail.subject} ${mail.text}`, /\d{6}/)
      assert.equal(service.mail.count(email), 0)
    })

    it('200 creates one account for two concurrent requests with one email', async () => {
      const email = inventEmail()
      const both = [newcomer(service), newcomer(service)].map((each) => ({ ...each, email }))
      const results = await Promise.all(both.map((each) => step(service, endpoint, each)))
      const codes = [await service.mail.readCode(email), await service.mail.readCode(email)]
      const pairs = results.flatMap(({ ticket }) => codes.map((code) => ({ ticket, code })))
      const responses = await Promise.all(pairs.map((each) => callPage(service, verifyEmail, each)))
      assert.equal(responses.filter(({ statusCode }) => statusCode === 200).length, 1)
      for (const response of responses) {
        if (response.statusCode !== 200) assertRefusal(response, verifyEmail, 'CODE_INVALID')
      }
      assert.equal((await findPeople(email, service)).length, 1)
    })
  })
})
