/**
 * What the integration specification promises to client apps, as a table. It uses only plain HTTP on a listening
 * service and writes out every path, field, status and code, so a change of the contract that breaks an integration
 * fails here. Fields that the service adds are allowed. Statuses that the specification leaves open are the ones that
 * integrations know today.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { ADMIN_ENV, makeOperator } from '../admin-setup.ts'
import { makeClientApp, makeLinkedUser } from '../factories.ts'
import { openTopupSetup, type TopupSetup } from '../topup-setup.ts'
import { listen } from '../webhooks.ts'

type Fields = Record<string, unknown>
type Place = `${'GET' | 'POST'} /${string}`
interface Client {
  clientId: string
  clientSecret: string
  serviceUserId: string
}
/**
 * The fields are in the query of a GET and in the JSON body of a POST. The expected body has values, patterns of strings
 * and checks.
 */
type Row = [what: string, place: Place, fields: Fields, status: number, body: Fields]

const WALLET = 'GET /api/server/wallet'
const CHECK = 'GET /api/server/wallet/check-balance'
const DEBIT = 'POST /api/server/wallet/debit'
const CREDIT = 'POST /api/server/wallet/credit'
const SESSION = 'POST /api/widget/session'
const WIDGET_WALLET = 'GET /api/widget/wallet'
const CREATE_INTENT = 'POST /api/widget/topup/create-intent'
const CONFIRM = 'POST /api/widget/topup/confirm'

const PARENTS = ['https://shop.example', 'https://m.shop.example:8443']
const SESSION_TOKEN = /^ws_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TEXT = /\S/
const fiveMinutesAhead = (at: unknown) =>
  Math.abs(Date.parse(String(at)) - Date.now() - 300_000) < 10_000
const records = (count: number) => (list: unknown) => Array.isArray(list) && list.length === count
const pair = (referenceType: string, referenceId: string) => ({ referenceType, referenceId })
const refusal = (code: string, requiresAuth?: true) => ({ error: TEXT, code, requiresAuth })

const nobody: Client = { clientId: '', clientSecret: '', serviceUserId: '' }
/** `shop` has both scopes. */
const clients = { shop: nobody, reader: nobody, writer: nobody, other: nobody }
const sessions = { live: '', expired: '', unknown: `ws_${randomUUID()}`, malformed: 'ws_1' }
let setup: TopupSetup
let url: string

before(async () => {
  setup = await openTopupSetup(ADMIN_ENV)
  url = await listen(setup)
  clients.shop = await makeClient({ allowedIframeParents: PARENTS })
  clients.reader = await makeClient({ scopes: ['wallet:read'] })
  clients.writer = await makeClient({ scopes: ['wallet:write'] })
  clients.other = await makeClient({})
  sessions.live = await createSession()
  sessions.expired = await createSession()
  await elapse(sessions.expired, 300)
})
after(() => setup.close())

/** A client app and its user, who has 100.00. */
async function makeClient(about: Parameters<typeof makeClientApp>[1]): Promise<Client> {
  const { context } = setup.harness
  // The setting that operators choose for an app that needs the replay of rule 2 of section 4.
  const app = await makeClientApp(context, { ...about, onMismatch: 'replay' })
  const { serviceUserId } = await makeLinkedUser(context, app, 100_00n)
  return { clientId: app.clientId, clientSecret: app.clientSecret, serviceUserId }
}

async function createSession(fields: Fields = {}): Promise<string> {
  const { body } = await send(SESSION, { ...clients.shop, ...fields })
  return String(body['sessionToken'])
}

/** Lets time pass for this session only. */
async function elapse(token: string, seconds: number) {
  await setup.harness.admin.query(
    `update directory.widget_sessions set expires_at = expires_at - make_interval(secs => $2)
     where token_hash = sha256($1::text::bytea)`,
    [token, seconds],
  )
}

/** Sends no header except Host, Connection and the type and length of a body. The service answers in 10 seconds. */
async function send(place: Place, fields: Fields = {}, session?: string, headers = {}) {
  const [method, path = ''] = place.split(' ')
  const isPost = method === 'POST'
  const target = new URL(path, url)
  if (session !== undefined) target.searchParams.set('session', session)
  const query = isPost ? [] : Object.entries(fields)
  for (const [name, value] of query) target.searchParams.set(name, String(value))
  const sent = request(target, { method, headers, signal: AbortSignal.timeout(10_000) })
  if (isPost) sent.setHeader('content-type', 'application/json')
  sent.end(isPost ? JSON.stringify(fields) : undefined)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const text = await readText(response)
  const isJson = response.headers['content-type']?.startsWith('application/json')
  const body = isJson ? (JSON.parse(text) as Fields) : {}
  return { status: response.statusCode, headers: response.headers, text, body }
}

function assertFields(actual: Fields, expected: Fields) {
  for (const [name, value] of Object.entries(expected)) {
    const given = actual[name]
    const shown = `${name} is ${JSON.stringify(given)}`
    if (typeof value === 'function') assert(value(given), shown)
    else if (value instanceof RegExp) assert(typeof given === 'string' && value.test(given), shown)
    else assert.deepEqual(given, value, shown)
  }
}

/** One test per row, in this order. `caller` sends its credentials, or its session as a query parameter. */
function play(caller: keyof typeof clients | keyof typeof sessions, rows: readonly Row[]) {
  for (const [what, place, fields, status, body] of rows) {
    const code = typeof body['code'] === 'string' ? `${body['code']} ` : ''
    it(`${status} ${code}${place} ${what}`, async () => {
      const response =
        caller in clients
          ? await send(place, { ...clients[caller as keyof typeof clients], ...fields })
          : await send(place, fields, sessions[caller as keyof typeof sessions])
      assert.equal(response.status, status, response.text)
      assert.match(String(response.headers['content-type']), /^application\/json/)
      assertFields(response.body, body)
    })
  }
}

describe('the server API', () => {
  const order = { ...pair('ORDER_PAYMENT', 'order-1'), description: 'Tea' }
  const next = pair('ORDER_PAYMENT', 'order-1b')
  const freeLabel = pair('Größe 7', 'order-1')
  const ownLabel = pair('TOPUP', 'order-1')
  const large = { amount: 1000, ...pair('MARKETPLACE_ESCROW', 'order-2') }
  const refund = { amount: 30.5, ...pair('ORDER_REFUND', 'order-1') }
  const done = (balance: number) => [200, { balance, message: TEXT }] as const
  const wallet = (balance: number, count: number) =>
    [200, { balance, transactions: records(count), isActive: true }] as const
  const tooLow = [400, refusal('INSUFFICIENT_BALANCE')] as const
  const covers = (balance: number, requiredAmount: number, hasSufficientBalance: boolean) =>
    [200, { balance, requiredAmount, hasSufficientBalance }] as const

  play('shop', [
    ['reads the wallet', WALLET, {}, ...wallet(100, 1)],
    ['accepts an equal balance', CHECK, { requiredAmount: 100 }, ...covers(100, 100, true)],
    ['finds it too low', CHECK, { requiredAmount: 100.5 }, ...covers(100, 100.5, false)],
    ['takes money', DEBIT, { amount: 30.5, ...order }, ...done(69.5)],
    ['replays the pair', DEBIT, { amount: 30.5, ...order }, ...done(69.5)],
    ['replays the pair whatever else differs', DEBIT, { amount: 5, ...order }, ...done(69.5)],
    ['replays the debit that used the pair', CREDIT, { amount: 30.5, ...order }, ...done(69.5)],
    ['moves with a new referenceId', DEBIT, { amount: 5, ...next }, ...done(64.5)],
    ['moves with a new referenceType', DEBIT, { amount: 5, ...freeLabel }, ...done(59.5)],
    ['accepts a label of the service itself', DEBIT, { amount: 5, ...ownLabel }, ...done(54.5)],
    ['replays the original balance', DEBIT, { amount: 30.5, ...order }, ...done(69.5)],
    ['shows that each pair moved once', WALLET, {}, ...wallet(54.5, 5)],
    ['gives money', CREDIT, refund, ...done(85)],
    ['replays the pair', CREDIT, refund, ...done(85)],
    ['refuses more than the balance', DEBIT, large, ...tooLow],
    ['gives enough', CREDIT, { ...large, referenceType: 'CHARGEBACK_CREDIT' }, ...done(1085)],
    ['replays the refusal', DEBIT, large, ...tooLow],
    ['moves in a new attempt', DEBIT, { ...large, referenceId: 'order-2b' }, ...done(85)],
    ['shows that each pair moved once', WALLET, {}, ...wallet(85, 8)],
  ])

  it('200 and 400 ten equal debits at once get one answer and move money once', async () => {
    for (const amount of [1, 1000]) {
      const fields = { ...clients.shop, amount, ...pair('SUBSCRIPTION_CHARGE', `${amount}`) }
      const responses = await Promise.all(Array.from({ length: 10 }, () => send(DEBIT, fields)))
      assert.equal(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size, 1)
    }
    assertFields((await send(WALLET, { ...clients.shop })).body, { balance: 84 })
  })
})

describe('the errors of the server API', () => {
  const operation = { amount: 1, ...pair('ORDER_PAYMENT', 'refused') }
  const unknown = refusal('USER_NOT_FOUND', true)
  for (const [place, fields, status] of [
    [WALLET, {}, 401],
    [CHECK, { requiredAmount: 1 }, 401],
    [DEBIT, operation, 404],
    [CREDIT, operation, 404],
    [SESSION, {}, 404],
  ] as const) {
    const refused = [401, refusal('INVALID_CLIENT')] as const
    play('shop', [
      ['for a wrong secret', place, { ...fields, clientSecret: 'wrong' }, ...refused],
      ['for an unknown client', place, { ...fields, clientId: 'app_unknown' }, ...refused],
      ['for an empty secret', place, { ...fields, clientSecret: '' }, ...refused],
      ['for an unknown user', place, { ...fields, serviceUserId: 'su_unknown' }, status, unknown],
    ])
    it(`401 INVALID_CLIENT and ${status} USER_NOT_FOUND ${place} with those of another app`, async () => {
      const { clientSecret, serviceUserId } = clients.other
      const stolen = await send(place, { ...clients.shop, ...fields, clientSecret })
      assert.deepEqual([stolen.status, stolen.body['code']], [401, 'INVALID_CLIENT'])
      const foreign = await send(place, { ...clients.shop, ...fields, serviceUserId })
      assert.deepEqual([foreign.status, foreign.body['code']], [status, 'USER_NOT_FOUND'])
    })
  }
  play('other', [['shows that nothing moved', WALLET, {}, 200, { balance: 100 }]])
})

describe('the scopes wallet:read and wallet:write', () => {
  const take = { amount: 1, ...pair('ORDER_PAYMENT', 'scope') }
  const give = { amount: 1, ...pair('ORDER_REFUND', 'scope') }
  const refused = [403, refusal('INSUFFICIENT_SCOPE')] as const
  play('reader', [
    ['with wallet:read', WALLET, {}, 200, {}],
    ['with wallet:read', CHECK, { requiredAmount: 1 }, 200, {}],
    ['with wallet:read', SESSION, {}, 200, {}],
    ['with wallet:read', DEBIT, take, ...refused],
    ['with wallet:read', CREDIT, give, ...refused],
  ])
  play('writer', [
    ['with wallet:write', WALLET, {}, ...refused],
    ['with wallet:write', CHECK, { requiredAmount: 1 }, ...refused],
    ['with wallet:write', DEBIT, take, 200, {}],
    ['with wallet:write', CREDIT, give, 200, {}],
  ])
})

describe('a client app of the admin area', () => {
  it('has these fields, a secret that can be rotated, and no access when it is not active', async () => {
    const { cookie } = await makeOperator(setup.harness, 'operator')
    async function ask(place: Place, fields: Fields) {
      const headers = { cookie, 'sec-fetch-site': 'same-origin' }
      const { status, body, text } = await send(place, fields, undefined, headers)
      assert.equal(status, 200, text)
      return body
    }
    /** With valid credentials, only the user is unknown. */
    async function codeFor(credentials: Fields) {
      const { body } = await send(WALLET, { ...credentials, serviceUserId: 'su_unknown' })
      return body['code']
    }
    const about = {
      scopes: ['wallet:read', 'wallet:write'],
      allowedOrigins: ['https://pay.example'],
      allowedIframeParents: ['https://tea.example'],
    }
    const settings = { ...about, name: 'Tea shop', accentColor: null, creditLimit: '1' }
    const { clientId, clientSecret } = await ask('POST /api/admin/client-apps', settings)
    assertFields(await ask('GET /api/admin/client-apps/one', { clientId }), { clientId, ...about })
    const rotation = { clientId, overlap: '24h' }
    const rotated = await ask('POST /api/admin/client-apps/rotate', rotation)
    assert.notEqual(rotated['clientSecret'], clientSecret)
    const both = [
      { clientId, clientSecret },
      { clientId, clientSecret: rotated['clientSecret'] },
    ]
    for (const each of both) assert.equal(await codeFor(each), 'USER_NOT_FOUND')
    await ask('POST /api/admin/client-apps/activate', { clientId, isActive: false })
    // Every process notices it within a second.
    const deadline = Date.now() + 5_000
    for (const each of both) {
      while ((await codeFor(each)) !== 'INVALID_CLIENT') assert(Date.now() < deadline)
    }
  })
})

describe('the widget session', () => {
  const created = [200, { sessionToken: SESSION_TOKEN, expiresAt: fiveMinutesAhead }] as const
  const refused = [403, refusal('ORIGIN_NOT_ALLOWED')] as const
  play('shop', [
    ['creates a session', SESSION, {}, ...created],
    ['accepts a listed parent', SESSION, { parentOrigin: PARENTS[1] }, ...created],
    ['refuses another parent', SESSION, { parentOrigin: 'https://evil.example' }, ...refused],
    ['compares the scheme', SESSION, { parentOrigin: 'http://shop.example' }, ...refused],
    ['compares the port', SESSION, { parentOrigin: 'https://m.shop.example' }, ...refused],
  ])

  it('200 POST /api/widget/session a user can have several sessions', async () => {
    const tokens = [await createSession(), await createSession()]
    assert.notEqual(tokens[0], tokens[1])
    for (const token of tokens) assert.equal((await send(WIDGET_WALLET, {}, token)).status, 200)
  })

  it('401 SESSION_EXPIRED five minutes later and not earlier, because each call checks it', async () => {
    const token = await createSession()
    await elapse(token, 280)
    assert.equal((await send(WIDGET_WALLET, {}, token)).status, 200)
    await elapse(token, 20)
    const { status, body } = await send(WIDGET_WALLET, {}, token)
    assert.deepEqual([status, body['code']], [401, 'SESSION_EXPIRED'])
  })
})

describe('the widget API', () => {
  const user = (given: unknown) => {
    assertFields(given as Fields, { firstName: 'Ada', lastName: 'Example' })
    return true
  }
  const wallet = { balance: 84, transactions: records(9), isActive: true, user }
  play('live', [['reads the wallet', WIDGET_WALLET, {}, 200, wallet]])

  it('200 POST /api/widget/topup/create-intent and confirm add a paid amount once', async () => {
    const intent = await send(CREATE_INTENT, { amount: 20 }, sessions.live)
    assert.equal(intent.status, 200, intent.text)
    const paymentIntentId = String(intent.body['paymentIntentId'])
    setup.sandbox.complete(paymentIntentId)
    for (let time = 1; time <= 2; time++) {
      const { status, text } = await send(CONFIRM, { paymentIntentId }, sessions.live)
      assert.equal(status, 200, text)
    }
    const { body } = await send(WALLET, { ...clients.shop })
    assertFields(body, { balance: 104, transactions: records(10) })
  })

  it('200 GET /api/widget/wallet has the last 10 transactions', async () => {
    const eleventh = { amount: 1, ...pair('ORDER_REFUND', 'eleventh') }
    await send(CREDIT, { ...clients.shop, ...eleventh })
    const { transactions } = (await send(WALLET, { ...clients.shop })).body as {
      transactions: unknown[]
    }
    const { body } = await send(WIDGET_WALLET, {}, sessions.live)
    assert.equal(transactions.length, 11)
    assert.deepEqual(body['transactions'], transactions.slice(0, 10))
  })

  for (const [place, fields] of [
    [WIDGET_WALLET, {}],
    [CREATE_INTENT, { amount: 20 }],
    [CONFIRM, { paymentIntentId: 'pi_1' }],
  ] as const) {
    const expired = [401, refusal('SESSION_EXPIRED')] as const
    play('expired', [['for an expired session', place, fields, ...expired]])
    play('unknown', [['for an unknown session', place, fields, ...expired]])
    play('malformed', [['for a malformed session', place, fields, 401, refusal('INVALID_SESSION')]])
  }
})

describe('the hosted pages', () => {
  const [parent = ''] = PARENTS
  const evil = 'https://evil.example'
  /** In another page than allowedIframeParents, a page without scripts explains what to do. */
  const PAGES: [place: Place, hasSession: boolean, parent: string, isShown: boolean][] = [
    ['GET /widget/wallet', true, parent, true],
    ['GET /widget/wallet', false, parent, true],
    ['GET /widget/topup', true, parent, true],
    ['GET /widget/wallet', true, evil, false],
    ['GET /widget/wallet', false, evil, false],
    ['GET /widget/topup', true, evil, false],
  ]
  for (const [place, hasSession, embedding, isShown] of PAGES) {
    const which = `${hasSession ? 'with' : 'without'} a session in ${embedding}`
    const outcome = isShown ? 'only allowedIframeParents can frame it' : 'is not shown'
    it(`200 ${place} ${which}: ${outcome}`, async () => {
      const headers = { referer: `${embedding}/`, 'sec-fetch-dest': 'iframe' }
      const page = await send(place, {}, hasSession ? sessions.live : undefined, headers)
      assert.equal(page.status, 200)
      assert.match(String(page.headers['content-type']), /^text\/html/)
      assert.equal(page.headers['x-frame-options'], undefined)
      const policy = String(page.headers['content-security-policy'])
      const ancestors = /frame-ancestors ([^;]*)/.exec(policy)?.[1]?.split(' ')
      assert.deepEqual(ancestors, isShown ? PARENTS : undefined)
      assert.equal(page.text.includes('<script'), isShown)
    })
  }

  it('200 GET /widget/wallet, /widget/topup and /admin/client-apps in a window', async () => {
    const window = { 'sec-fetch-dest': 'document' }
    const pages = [
      await send('GET /widget/wallet', {}, sessions.live, window),
      await send('GET /widget/topup', {}, sessions.live, window),
      await send('GET /admin/client-apps', {}, undefined, window),
    ]
    for (const { status, headers, text } of pages) {
      assert.equal(status, 200)
      assert.match(String(headers['content-type']), /^text\/html/)
      assert.match(text, /<script/)
    }
  })
})

describe('the messages of the widget', () => {
  const MESSAGES = [
    'SERVICE_WALLET_UPDATED',
    'SERVICE_WALLET_LOADED',
    'SERVICE_OPEN_TOPUP',
    'SERVICE_AUTH_REQUIRED',
    'SERVICE_AUTH_SUCCESS',
    'SERVICE_LOGOUT_REQUEST',
  ]
  it('each has a test in a browser, in a page without our SDK', () => {
    const spec = readFileSync('e2e/link.spec.ts', 'utf8')
    for (const type of MESSAGES) assert(spec.includes(`'${type}'`), type)
  })
})
