/** Sends marked secrets in every field that a caller controls: none of them reaches a log line or a metric. */
import type { Endpoint } from '@coffer/contract/endpoint'
import { UNHANDLED_ERROR } from '@coffer/contract/errors'
import { BODY_MAX_BYTES, HEADER_MAX_BYTES } from '@coffer/contract/limits'
import { SERVER_ENDPOINTS } from '@coffer/contract/server/wallet'
import { createSession } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { makeIdleWebhook } from '../test/events/webhook-setup.ts'
import { credentialsFor, makeLinkCode, withWebhookSecret } from '../test/factories.ts'
import { assertNoLeaks, MARK, MARKED_HEADERS as HEADERS } from '../test/canaries.ts'
import {
  basicOf,
  call,
  callRaw,
  movesNothing,
  withCuttableDatabase,
  openSetup,
  type Fields,
  type Setup,
} from '../test/setup.ts'

const ENDPOINTS = { ...SERVER_ENDPOINTS, createSession }

const POST_PATHS = new Set(
  Object.values<Endpoint>(ENDPOINTS).flatMap(({ method, path }) =>
    method === 'POST' ? [path] : [],
  ),
)

describe('canaries', () => {
  let setup: Setup
  let link: Awaited<ReturnType<typeof makeLinkCode>>
  let webhookId: string
  before(async () => {
    setup = await openSetup()
    setup.app = await withWebhookSecret(setup.harness.context, setup.app)
    ;({ webhookId } = await makeIdleWebhook(setup.harness, setup.app))
    link = await makeLinkCode(setup.harness.context, setup.user.serviceUserId)
  })
  after(() => setup.harness.end())

  /** Every test writes log lines, and none of them contains a mark. */
  afterEach(() => assertNoLeaks(setup.harness, secretsOf(setup)))

  function secretsOf({ app, user }: Setup) {
    const basic = basicOf(app).authorization.slice('Basic '.length)
    return [
      app.clientSecret,
      ...(app.webhookSecret === undefined ? [] : [app.webhookSecret]),
      basic,
      user.serviceUserId,
      ...Object.values(link),
    ]
  }

  /** Valid input of every endpoint, with marks in every field that accepts them. */
  function fieldsOf(endpoint: Endpoint): Fields {
    const sound: Fields = {
      serviceUserId: setup.user.serviceUserId,
      amount: 1,
      requiredAmount: '1',
      referenceType: MARK,
      referenceId: `${MARK}-${randomUUID()}`,
      description: MARK,
      month: '2026-01',
      ...link,
      webhookId,
      url: `https://93.184.215.14/${MARK}`,
      types: null,
      isEnabled: false,
      overlap: '1h',
      since: '2026-01-01T00:00:00Z',
    }
    sound['debit'] = { referenceType: MARK, referenceId: `${MARK}-${randomUUID()}` }
    sound['hold'] = { referenceType: MARK, referenceId: `${MARK}-${randomUUID()}` }
    sound['operations'] = [
      { type: 'debit', ...sound },
      { ...sound, type: MARK },
    ]
    const names = Object.keys(endpoint.input.shape).filter((name) => name in sound)
    return { ...Object.fromEntries(names.map((name) => [name, sound[name]])), [MARK]: MARK }
  }

  for (const endpoint of Object.values<Endpoint>(ENDPOINTS)) {
    const title = `${endpoint.method} ${endpoint.path}`

    it(`${title} logs no secrets when it succeeds`, async () => {
      const fields = fieldsOf(endpoint)
      const { serviceUserId } = setup.user
      if (endpoint === SERVER_ENDPOINTS.findOperation) {
        await call(setup, SERVER_ENDPOINTS.credit, { ...fields, serviceUserId, amount: 1 }, HEADERS)
      }
      if (endpoint === SERVER_ENDPOINTS.refund) {
        const { debit } = fields as { debit: Fields }
        const paid = { serviceUserId, amount: 2, ...debit }
        await call(setup, SERVER_ENDPOINTS.debit, paid, HEADERS)
      }
      const { capture, hold, release } = SERVER_ENDPOINTS
      if (endpoint === capture || endpoint === release) {
        const placed = { serviceUserId, amount: 2, ...(fields['hold'] as Fields) }
        await call(setup, hold, placed, HEADERS)
      }
      const response = await call(setup, endpoint, fields, HEADERS)
      assert.equal(response.statusCode, 200)
      const none = { clientId: undefined, clientSecret: undefined }
      const basic = { ...HEADERS, ...basicOf(credentialsFor(setup.app, endpoint)) }
      assert.equal((await call(setup, endpoint, { ...fields, ...none }, basic)).statusCode, 200)
    })

    it(`${title} logs no secrets, whichever field is invalid`, async () => {
      const fields = fieldsOf(endpoint)
      const values = [MARK, `${MARK}\u0000`, `${MARK}\n"${MARK}`, MARK.repeat(200), [MARK, MARK]]
      for (const name of ['clientId', 'clientSecret', ...Object.keys(endpoint.input.shape)]) {
        for (const value of values) {
          const response = await call(setup, endpoint, { ...fields, [name]: value }, HEADERS)
          const isCredential = name === 'clientId' || name === 'clientSecret'
          if (isCredential) assert.equal(response.statusCode, 401, response.body)
          else assert(response.statusCode < 500, response.body)
        }
      }
    })

    it(`${title} logs no secrets when a header is invalid`, async () => {
      const fields = { ...fieldsOf(endpoint), clientId: undefined, clientSecret: undefined }
      const wrong = { clientId: MARK, clientSecret: MARK }
      const credentials = [`Bearer ${MARK}`, `Basic ${MARK}`, MARK, basicOf(wrong).authorization]
      for (const authorization of credentials) {
        const response = await call(setup, endpoint, fields, { ...HEADERS, authorization })
        assert.equal(response.statusCode, 401)
      }
      const origin = { ...HEADERS, ...basicOf(setup.app), origin: `https://${MARK}.example` }
      assert.equal((await call(setup, endpoint, fields, origin)).statusCode, 403)
    })
  }

  it('malformed, oversized or unsupported bodies are not logged', async () => {
    const broken = [`{"${MARK}":`, MARK, `{"__proto__":"${MARK}"}`, `["${MARK}"]`]
    for (const endpoint of Object.values<Endpoint>(ENDPOINTS)) {
      const post = async (body: string, type = 'application/json') =>
        (await callRaw(setup, endpoint, body, { ...HEADERS, 'content-type': type })).statusCode
      // Without a POST route, a body is only rejected if it cannot be parsed.
      const hasRoute = POST_PATHS.has(endpoint.path)
      for (const body of broken) {
        assert.equal(await post(body), hasRoute || body !== broken.at(-1) ? 400 : 405)
      }
      const most = endpoint.bodyMaxBytes ?? BODY_MAX_BYTES
      const huge = JSON.stringify({ description: MARK.repeat(most) })
      assert.equal(await post(huge), 413)
      assert.equal(await post(MARK, `text/${MARK}; boundary=${MARK}`), hasRoute ? 415 : 405)
    }
  })

  it('unknown addresses and methods are not logged', async () => {
    const paths = [
      `/${MARK}`,
      `/api/server/${MARK}/x`,
      `/api/server/wallet/${MARK}`,
      `/docs/${MARK}`,
    ]
    const urls = [...paths, '/livez', '/nothing', '/api/server/wallet/%zz']
    for (const url of urls.map((path) => `${path}?clientSecret=${MARK}&${MARK}=1`)) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND']) {
        const inject = { method: method as 'GET', url, headers: HEADERS }
        const response = await setup.harness.inject(inject)
        const isKnown = /^(GET|HEAD)$/.test(method) && url.startsWith('/livez')
        assert.equal(response.statusCode, isKnown ? 200 : 404, response.body)
      }
    }
  })

  it('requests that are not HTTP are not logged', async () => {
    const { app } = setup.harness
    const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
    const requests = [
      `${MARK} / HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /${MARK} ${MARK}\r\n\r\n`,
      `GET /${MARK} HTTP/1.1\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${MARK.repeat(HEADER_MAX_BYTES)}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: x\r\nExpect: ${MARK}\r\nConnection: close\r\n\r\n`,
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${MARK}\r\n\r\n`,
    ]
    for (const request of requests) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined)
      let response = ''
      socket.setEncoding('utf8').on('data', (piece) => (response += String(piece)))
      socket.end(request)
      await once(socket, 'close')
      assert.match(response, /^HTTP\/1.1 4/)
    }
    await setup.harness.inject({ method: 'GET', url: '/livez' })
  })

  /** Makes the next debits and credits fail with an unhandled error. */
  async function failsWith(setUp: string, tearDown: string) {
    const { harness } = setup
    await harness.admin.query(setUp)
    try {
      await movesNothing(harness.admin, async () => {
        for (const endpoint of [SERVER_ENDPOINTS.debit, SERVER_ENDPOINTS.credit]) {
          const response = await call(setup, endpoint, fieldsOf(endpoint), HEADERS)
          assert.equal(response.statusCode, 500)
          assert.deepEqual(response.json(), { error: UNHANDLED_ERROR.text, code: 'INTERNAL_ERROR' })
          const id = String(response.headers['x-request-id'])
          const lines = harness.logLines.filter((each) => each.includes(id))
          assert(lines.some((each) => each.includes('"level":"error"')))
        }
      })
    } finally {
      await harness.admin.query(tearDown)
    }
  }

  it('an unhandled error is logged without secrets', () =>
    failsWith(
      `create function ledger.fail() returns trigger language plpgsql as $$
       begin
         if new.description like '%${MARK}%' then raise exception 'planted'; end if;
         return new;
       end $$;
       create trigger fail before insert on ledger.operations
         for each row execute function ledger.fail()`,
      `drop trigger fail on ledger.operations; drop function ledger.fail()`,
    ))

  it('a database error that quotes the whole row is logged without secrets', () =>
    failsWith(
      `alter table ledger.operations add constraint fail
         check (position('${MARK.slice(0, 3)}' in description) = 0) not valid`,
      'alter table ledger.operations drop constraint fail',
    ))

  it('a lost database connection is logged without secrets', () =>
    withCuttableDatabase(async (cuttable, _admin, cut) => {
      const { serviceUserId } = cuttable.user
      const { credit } = SERVER_ENDPOINTS
      await cut()
      const response = await call(cuttable, credit, { ...fieldsOf(credit), serviceUserId }, HEADERS)
      assert.equal(response.statusCode, 503)
      await assertNoLeaks(cuttable.harness, secretsOf(cuttable))
      await setup.harness.inject({ method: 'GET', url: '/livez' })
    }))
})
