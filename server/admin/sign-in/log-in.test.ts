import * as endpoints from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import * as refusals from '../../test/refusals.ts'
import {
  askAs,
  auditOf,
  beginEnrolling,
  beginLogIn,
  freshCode,
  makeNewOperator,
  makeOperator,
  openAdminStage,
  statusesOf,
  type AdminStage,
} from '../../test/admin-setup.ts'
import { untilPaused } from '../../test/sign-in.ts'
import { ask, cookieOf } from '../../test/account-setup.ts'
import { assertRefusal } from '../../test/setup.ts'

let stage: AdminStage
before(async () => {
  stage = await openAdminStage()
})
after(() => stage.harness.end())

const read = (cookie: string) => askAs(stage, { cookie }, endpoints.readOperator)

describe('POST /api/admin/sign-in', () => {
  const endpoint = endpoints.logInToAdmin
  const fieldsOf = ({ owner: { email, password } }: AdminStage) => ({ email, password })

  it('200 with enroll and a new secret each time, until the first code was right', async () => {
    const { harness } = stage
    const made = await makeNewOperator(harness, 'viewer')
    const [first, second] = [
      await beginEnrolling(harness, made),
      await beginEnrolling(harness, made),
    ]
    assert.notEqual(first.totp.secret.hex, second.totp.secret.hex)
    assert.equal(second.totp.issuer, 'Coffer')
    const finish = (started: typeof first) =>
      ask({ harness }, endpoints.finishAdminLogIn, {
        ticket: started.ticket,
        code: started.totp.generate(),
      })
    assert.equal((await finish(second)).statusCode, 200)
    assertRefusal(await finish(first), endpoints.finishAdminLogIn, 'CODE_INVALID')
    await beginLogIn(harness, { ...made })
  })

  it('200 without a cookie: the password alone opens nothing', async () => {
    const response = await ask(stage, endpoint, fieldsOf(stage))
    assert.equal(response.statusCode, 200)
    assert.equal(response.headers['set-cookie'], undefined)
    assert.deepEqual(Object.keys(response.json()), ['step', 'ticket'])
  })

  it('401 LOGIN_FAILED for a wrong password, an unknown e-mail and a deactivated operator, the same to the byte', async () => {
    const { harness } = stage
    const gone = await makeNewOperator(harness, 'owner')
    await harness.admin.query('update admin.operators set is_active = false where id = $1', [
      gone.id,
    ])
    const { email, password } = stage.viewer
    const tries = [
      { email, password: 'wrong' },
      { email: 'nobody@example.com', password },
      { email: gone.email, password: gone.password },
    ]
    const answers = []
    for (const fields of tries) answers.push(await ask({ harness }, endpoint, fields))
    for (const answer of answers) assertRefusal(answer, endpoint, 'LOGIN_FAILED')
    assert.equal(new Set(answers.map(({ body }) => body)).size, 1)
  })

  it('429 RATE_LIMITED for an e-mail that is tried too often, anybody\u2019s or nobody\u2019s', async () => {
    const { harness } = stage
    for (const email of [(await makeNewOperator(harness, 'owner')).email, 'nobody2@example.com']) {
      await untilPaused(() => ask({ harness }, endpoint, { email, password: 'wrong' }))
    }
  })

  it('400 INVALID_REQUEST for what is no e-mail or no password', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['email', 'nobody'],
      ['email', undefined],
      ['password', ''],
      ['password', 'x'.repeat(129)],
    ]))
})

describe('POST /api/admin/sign-in/code', () => {
  const endpoint = endpoints.finishAdminLogIn
  const finish = (ticket: string, code: string, headers: Record<string, string> = {}) =>
    ask({ harness: stage.harness }, endpoint, { ticket, code }, headers)
  const fieldsOf = async ({ harness, owner }: AdminStage) => ({
    ticket: await beginLogIn(harness, owner),
    code: await freshCode(harness, owner),
  })

  it('200 sets a cookie that only our own pages get, for 8 hours, and stores its hash', async () => {
    const { harness } = stage
    const someone = await makeOperator(harness, 'viewer')
    const ticket = await beginLogIn(harness, someone)
    const response = await finish(ticket, await freshCode(harness, someone))
    assert.deepEqual(response.json(), {})
    const form = /^__Host-coffer-admin=([\w-]{43}); Path=\/; Secure; HttpOnly; SameSite=Strict$/
    const token = form.exec(String(response.headers['set-cookie']))?.[1] ?? assert.fail()
    const { rows } = await harness.admin.query(
      `select extract(epoch from expires_at - created_at)::int as seconds, address, device
       from admin.log_ins where token_hash = $1`,
      [hash('sha256', token, 'buffer')],
    )
    const expected = { seconds: 8 * 60 * 60, address: '127.0.0.1', device: 'Unknown device' }
    assert.deepEqual(rows, [expected])
    const entry = (await auditOf(stage, someone.email)).at(-1)
    assert.equal(entry?.action, 'operator.log_in')
    assert.deepEqual(entry?.after, { means: 'authenticator' })
  })

  it('200 with ten recovery codes after enrolling, each of which works once', async () => {
    const { harness } = stage
    const someone = await makeOperator(harness, 'viewer')
    assert.equal(new Set(someone.recoveryCodes).size, 10)
    const [code = '', other = ''] = someone.recoveryCodes
    assert.match(code, /^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/)
    const tickets: string[] = []
    for (let time = 0; time < 3; time++) tickets.push(await beginLogIn(harness, someone))
    const answers = await Promise.all(tickets.map((ticket) => finish(ticket, code)))
    const statuses = statusesOf(answers)
    assert.deepEqual(statuses, [200, 400, 400])
    const typed = other.toLowerCase().replaceAll('-', ' ')
    assert.equal((await finish(await beginLogIn(harness, someone), typed)).statusCode, 200)
  })

  it('200 always a new login: the browser\u2019s previous one ends, and an invented cookie is not used', async () => {
    const { harness } = stage
    const someone = await makeOperator(harness, 'viewer')
    const planted = `__Host-coffer-admin=${randomBytes(32).toString('base64url')}`
    for (const cookie of [someone.cookie, planted]) {
      const ticket = await beginLogIn(harness, someone)
      const response = await finish(ticket, await freshCode(harness, someone), { cookie })
      assert.equal(response.statusCode, 200)
      assert.notEqual(cookieOf(response), cookie)
      assert.equal((await read(cookieOf(response))).statusCode, 200)
      assertRefusal(await read(cookie), endpoints.readOperator, 'LOGIN_REQUIRED')
    }
  })

  it('400 CODE_INVALID for a code that was used, also by two at once, and for the one before it', async () => {
    const { harness } = stage
    const someone = await makeOperator(harness, 'viewer')
    const code = await freshCode(harness, someone)
    const tickets = [await beginLogIn(harness, someone), await beginLogIn(harness, someone)]
    const answers = await Promise.all(tickets.map((ticket) => finish(ticket, code)))
    assert.deepEqual(statusesOf(answers), [200, 400])
    const earlier = someone.totp.generate({ timestamp: Date.now() - 30_000 })
    for (const old of [code, earlier]) {
      assertRefusal(await finish(await beginLogIn(harness, someone), old), endpoint, 'CODE_INVALID')
    }
  })

  it('400 CODE_INVALID for a wrong code, a used or old ticket, and after five tries', async () => {
    const { harness } = stage
    const someone = await makeOperator(harness, 'viewer')
    const ticket = await beginLogIn(harness, someone)
    const far = someone.totp.generate({ timestamp: Date.now() + 600_000 })
    for (const code of ['000000', far, 'AAAA-AAAA-AAAA', 'a'.repeat(32)]) {
      assertRefusal(await finish(ticket, code), endpoint, 'CODE_INVALID')
    }
    assert.equal((await finish(ticket, await freshCode(harness, someone))).statusCode, 200)
    assertRefusal(await finish(ticket, await freshCode(harness, someone)), endpoint, 'CODE_INVALID')
    const tried = await beginLogIn(harness, someone)
    await harness.admin.query('update admin.tickets set tries = 5')
    assertRefusal(await finish(tried, await freshCode(harness, someone)), endpoint, 'CODE_INVALID')
    const old = await beginLogIn(harness, someone)
    await harness.admin.query('update admin.tickets set tries = 0, expires_at = now()')
    assertRefusal(await finish(old, await freshCode(harness, someone)), endpoint, 'CODE_INVALID')
  })

  it('429 RATE_LIMITED for an operator whose codes are guessed, however many tickets there are', async () => {
    const { harness } = stage
    const someone = await makeOperator(harness, 'viewer')
    const tickets: string[] = []
    for (let time = 0; time < 3; time++) tickets.push(await beginLogIn(harness, someone))
    let tries = 0
    await untilPaused(() => finish(tickets[Math.floor(tries++ / 4)] ?? '', '000000'))
  })

  it('400 INVALID_REQUEST for what is no ticket or no code', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['ticket', ''],
      ['ticket', '\u0000'],
      ['code', '12345'],
      ['code', 123456],
    ]))
})
