/** Responses of the service have the status, the headers and the fields that the OpenAPI document lists for them. */
import type { Endpoint } from '@coffer/contract/endpoint'
import { buildOpenApi } from '@coffer/contract/openapi'
import { batch } from '@coffer/contract/server/batch'
import * as server from '@coffer/contract/server/wallet'
import { createIntent, createSession } from '@coffer/contract/widget/widget'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createProof } from '../factories.ts'
import { call, withCuttableDatabase, openSetup, type Fields, type Setup } from '../setup.ts'

interface Header {
  required?: boolean
  schema: { pattern?: string; enum?: string[]; maximum?: number }
}
interface Listed {
  headers: Record<string, unknown>
  content: Record<string, { schema: { $ref: string } }>
}
const { verifier } = createProof()
const document = buildOpenApi() as {
  paths: Record<string, Record<string, { responses: Record<string, Listed> }>>
  components: {
    headers: Record<string, Header>
    schemas: Record<string, { required: string[]; properties: Record<string, unknown> }>
  }
}

function assertListed({ path, method }: Endpoint, response: LightMyRequestResponse) {
  const operation = document.paths[path]?.[method.toLowerCase()]
  const listed = operation?.responses[response.statusCode]
  assert(listed, `${path} ${response.statusCode}: ${response.body}`)
  for (const [name, { required, schema }] of Object.entries(document.components.headers)) {
    const value = response.headers[name.toLowerCase()]
    const isListed = name in listed.headers
    assert(isListed || value === undefined, `${path} ${response.statusCode} has ${name}`)
    if (isListed && required) assert(value !== undefined, `${path} has no ${name}`)
    if (value === undefined) continue
    assert.match(String(value), new RegExp(schema.pattern ?? ''))
    if (schema.enum) assert(schema.enum.includes(String(value)))
    if (schema.maximum) assert(Number(value) >= 1 && Number(value) <= schema.maximum)
  }
  const name = listed.content['application/json']?.schema.$ref.split('/').at(-1) ?? ''
  const { required, properties } = document.components.schemas[name] ?? assert.fail(name)
  const fields = Object.keys(response.json<Fields>())
  assert.deepEqual(
    required.filter((field) => !fields.includes(field)),
    [],
  )
  assert.deepEqual(
    fields.filter((field) => !(field in properties)),
    [],
  )
}

describe('the responses that the OpenAPI document lists', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup({ APP_REQUESTS_PER_SECOND: '100000' })
  })
  after(() => setup.harness.end())

  const pair = () => ({ referenceType: 'ORDER', referenceId: randomUUID() })
  const payment = (amount: unknown) => ({
    serviceUserId: setup.user.serviceUserId,
    amount,
    ...pair(),
  })
  async function check(endpoint: Endpoint, fields: Fields, status: number) {
    const response = await call(setup, endpoint, fields)
    assert.equal(response.statusCode, status, response.body)
    assertListed(endpoint, response)
    return response
  }

  it('200, replayed and with another amount', async () => {
    for (const endpoint of [server.debit, server.credit]) {
      const fields = payment(1)
      await check(endpoint, fields, 200)
      assert.equal((await check(endpoint, fields, 200)).headers['idempotency-replayed'], 'true')
      const other = { ...fields, amount: 2, serviceUserId: 'su_unknown' }
      const { headers } = await check(endpoint, other, 200)
      assert.equal(headers['idempotency-mismatch'], 'amount, serviceUserId')
      const { referenceType, referenceId } = fields
      await check(server.findOperation, { referenceType, referenceId }, 200)
    }
    const operations = [{ type: 'debit', ...payment(1) }, { type: 'credit' }]
    const response = await check(batch, { operations: [...operations, operations[0]] }, 200)
    const results = document.components.schemas['BatchResult'] ?? assert.fail()
    for (const result of response.json<{ results: Fields[] }>().results) {
      assert.deepEqual(
        results.required.filter((field) => !(field in result)),
        [],
      )
      assert.deepEqual(
        Object.keys(result).filter((field) => !(field in results.properties)),
        [],
      )
    }
    const { serviceUserId } = setup.user
    await check(server.readWallet, { serviceUserId }, 200)
    await check(server.checkBalance, { serviceUserId, requiredAmount: '1' }, 200)
    await check(createSession, { serviceUserId }, 200)
  })

  it('a recorded refusal, replayed', async () => {
    const fields = payment(999_999)
    await check(server.debit, fields, 400)
    const { headers } = await check(server.debit, fields, 400)
    assert.equal(headers['idempotency-replayed'], 'true')
  })

  it('other refusals', async () => {
    const nobody = { serviceUserId: 'su_unknown' }
    await check(server.readWallet, nobody, 401)
    await check(server.checkBalance, { ...nobody, requiredAmount: '1' }, 401)
    await check(server.debit, { ...payment(1), ...nobody }, 404)
    await check(createSession, nobody, 404)
    await check(server.credit, payment('1e2'), 400)
    await check(server.findOperation, pair(), 404)
    await check(server.debit, { ...payment(1), clientSecret: 'wrong' }, 401)
    await check(server.exchangeLinkCode, { linkCode: 'lc_unknown', verifier }, 400)
    // The service has no card processor here.
    await check(createIntent, { amount: 1 }, 502)
  })

  it('429 and 503', async () => {
    const limited = await openSetup({ APP_REQUESTS_PER_SECOND: '1' })
    const { serviceUserId } = limited.user
    const responses = [1, 2, 3].map(() => call(limited, server.readWallet, { serviceUserId }))
    const refused = (await Promise.all(responses)).find(({ statusCode }) => statusCode === 429)
    assertListed(server.readWallet, refused ?? assert.fail('no request was refused'))
    await limited.harness.end()
    await withCuttableDatabase(async (cuttable, _admin, cut) => {
      await cut()
      const fields = { ...payment(1), serviceUserId: cuttable.user.serviceUserId }
      const response = await call(cuttable, server.debit, fields)
      assert.equal(response.statusCode, 503)
      assertListed(server.debit, response)
    })
  })
})

describe('INVALID_REQUEST', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  it('says which field is invalid, and what it must be', async () => {
    const { serviceUserId } = setup.user
    const payment = { serviceUserId, amount: 1, referenceType: 'ORDER', referenceId: '1' }
    const text = (least: number, most: number) =>
      `must be a string of ${least} to ${most} characters without control characters.`
    const cursor = 'The field cursor must be the nextCursor of the previous page of this user.'
    const cases: [Endpoint, Fields, string][] = [
      [server.debit, { ...payment, referenceId: 7 }, `The field referenceId ${text(1, 255)}`],
      [
        server.credit,
        { ...payment, referenceType: undefined },
        `The field referenceType is missing. It ${text(1, 64)}`,
      ],
      [
        server.credit,
        { ...payment, description: 'a\nb' },
        'The field description must be a string of at most 500 characters without control characters.',
      ],
      [
        server.readWallet,
        { serviceUserId, limit: '101' },
        'The field limit must be a number from 1 to 100.',
      ],
      [server.readWallet, { serviceUserId, cursor: 'txn_1' }, cursor],
      [
        server.checkBalance,
        { serviceUserId: [serviceUserId, serviceUserId], requiredAmount: '1' },
        'The field serviceUserId must be sent only once.',
      ],
      [
        server.findOperation,
        { referenceType: 'A' },
        `The field referenceId is missing. It ${text(1, 255)}`,
      ],
      [
        server.exchangeLinkCode,
        { linkCode: 'a b', verifier },
        'The field linkCode must be the linkCode of SERVICE_AUTH_SUCCESS, a string of 1 to 128 printable ASCII characters without spaces.',
      ],
      [
        server.exchangeLinkCode,
        { linkCode: 'lc_1' },
        'The field verifier is missing. It must be a string of 43 to 128 letters, digits and the characters - . _ ~.',
      ],
      [
        server.exchangeLinkCode,
        { linkCode: 'lc_1', verifier: 'short' },
        'The field verifier must be a string of 43 to 128 letters, digits and the characters - . _ ~.',
      ],
      [
        createSession,
        { serviceUserId, parentOrigin: 5 },
        'The field parentOrigin must be the origin of a page, such as https://shop.example.',
      ],
    ]
    for (const [endpoint, fields, expected] of cases) {
      const response = await call(setup, endpoint, fields)
      assert.equal(response.json().error, `Invalid request. ${expected}`)
      assert.equal(response.statusCode, 400)
    }
  })
})
