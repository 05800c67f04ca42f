/** The same marks in what the widget and its door are told: passwords, e-mails, codes, tickets, sessions. */
import type { Endpoint } from '@coffer/contract/endpoint'
import { UNFORESEEN_TEXT } from '@coffer/contract/errors'
import { BODY_MAX_BYTES } from '@coffer/contract/limits'
import { readWidgetWallet, WIDGET_PAGE_ENDPOINTS as endpoints } from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, afterEach, before, describe, it } from 'node:test'
import { assertSilence, MARK, MARKED_HEADERS } from '../test/canaries.ts'
import { makePerson, openDoor, openDoorWithMail, SAME_ORIGIN, step } from '../test/sign-in.ts'
import { mintSession } from '../test/shop.ts'
import { callRaw, onFragileStage, type Fields, type Stage } from '../test/setup.ts'

const HEADERS = { ...MARKED_HEADERS, ...SAME_ORIGIN }
const PASSWORD = `${MARK} and other words`

describe('canaries of the pages', () => {
  let door: Awaited<ReturnType<typeof openDoorWithMail>>
  /** What must not be found, beside the marks. */
  const secrets: string[] = []
  before(async () => {
    door = await openDoorWithMail()
    secrets.push(door.user.serviceUserId, door.app.clientSecret)
  })
  after(() => door.close())

  /** Every test leaves lines behind, and nothing of anybody in them. */
  afterEach(() => assertSilence(door.harness, secrets))

  const inventEmail = () => `${MARK}-${randomBytes(6).toString('hex')}@example.com`
  const nameOf = () => ({ firstName: MARK, lastName: `${MARK} "x"` })

  async function post(endpoint: Endpoint, fields: Fields, there: Stage = door) {
    return callRaw(there, endpoint, JSON.stringify({ ...fields, [MARK]: MARK }), HEADERS)
  }

  async function succeed(endpoint: Endpoint, fields: Fields) {
    const response = await post(endpoint, fields)
    assert.equal(response.statusCode, 200, response.body)
    const answer = response.json<Record<string, string>>()
    const { ticket, linkCode, serviceUserId } = answer
    for (const each of [ticket, linkCode, serviceUserId]) if (each) secrets.push(each)
    return answer
  }

  async function readCode(email: string): Promise<string> {
    const code = await door.mail.readCode(email)
    // Six digits may stand in a time by chance; not between quotes or before the words of the mail.
    secrets.push(`"${code}"`, `${code} is`)
    return code
  }

  it('every step of the door keeps its secrets when it succeeds', async () => {
    const { clientId } = door.app
    const [email, password] = [inventEmail(), PASSWORD]
    const asked = await succeed(endpoints.signUp, { clientId, ...nameOf(), email, password })
    await succeed(endpoints.verifyEmail, { ticket: asked.ticket, code: await readCode(email) })
    await succeed(endpoints.logIn, { clientId, email, password })
    const forgot = await succeed(endpoints.forgotPassword, { clientId, email })
    const reset = { ticket: forgot.ticket, code: await readCode(email), password: `${MARK} anew!` }
    await succeed(endpoints.resetPassword, reset)
    const other = await makePerson(door, { email: inventEmail(), password })
    const consent = await succeed(endpoints.logIn, { clientId, email: other.email, password })
    await succeed(endpoints.agree, { ticket: consent.ticket })
  })

  it('every step of the door keeps its secrets when it refuses', async () => {
    const { clientId } = door.app
    const [email, password, ticket] = [inventEmail(), PASSWORD, `${MARK}-ticket`]
    const tries: [Endpoint, Fields, number][] = [
      [endpoints.logIn, { clientId, email, password }, 401],
      [endpoints.agree, { ticket }, 401],
      [endpoints.verifyEmail, { ticket, code: '123456' }, 400],
      [endpoints.resetPassword, { ticket, code: '123456', password }, 400],
      [endpoints.signUp, { clientId, ...nameOf(), email, password: MARK }, 400],
    ]
    for (const [endpoint, fields, status] of tries) {
      assert.equal((await post(endpoint, fields)).statusCode, status)
    }
    for (let index = 0; index < 8; index++)
      await post(endpoints.logIn, { clientId, email, password })
  })

  for (const endpoint of Object.values<Endpoint>(endpoints)) {
    it(`${endpoint.method} ${endpoint.path} keeps its secrets whatever does not fit`, async () => {
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
          assert([400, 401].includes(response.statusCode), response.body)
        }
      }
      const broken = [`{"${MARK}":`, MARK, `{"__proto__":"${MARK}"}`, `["${MARK}"]`]
      for (const body of [...broken, MARK.repeat(BODY_MAX_BYTES)]) {
        const response = await callRaw(door, endpoint, body, HEADERS)
        assert.match(String(response.statusCode), /^4/)
      }
      const foreign = { ...MARKED_HEADERS, origin: `https://${MARK}.example` }
      assert.equal((await callRaw(door, endpoint, '{}', foreign)).statusCode, 403)
      const type = { ...HEADERS, 'content-type': `text/${MARK}` }
      assert.equal((await callRaw(door, endpoint, MARK, type)).statusCode, 415)
    })
  }

  it('a session in an address stays there', async () => {
    const session = await mintSession(door)
    secrets.push(session, session.slice(3))
    const query = `session=${session}&clientId=${MARK}&state=${MARK}&${MARK}=${MARK}`
    const urls = [
      `${readWidgetWallet.path}?${query}`,
      `${readWidgetWallet.path}?session=${MARK}`,
      `${readWidgetWallet.path}?session=${session}&session=${MARK}`,
      `/widget/wallet?${query}`,
      `/widget/wallet?session=${MARK}&clientId=${MARK}%00`,
      `/widget/nothing?${query}`,
      `/assets/${MARK}?${query}`,
      `/assets/%2e%2e/${session}?${query}`,
    ]
    for (const url of urls) {
      const response = await door.harness.inject({ method: 'GET', url, headers: HEADERS })
      assert(response.statusCode < 500, `${response.statusCode} for ${url}`)
    }
  })

  it('a mail that could not be sent is logged without its address', async () => {
    const lost = await openDoorWithMail({ SMTP_URL: `smtp://${MARK}:${MARK}@127.0.0.1:1` })
    const email = inventEmail()
    await makePerson(lost, { email })
    const { clientId } = lost.app
    await step(lost, endpoints.forgotPassword, { clientId, email })
    await lost.harness.context.mailer?.close()
    assert.match(lost.harness.logLines.join(''), /could not send an email/)
    await assertSilence(lost.harness, [email])
    await lost.close()
    await door.harness.inject({ method: 'GET', url: '/livez' })
  })

  it('a fault for which the database quotes the whole row is logged without it', async () => {
    const { admin } = door.harness
    const { clientId } = door.app
    await admin.query(
      `alter table directory.tickets add constraint fail
       check (position('${MARK.slice(0, 3)}' in email) = 0) not valid`,
    )
    const fields = { clientId, ...nameOf(), email: inventEmail(), password: PASSWORD }
    for (const endpoint of [endpoints.signUp, endpoints.forgotPassword]) {
      const response = await post(endpoint, fields)
      assert.deepEqual([response.statusCode, response.json()], [500, { error: UNFORESEEN_TEXT }])
    }
    await admin.query('alter table directory.tickets drop constraint fail')
    assert(door.harness.logLines.some((line) => line.includes('"level":50')))
  })

  it('an e-mail that is taken is not told either', async () => {
    const plain = await openDoor()
    const { email } = await makePerson(plain, { email: inventEmail() })
    const fields = { clientId: plain.app.clientId, ...nameOf(), email, password: PASSWORD }
    assert.equal((await post(endpoints.signUp, fields, plain)).statusCode, 409)
    await assertSilence(plain.harness, [email])
    await plain.harness.end()
    await door.harness.inject({ method: 'GET', url: '/livez' })
  })

  it('a database that went away is logged without them', () =>
    onFragileStage(async (fragile, _admin, cut) => {
      const { clientId } = fragile.app
      await cut()
      const fields = { clientId, ...nameOf(), email: inventEmail(), password: PASSWORD }
      for (const endpoint of [endpoints.signUp, endpoints.logIn, endpoints.forgotPassword]) {
        assert.equal((await post(endpoint, fields, fragile)).statusCode, 503)
      }
      await assertSilence(fragile.harness, [fields.email])
      await door.harness.inject({ method: 'GET', url: '/livez' })
    }))
})
