import * as endpoints from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  auditOf,
  beginEnrolling,
  beginLogIn,
  freshCode,
  makeNewOperator,
  makeOperator,
  openAdminSetup,
  outcomesOf,
  type AdminSetup,
} from '../../test/admin-setup.ts'
import { untilRateLimited } from '../../test/sign-in.ts'
import { ask } from '../../test/account-setup.ts'
import { assertRefusal } from '../../test/setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

describe('POST /api/admin/sign-in', () => {
  const endpoint = endpoints.logInToAdmin
  const fieldsOf = ({ owner: { email, password } }: AdminSetup) => ({ email, password })

  it('200 returns enroll and a new secret each time until the first correct code', async () => {
    const { harness } = setup
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

  it('200 sets no cookie for the password alone', async () => {
    const response = await ask(setup, endpoint, fieldsOf(setup))
    assert.equal(response.statusCode, 200)
    assert.equal(response.headers['set-cookie'], undefined)
    assert.deepEqual(Object.keys(response.json()), ['step', 'ticket'])
  })

  it('401 LOGIN_FAILED with the same bytes for a wrong password, an unknown email and an inactive operator', async () => {
    const { harness } = setup
    const gone = await makeNewOperator(harness, 'owner')
    await harness.admin.query('update admin.operators set is_active = false where id = $1', [
      gone.id,
    ])
    const { email, password } = setup.viewer
    const tries = [
      { email, password: 'wrong' },
      { email: 'nobody@example.com', password },
      { email: gone.email, password: gone.password },
    ]
    const responses = []
    for (const fields of tries) responses.push(await ask({ harness }, endpoint, fields))
    for (const response of responses) assertRefusal(response, endpoint, 'LOGIN_FAILED')
    assert.equal(new Set(responses.map(({ body }) => body)).size, 1)
  })

  it('429 RATE_LIMITED after too many attempts on an email, known or unknown', async () => {
    const { harness } = setup
    for (const email of [(await makeNewOperator(harness, 'owner')).email, 'nobody2@example.com']) {
      await untilRateLimited(() => ask({ harness }, endpoint, { email, password: 'wrong' }))
    }
  })
})

describe('POST /api/admin/sign-in/code', () => {
  const endpoint = endpoints.finishAdminLogIn
  const finish = (ticket: string, code: string, headers: Record<string, string> = {}) =>
    ask({ harness: setup.harness }, endpoint, { ticket, code }, headers)

  it('200 stores the address of the connection if a client reports one that is none', async () => {
    const proxied = await openAdminSetup({ TRUST_PROXY: 'true' })
    try {
      const { harness, viewer } = proxied
      const addresses = { '203.0.113.7': '203.0.113.7', '<script>x</script>': '127.0.0.1' }
      for (const [forwarded, stored] of Object.entries(addresses)) {
        const ticket = await beginLogIn(harness, viewer)
        const fields = { ticket, code: await freshCode(harness, viewer) }
        const headers = { 'x-forwarded-for': forwarded }
        assert.equal((await ask({ harness }, endpoint, fields, headers)).statusCode, 200)
        const { rows } = await harness.admin.query(
          'select address from admin.log_ins order by created_at desc limit 1',
        )
        assert.deepEqual(rows, [{ address: stored }])
        assert.equal((await auditOf(proxied, viewer.email)).at(-1)?.address, stored)
      }
    } finally {
      await proxied.harness.end()
    }
  })

  it('200 returns ten recovery codes after enrolling, and each works once', async () => {
    const { harness } = setup
    const someone = await makeOperator(harness, 'viewer')
    assert.equal(new Set(someone.recoveryCodes).size, 10)
    const [code = '', other = ''] = someone.recoveryCodes
    assert.match(code, /^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/)
    const tickets: string[] = []
    for (let time = 0; time < 3; time++) tickets.push(await beginLogIn(harness, someone))
    const responses = await Promise.all(tickets.map((ticket) => finish(ticket, code)))
    assert.deepEqual(outcomesOf(responses), ['200', 'CODE_INVALID', 'CODE_INVALID'])
    const typed = other.toLowerCase().replaceAll('-', ' ')
    assert.equal((await finish(await beginLogIn(harness, someone), typed)).statusCode, 200)
  })

  it('400 CODE_INVALID for a used code, also concurrently, and for the code before it', async () => {
    const { harness } = setup
    const someone = await makeOperator(harness, 'viewer')
    const code = await freshCode(harness, someone)
    const tickets = [await beginLogIn(harness, someone), await beginLogIn(harness, someone)]
    const responses = await Promise.all(tickets.map((ticket) => finish(ticket, code)))
    assert.deepEqual(outcomesOf(responses), ['200', 'CODE_INVALID'])
    const earlier = someone.totp.generate({ timestamp: Date.now() - 30_000 })
    for (const old of [code, earlier]) {
      assertRefusal(await finish(await beginLogIn(harness, someone), old), endpoint, 'CODE_INVALID')
    }
  })

  it('400 CODE_INVALID for a wrong code, a used or expired ticket, and after five attempts', async () => {
    const { harness } = setup
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

  it('429 RATE_LIMITED after too many wrong codes for one operator, over all tickets', async () => {
    const { harness } = setup
    const someone = await makeOperator(harness, 'viewer')
    const tickets: string[] = []
    for (let time = 0; time < 3; time++) tickets.push(await beginLogIn(harness, someone))
    let tries = 0
    await untilRateLimited(() => finish(tickets[Math.floor(tries++ / 4)] ?? '', '000000'))
  })
})
