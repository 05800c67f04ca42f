/** What single calls send, and which response they accept. The tests against the real service are in coffer.test.ts. */
import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { isCofferError } from './errors.ts'
import { connectionError, scriptCoffer } from './test/script-fetch.ts'
import type { BatchOperation } from './types.ts'

afterEach(() => mock.restoreAll())

describe('operations and holds', () => {
  it('read their lists', async () => {
    const body = { operations: [{ referenceId: 'a' }], holds: [{ referenceId: 'b' }] }
    const { coffer, sent } = scriptCoffer([{ status: 200, body: { ...body, nextCursor: null } }])
    const found: string[] = []
    for await (const { referenceId } of coffer.operations()) found.push(referenceId)
    for await (const { referenceId } of coffer.holds()) found.push(referenceId)
    assert.deepEqual(found, ['a', 'b'])
    assert.deepEqual(
      sent.map(({ url }) => new URL(url).pathname),
      ['/api/server/operations/list', '/api/server/holds'],
    )
  })
})

describe('the calls that move or reserve money', () => {
  const reference = { referenceType: 'ORDER', referenceId: 'order-1' }
  const target = { referenceType: 'ORDER_PAYMENT', referenceId: 'order-2' }
  const common = { ...reference, description: 'Tea' }
  const money = { amount: 5, ...common, metadata: { table: '12' } }
  const ofUser = { serviceUserId: 'su_1', ...money }
  const OPERATIONS = [
    { type: 'debit', ...ofUser },
    { type: 'credit', ...ofUser },
    { type: 'refund', debit: target, ...money },
    { type: 'hold', ...ofUser, expiresInSeconds: 60 },
    { type: 'capture', hold: target, amount: 5, ...common, isFinal: false },
    { type: 'release', hold: target, ...common },
  ] as const satisfies BatchOperation[]
  const PROOFS = {
    debit: 'balance',
    credit: 'balance',
    refund: 'refundable',
    hold: 'expiresAt',
    capture: 'captured',
    release: 'released',
  }
  const url = 'https://wallet.example/api/server/wallet'

  it('send their fields, and no others of the object, and accept only their own response', async () => {
    for (const { type, ...input } of OPERATIONS) {
      const right = { status: 200, body: { [PROOFS[type]]: 1 } }
      const { coffer, sent } = scriptCoffer([right, { status: 200, body: { message: 'Done.' } }])
      const call = () => coffer[type]({ ...input, type: 'secret', secret: 'x' } as never)
      assert.deepEqual(await call(), { ...right.body, replayed: false })
      await assert.rejects(call(), (error) => isCofferError(error, 'OUTCOME_UNKNOWN'))
      assert.deepEqual([sent[0]?.method, sent[0]?.url], ['POST', `${url}/${type}`])
      assert.deepEqual(JSON.parse(String(sent[0]?.body)), input)
      mock.restoreAll()
    }
  })

  it('are sent in a batch with the same fields', async () => {
    const body = { results: OPERATIONS.map(() => ({ status: 200 })) }
    const { coffer, sent } = scriptCoffer([{ status: 200, body }])
    assert.deepEqual(
      await coffer.batch(OPERATIONS.map((each) => ({ ...each, secret: 'x' }))),
      body.results,
    )
    assert.deepEqual([sent[0]?.method, sent[0]?.url], ['POST', `${url}/batch`])
    assert.deepEqual(JSON.parse(String(sent[0]?.body)), { operations: OPERATIONS })
  })

  it('a batch in doubt has one result per operation, and the text of the failure', async () => {
    const { coffer, sent } = scriptCoffer([connectionError('ECONNRESET')])
    const results = await coffer.batch(OPERATIONS)
    assert.equal(sent.length, 5)
    assert.equal(results.length, OPERATIONS.length)
    for (const result of results) {
      assert(result.status === 503)
      assert.equal(result.code, 'OUTCOME_UNKNOWN')
      assert.match(result.error, /^It is not known whether .* same referenceType .*\(ECONNRESET\)/)
    }
  })
})
