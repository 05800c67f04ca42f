/** The same marks in what the widget sends: passwords, emails, codes, tickets, sessions. */
import { resetAccountPassword } from '@coffer/contract/account/account'
import type { Endpoint } from '@coffer/contract/endpoint'
import { UNHANDLED_ERROR } from '@coffer/contract/errors'
import { BODY_MAX_BYTES } from '@coffer/contract/limits'
import {
  readWidgetWallet,
  WIDGET_PAGE_ENDPOINTS as endpoints,
} from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, afterEach, before, describe, it } from 'node:test'
import { assertNoLeaks, MARK, MARKED_HEADERS } from '../test/canaries.ts'
import { makePerson, openSignIn, openSignInWithMail, SAME_ORIGIN, step } from '../test/sign-in.ts'
import { createProof } from '../test/factories.ts'
import { mintSession } from '../test/shop.ts'
import { callRaw, withCuttableDatabase, type Fields, type Setup } from '../test/setup.ts'

const HEADERS = { ...MARKED_HEADERS, ...SAME_ORIGIN }
const PASSWORD = `${MARK} and other words`

describe('canaries of the pages', () => {
  let service: Awaited<ReturnType<typeof openSignInWithMail>>
  /** Secrets that must not be logged, in addition to the marks. */
  const secrets: string[] = []
  before(async () => {
    service = await openSignInWithMail()
    secrets.push(service.user.serviceUserId, service.app.clientSecret)
  })
  after(() => service.close())

  /** Every test writes log lines, and none of them contains a secret. */
  afterEach(() => assertNoLeaks(service.harness, secrets))

  const inventEmail = () => `${MARK}-${randomBytes(6).toString('hex')}@example.com`
  const nameOf = () => ({ firstName: MARK, lastName: `${MARK} "x"` })

  async function post(endpoint: Endpoint, fields: Fields, setup: Setup = service) {
    return callRaw(setup, endpoint, JSON.stringify({ ...fields, [MARK]: MARK }), HEADERS)
  }

  async function succeed(endpoint: Endpoint, fields: Fields) {
    const response = await post(endpoint, fields)
    assert.equal(response.statusCode, 200, response.body)
    const body = response.json<Record<string, string>>()
    const { ticket, linkCode, serviceUserId } = body
    for (const each of [ticket, linkCode, serviceUserId]) if (each) secrets.push(each)
    return body
  }

  async function readCode(email: string): Promise<string> {
    const code = await service.mail.readCode(email)
    // A time can contain the same six digits by chance, but not in quotes or before the words of the email.
    secrets.push(`"${code}"`, `${code} is`)
    return code
  }

  it('every sign-in step logs no secrets when it succeeds', async () => {
    const { clientId } = service.app
    const [email, password] = [inventEmail(), PASSWORD]
    const signUp = await succeed(endpoints.signUp, { clientId, ...nameOf(), email, password })
    await succeed(endpoints.verifyEmail, { ticket: signUp.ticket, code: await readCode(email) })
    await succeed(endpoints.logIn, { clientId, email, password })
    await succeed(endpoints.forgotPassword, { clientId, email })
    const resetTicket = await service.mail.readTicket(email)
    secrets.push(resetTicket)
    await succeed(resetAccountPassword, { ticket: resetTicket, password: `${MARK} anew!` })
    const other = await makePerson(service, { email: inventEmail(), password })
    const { challenge } = createProof()
    const asked = { clientId, email: other.email, password, challenge }
    const consent = await succeed(endpoints.logIn, asked)
    const agreed = await succeed(endpoints.agree, { ticket: consent.ticket })
    assert(agreed.linkCode)
  })

  it('every sign-in step logs no secrets when it is refused', async () => {
    const { clientId } = service.app
    const [email, password, ticket] = [inventEmail(), PASSWORD, `${MARK}-ticket`]
    const tries: [Endpoint, Fields, number][] = [
      [endpoints.logIn, { clientId, email, password }, 401],
      [endpoints.agree, { ticket }, 401],
      [endpoints.verifyEmail, { ticket, code: '123456' }, 400],
      [resetAccountPassword, { ticket, password }, 400],
      [endpoints.signUp, { clientId, ...nameOf(), email, password: MARK }, 400],
    ]
    for (const [endpoint, fields, status] of tries) {
      assert.equal((await post(endpoint, fields)).statusCode, status)
    }
    for (let index = 0; index < 8; index++)
      await post(endpoints.logIn, { clientId, email, password })
  })

  for (const endpoint of Object.values<Endpoint>(endpoints)) {
    it(`${endpoint.method} ${endpoint.path} logs no secrets, whatever is invalid`, async () => {
      const values = [
        MARK,
        `${MARK}\u0000`,
        `${MARK}\n"${MARK}`,
        MARK.repeat(200),
        [MARK],
        { MARK },
      ]
      for (const name of Object.keys(endpoint.input.shape)) {
        for (const value of values) {
          const response = await post(endpoint, { [name]: value })
          // The mark has the format of a ticket, which is the only field of this endpoint.
          const isTicket = endpoint === endpoints.agree && value === MARK
          assert.equal(response.statusCode, isTicket ? 401 : 400, response.body)
        }
      }
      const broken = [`{"${MARK}":`, MARK, `{"__proto__":"${MARK}"}`, `["${MARK}"]`]
      for (const body of broken) {
        assert.equal((await callRaw(service, endpoint, body, HEADERS)).statusCode, 400)
      }
      const huge = MARK.repeat(BODY_MAX_BYTES)
      assert.equal((await callRaw(service, endpoint, huge, HEADERS)).statusCode, 413)
      const foreign = { ...MARKED_HEADERS, origin: `https://${MARK}.example` }
      assert.equal((await callRaw(service, endpoint, '{}', foreign)).statusCode, 403)
      const type = { ...HEADERS, 'content-type': `text/${MARK}` }
      assert.equal((await callRaw(service, endpoint, MARK, type)).statusCode, 415)
    })
  }

  it('a session in a URL is not logged', async () => {
    const session = await mintSession(service)
    secrets.push(session, session.slice(3))
    const query = `session=${session}&clientId=${MARK}&state=${MARK}&${MARK}=${MARK}`
    const urls: [string, number][] = [
      [`${readWidgetWallet.path}?${query}`, 200],
      [`${readWidgetWallet.path}?session=${MARK}`, 401],
      [`${readWidgetWallet.path}?session=${session}&session=${MARK}`, 400],
      [`/widget/wallet?${query}`, 200],
      [`/widget/wallet?session=${MARK}&clientId=${MARK}%00`, 200],
      [`/widget/nothing?${query}`, 404],
      [`/assets/${MARK}?${query}`, 404],
      [`/assets/%2e%2e/${session}?${query}`, 404],
    ]
    for (const [url, status] of urls) {
      const response = await service.harness.inject({ method: 'GET', url, headers: HEADERS })
      assert.equal(response.statusCode, status, url)
    }
  })

  it('an email that could not be sent is logged without its address', async () => {
    const lost = await openSignInWithMail({ SMTP_URL: `smtp://${MARK}:${MARK}@127.0.0.1:1` })
    const email = inventEmail()
    await makePerson(lost, { email })
    const { clientId } = lost.app
    await step(lost, endpoints.forgotPassword, { clientId, email })
    await lost.harness.context.mailer?.close()
    assert.match(lost.harness.logLines.join(''), /could not send an email/)
    await assertNoLeaks(lost.harness, [email])
    await lost.close()
    await service.harness.inject({ method: 'GET', url: '/livez' })
  })

  it('a database error that quotes the whole row is logged without the row', async () => {
    const { admin } = service.harness
    const { clientId } = service.app
    await admin.query(
      `alter table directory.tickets add constraint fail
       check (position('${MARK.slice(0, 3)}' in email) = 0) not valid`,
    )
    const fields = { clientId, ...nameOf(), email: inventEmail(), password: PASSWORD }
    for (const endpoint of [endpoints.signUp, endpoints.forgotPassword]) {
      const response = await post(endpoint, fields)
      assert.deepEqual(
        [response.statusCode, response.json()],
        [500, { error: UNHANDLED_ERROR.text, code: 'INTERNAL_ERROR' }],
      )
    }
    await admin.query('alter table directory.tickets drop constraint fail')
    assert(service.harness.logLines.some((line) => line.includes('"level":"error"')))
  })

  it('an email address that is already registered is not logged', async () => {
    const plain = await openSignIn()
    const { email } = await makePerson(plain, { email: inventEmail() })
    const fields = { clientId: plain.app.clientId, ...nameOf(), email, password: PASSWORD }
    assert.equal((await post(endpoints.signUp, fields, plain)).statusCode, 409)
    await assertNoLeaks(plain.harness, [email])
    await plain.harness.end()
    await service.harness.inject({ method: 'GET', url: '/livez' })
  })

  it('a lost database connection is logged without secrets', () =>
    withCuttableDatabase(async (cuttable, _admin, cut) => {
      const { clientId } = cuttable.app
      await cut()
      const fields = { clientId, ...nameOf(), email: inventEmail(), password: PASSWORD }
      for (const endpoint of [endpoints.signUp, endpoints.logIn, endpoints.forgotPassword]) {
        assert.equal((await post(endpoint, fields, cuttable)).statusCode, 503)
      }
      await assertNoLeaks(cuttable.harness, [fields.email])
      await service.harness.inject({ method: 'GET', url: '/livez' })
    }))
})
