/** What single calls send, and which response they accept. The tests against the real service are in coffer.test.ts. */
import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { isCofferError } from './errors.ts'
import { scriptCoffer } from './test/script-fetch.ts'

afterEach(() => mock.restoreAll())

describe('the calls beside debit and credit', () => {
  const REFUND = {
    debit: { referenceType: 'ORDER_PAYMENT', referenceId: 'order-1' },
    amount: 5,
    referenceType: 'ORDER_REFUND',
    referenceId: 'refund-1',
    description: 'Cold tea',
    metadata: { table: '12' },
  }

  it('refund sends what it is given, and accepts the response to a refund only', async () => {
    const body = { balance: 85, message: 'Done.', currency: 'USD', refunded: 5, refundable: 14.99 }
    const { coffer, sent } = scriptCoffer([{ status: 200, body }])
    assert.equal((await coffer.refund(REFUND)).refundable, 14.99)
    assert.deepEqual(
      sent.map(({ method, url }) => [method, url]),
      [['POST', 'https://wallet.example/api/server/wallet/refund']],
    )
    assert.deepEqual(JSON.parse(String(sent[0]?.body)), REFUND)
    mock.restoreAll()
    const other = scriptCoffer([{ status: 200, body: { balance: 85 } }])
    await assert.rejects(other.coffer.refund(REFUND), (error) =>
      isCofferError(error, 'OUTCOME_UNKNOWN'),
    )
  })

  it('operations and holds read their lists', async () => {
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
