/** Marked secrets in every place that a caller can fill: none of them reaches a log line or a metric. */
import type { Endpoint } from '@coffer/contract/endpoint'
import { UNFORESEEN_TEXT } from '@coffer/contract/errors'
import { BODY_MAX_BYTES, HEADER_MAX_BYTES } from '@coffer/contract/limits'
import { SERVER_ENDPOINTS } from '@coffer/contract/server-api'
import { createSession } from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { issueLinkCode } from '../identity/exchange-link-code.ts'
import { assertSilence, MARK, MARKED_HEADERS as HEADERS } from '../test/canaries.ts'
import {
  basicOf,
  call,
  callRaw,
  movesNothing,
  onFragileStage,
  openStage,
  type Fields,
  type Stage,
} from '../test/setup.ts'

const ENDPOINTS = { ...SERVER_ENDPOINTS, createSession }

describe('canaries', () => {
  let stage: Stage
  let linkCode: string
  before(async () => {
    stage = await openStage()
    linkCode = await issueLinkCode(stage.harness.context.db, stage.user.serviceUserId)
  })
  after(() => stage.harness.end())

  /** Every test leaves lines behind, and no mark in them. */
  afterEach(() => assertSilence(stage.harness, secretsOf(stage)))

  function secretsOf({ app, user }: Stage) {
    const basic = basicOf(app).authorization.slice('Basic '.length)
    return [app.clientSecret, basic, user.serviceUserId, linkCode]
  }

  /** What every endpoint accepts, with marks wherever they may stand. */
  function fieldsOf(endpoint: Endpoint): Fields {
    const sound: Fields = {
      serviceUserId: stage.user.serviceUserId,
      amount: 1,
      requiredAmount: '1',
      referenceType: MARK,
      referenceId: `${MARK}-${randomUUID()}`,
      description: MARK,
      linkCode,
    }
    const names = Object.keys(endpoint.input.shape).filter((name) => name in sound)
    return { ...Object.fromEntries(names.map((name) => [name, sound[name]])), [MARK]: MARK }
  }

  for (const endpoint of Object.values<Endpoint>(ENDPOINTS)) {
    const title = `${endpoint.method} ${endpoint.path}`

    it(`${title} keeps its secrets when it succeeds`, async () => {
      const fields = fieldsOf(endpoint)
      if (endpoint === SERVER_ENDPOINTS.findOperation) {
        const { serviceUserId } = stage.user
        await call(stage, SERVER_ENDPOINTS.credit, { ...fields, serviceUserId, amount: 1 }, HEADERS)
      }
      const response = await call(stage, endpoint, fields, HEADERS)
      assert.equal(response.statusCode, 200)
      const none = { clientId: undefined, clientSecret: undefined }
      const basic = { ...HEADERS, ...basicOf(stage.app) }
      assert.equal((await call(stage, endpoint, { ...fields, ...none }, basic)).statusCode, 200)
    })

    it(`${title} keeps its secrets whichever field is refused`, async () => {
      const fields = fieldsOf(endpoint)
      const values = [MARK, `${MARK}\u0000`, `${MARK}\n"${MARK}`, MARK.repeat(200), [MARK, MARK]]
      for (const name of ['clientId', 'clientSecret', ...Object.keys(endpoint.input.shape)]) {
        for (const value of values) {
          const response = await call(stage, endpoint, { ...fields, [name]: value }, HEADERS)
          assert(response.statusCode < 500, response.body)
        }
      }
    })

    it(`${title} keeps its secrets when a header is refused`, async () => {
      const fields = { ...fieldsOf(endpoint), clientId: undefined, clientSecret: undefined }
      const wrong = { clientId: MARK, clientSecret: MARK }
      const credentials = [`Bearer ${MARK}`, `Basic ${MARK}`, MARK, basicOf(wrong).authorization]
      for (const authorization of credentials) {
        const response = await call(stage, endpoint, fields, { ...HEADERS, authorization })
        assert.equal(response.statusCode, 401)
      }
      const origin = { ...HEADERS, ...basicOf(stage.app), origin: `https://${MARK}.example` }
      assert.equal((await call(stage, endpoint, fields, origin)).statusCode, 403)
    })
  }

  it('bodies that are broken, huge or of another type leave nothing behind', async () => {
    const broken = [`{"${MARK}":`, MARK, `{"__proto__":"${MARK}"}`, `["${MARK}"]`]
    const huge = JSON.stringify({ description: MARK.repeat(BODY_MAX_BYTES) })
    for (const endpoint of Object.values<Endpoint>(ENDPOINTS)) {
      for (const body of [...broken, huge]) {
        const response = await callRaw(stage, endpoint, body, HEADERS)
        assert.match(String(response.statusCode), /^4/)
      }
      const type = { ...HEADERS, 'content-type': `text/${MARK}; boundary=${MARK}` }
      const response = await callRaw(stage, endpoint, MARK, type)
      assert.match(String(response.statusCode), /^4/)
    }
  })

  it('addresses and methods that we do not know leave nothing behind', async () => {
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
        const response = await stage.harness.inject(inject)
        assert(response.statusCode < 500, response.body)
      }
    }
  })

  it('requests that are no HTTP leave nothing behind', async () => {
    const { app } = stage.harness
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
      let answer = ''
      socket.setEncoding('utf8').on('data', (piece) => (answer += String(piece)))
      socket.end(request)
      await once(socket, 'close')
      assert.match(answer, /^HTTP\/1.1 4/)
    }
    await stage.harness.inject({ method: 'GET', url: '/livez' })
  })

  /** Makes the next debits and credits fail in a way that nobody foresaw. */
  async function failsWith(setUp: string, tearDown: string) {
    const { harness } = stage
    await harness.admin.query(setUp)
    try {
      await movesNothing(harness.admin, async () => {
        for (const endpoint of [SERVER_ENDPOINTS.debit, SERVER_ENDPOINTS.credit]) {
          const response = await call(stage, endpoint, fieldsOf(endpoint), HEADERS)
          assert.equal(response.statusCode, 500)
          assert.deepEqual(response.json(), { error: UNFORESEEN_TEXT })
          const id = String(response.headers['x-request-id'])
          const lines = harness.logLines.filter((each) => each.includes(id))
          assert(lines.some((each) => each.includes('"level":50')))
        }
      })
    } finally {
      await harness.admin.query(tearDown)
    }
  }

  it('a fault that nobody foresaw is logged without them', () =>
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

  it('a fault for which the database quotes the whole row is logged without them', () =>
    failsWith(
      `alter table ledger.operations add constraint fail
         check (position('${MARK.slice(0, 3)}' in description) = 0) not valid`,
      'alter table ledger.operations drop constraint fail',
    ))

  it('a database that went away is logged without them', () =>
    onFragileStage(async (fragile, _admin, cut) => {
      const { serviceUserId } = fragile.user
      const { credit } = SERVER_ENDPOINTS
      await cut()
      const response = await call(fragile, credit, { ...fieldsOf(credit), serviceUserId }, HEADERS)
      assert.equal(response.statusCode, 503)
      await assertSilence(fragile.harness, secretsOf(fragile))
      await stage.harness.inject({ method: 'GET', url: '/livez' })
    }))
})
