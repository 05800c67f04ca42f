/** A stranger cannot lock out people or operators, neither by guessing their passwords nor by a cheap flood. */
import { changePassword, logInToAccount } from '@coffer/contract/account/account'
import { confirmOperator, finishAdminLogIn, logInToAdmin } from '@coffer/contract/admin/sign-in'
import type { Endpoint } from '@coffer/contract/endpoint'
import { logIn, signUp } from '@coffer/contract/widget/widget'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { ADMIN_ENV, freshCode, makeOperator } from '../admin-setup.ts'
import { inventEmail, makePerson, newcomer, openSignIn, PASSWORD, SAME_ORIGIN } from '../sign-in.ts'
import type { Fields, Setup } from '../setup.ts'

const STRANGER = '203.0.113.66'
const OWNER = '198.51.100.7'
const WRONG = 'not the passphrase'

interface From {
  address: string
  cookie?: string | undefined
}

function send({ harness }: Setup, endpoint: Endpoint, fields: Fields, { address, cookie }: From) {
  return harness.inject({
    method: 'POST',
    url: endpoint.path,
    payload: JSON.stringify(fields),
    headers: { 'content-type': 'application/json', ...SAME_ORIGIN, ...(cookie && { cookie }) },
    remoteAddress: address,
  })
}

/** All cookies that a browser has after these responses. */
function keepCookies(...responses: LightMyRequestResponse[]): string {
  const all = responses.flatMap(({ headers }) => [headers['set-cookie'] ?? []].flat())
  return all.map((each) => each.split(';')[0]).join('; ')
}

/** An account, and how its owner logs in to it. */
interface Account {
  email: string
  password: string
}
interface Way {
  title: string
  endpoint: Endpoint
  make: (setup: Setup) => Promise<Account>
}

const WAYS: readonly Way[] = [
  { title: 'the widget', endpoint: logIn, make: (setup) => makePerson(setup) },
  { title: '/account', endpoint: logInToAccount, make: (setup) => makePerson(setup) },
  {
    title: '/admin',
    endpoint: logInToAdmin,
    make: ({ harness }) => makeOperator(harness, 'owner'),
  },
]

/** Guesses from one address until it has to wait. */
async function exhaust(setup: Setup, { endpoint }: Way, { email }: Account, from: From) {
  for (let index = 0; index < 12; index++) {
    const fields = { clientId: setup.app.clientId, email, password: WRONG }
    const { statusCode } = await send(setup, endpoint, fields, from)
    if (statusCode === 429) return
  }
  assert.fail('the stranger never had to wait')
}

describe('guesses of a stranger', () => {
  let setup: Setup
  before(async () => {
    setup = await openSignIn(ADMIN_ENV)
  })
  after(() => setup.harness.end())

  const logInFrom = (way: Way, { email, password }: Account, from: From) =>
    send(setup, way.endpoint, { clientId: setup.app.clientId, email, password }, from)

  for (const way of WAYS) {
    it(`do not make the owner wait in another network: ${way.title}`, async () => {
      const account = await way.make(setup)
      await exhaust(setup, way, account, { address: STRANGER })
      assert.equal((await logInFrom(way, account, { address: STRANGER })).statusCode, 429)
      const response = await logInFrom(way, account, { address: OWNER })
      assert.equal(response.statusCode, 200, response.body)
    })
  }

  it('do not make a known browser wait in the same network: /account', async () => {
    const way = WAYS[1] ?? assert.fail()
    const account = await makePerson(setup)
    const first = await logInFrom(way, account, { address: OWNER })
    const cookie = keepCookies(first)
    await exhaust(setup, way, account, { address: OWNER })
    assert.equal((await logInFrom(way, account, { address: OWNER })).statusCode, 429)
    const response = await logInFrom(way, account, { address: OWNER, cookie })
    assert.equal(response.statusCode, 200, response.body)
    const change = { password: PASSWORD, newPassword: 'another harbour at dusk' }
    const changed = await send(setup, changePassword, change, {
      address: OWNER,
      cookie: keepCookies(response, first),
    })
    assert.equal(changed.statusCode, 200, changed.body)
  })

  it('do not make a known browser wait in the same network: /admin', async () => {
    const way = WAYS[2] ?? assert.fail()
    const { harness } = setup
    const operator = await makeOperator(harness, 'viewer')
    const response = await logInFrom(way, operator, { address: OWNER })
    const fields = {
      ticket: response.json<{ ticket: string }>().ticket,
      code: await freshCode(harness, operator),
    }
    const finished = await send(setup, finishAdminLogIn, fields, { address: OWNER })
    const cookie = keepCookies(finished)
    await exhaust(setup, way, operator, { address: OWNER })
    assert.equal((await logInFrom(way, operator, { address: OWNER })).statusCode, 429)
    const again = await logInFrom(way, operator, { address: OWNER, cookie })
    assert.equal(again.statusCode, 200, again.body)
    const proof = { password: operator.password, code: await freshCode(harness, operator) }
    const confirmed = await send(setup, confirmOperator, proof, { address: OWNER, cookie })
    assert.equal(confirmed.statusCode, 200, confirmed.body)
  })

  it('are limited in a known browser, too', async () => {
    const way = WAYS[1] ?? assert.fail()
    const account = await makePerson(setup)
    const cookie = keepCookies(await logInFrom(way, account, { address: OWNER }))
    await exhaust(setup, way, account, { address: OWNER, cookie })
    assert.equal((await logInFrom(way, account, { address: OWNER, cookie })).statusCode, 429)
  })

  it('gain nothing from the cookie of another account, of the other kind, or a forged one', async () => {
    const way = WAYS[1] ?? assert.fail()
    const [account, other] = [await makePerson(setup), await makePerson(setup)]
    await exhaust(setup, way, account, { address: STRANGER })
    const theirs = keepCookies(await logInFrom(way, other, { address: STRANGER }))
    const value = /device=([^;]+)/.exec(theirs)?.[1] ?? assert.fail(theirs)
    const signature = randomBytes(32).toString('base64url')
    for (const cookie of [
      theirs,
      `__Host-coffer-admin-device=${value}`,
      `__Host-coffer-device=${value.replace(/[^.]+$/, signature)}`,
      `__Host-coffer-device=${'x'.repeat(80)}`,
      '__Host-coffer-device=',
    ]) {
      const response = await logInFrom(way, account, { address: STRANGER, cookie })
      assert.equal(response.statusCode, 429, cookie)
    }
  })

  it('store no network address', async () => {
    const { rows } = await setup.harness.admin.query<{ row: string }>(
      'select f::text as row from directory.log_in_failures f',
    )
    assert(rows.length > 0)
    for (const { row } of rows) assert(!row.includes(STRANGER) && !row.includes(OWNER), row)
  })
})

describe('the addresses of one IPv6 network', () => {
  let setup: Setup
  before(async () => {
    setup = await openSignIn({ LOG_INS_PER_MINUTE: '3', SIGN_UPS_PER_HOUR: '5' })
  })
  after(() => setup.harness.end())

  const within = (network: string, host: number) => `2001:db8:0:${network}::${host.toString(16)}`

  it('429 RATE_LIMITED above the limit of logins a minute from a /64, and from no other', async () => {
    const { clientId } = setup.app
    const guess = (address: string) =>
      send(setup, logIn, { clientId, email: inventEmail(), password: WRONG }, { address })
    for (let host = 1; host <= 3; host++) {
      assert.equal((await guess(within('a', host))).statusCode, 401)
    }
    assert.equal((await guess(within('a', 4))).statusCode, 429)
    assert.equal((await guess(within('b', 4))).statusCode, 401)
  })

  it('429 RATE_LIMITED above five sign-ups an hour from a /64, and from no other', async () => {
    const register = (address: string) => send(setup, signUp, newcomer(setup), { address })
    for (let host = 1; host <= 5; host++) {
      assert.equal((await register(within('c', host))).statusCode, 200)
    }
    assert.equal((await register(within('c', 6))).statusCode, 429)
    assert.equal((await register(within('d', 6))).statusCode, 200)
  })
})

describe('a flood of eight logins per second', () => {
  const EVERY_MS = 125
  const NETWORKS = 24
  const LOG_INS = 10
  let setup: Setup
  before(async () => {
    setup = await openSignIn({
      ...ADMIN_ENV,
      PASSWORD_HASHES_PER_SECOND: '5',
      LOG_INS_PER_MINUTE: '20',
    })
  })
  after(() => setup.harness.end())

  /** Starts the flood against one login; returns how to stop it. */
  function flood({ endpoint }: Way) {
    const { clientId } = setup.app
    const statuses: Promise<number>[] = []
    const timer = setInterval(() => {
      const address = `192.0.2.${statuses.length % NETWORKS}`
      const fields = { clientId, email: inventEmail(), password: WRONG }
      statuses.push(send(setup, endpoint, fields, { address }).then((each) => each.statusCode))
    }, EVERY_MS)
    return async () => {
      clearInterval(timer)
      return Promise.all(statuses)
    }
  }

  for (const way of WAYS) {
    it(`refuses none of ten logins from other networks: ${way.title}`, async () => {
      const { email, password } = await way.make(setup)
      const fields = { clientId: setup.app.clientId, email, password }
      const stop = flood(way)
      await sleep(3_500)
      const statuses: number[] = []
      for (let index = 0; index < LOG_INS; index++) {
        const address = `198.51.100.${index}`
        statuses.push((await send(setup, way.endpoint, fields, { address })).statusCode)
      }
      const bogus = await stop()
      assert.deepEqual(statuses, Array(LOG_INS).fill(200))
      assert(bogus.includes(429), 'the flood was not too fast')
      await sleep(1_000)
    })
  }

  it('at the widget and at /account does not delay operators', async () => {
    const [widget, account, admin] = WAYS
    assert(widget && account && admin)
    const operator = await admin.make(setup)
    const stops = [flood(widget), flood(account)]
    await sleep(2_000)
    const startedMs = performance.now()
    const response = await send(
      setup,
      admin.endpoint,
      { email: operator.email, password: operator.password },
      { address: '192.0.2.1' },
    )
    const tookMs = performance.now() - startedMs
    await Promise.all(stops.map((stop) => stop()))
    assert.equal(response.statusCode, 200, response.body)
    assert(tookMs < 2_000, `${tookMs} ms`)
  })
})
