import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { classifyResponse } from './classify-response.ts'
import { separateResults } from './separate-results.ts'

const response = { status: 200, isReplayed: false, differs: '', isOurs: true }
const DONE = { balance: 1.5, message: 'Debit completed.', currency: 'USD', transactionId: 'txn_1' }
const batchOf = (...results: object[]) => ({ ...response, text: JSON.stringify({ results }) })
const meaningsOf = (text: string, count: number, change = {}) =>
  separateResults({ ...response, text, ...change }, count).map(
    (each) => classifyResponse('debit', each).meaning,
  )

describe('the results of a batch', () => {
  it('become the responses of single calls', () => {
    const text = JSON.stringify(DONE)
    const replay = { idempotencyReplayed: true, idempotencyMismatch: 'amount' }
    assert.deepEqual(separateResults(batchOf({ status: 200, ...replay, ...DONE }), 1), [
      { ...response, text, isReplayed: true, differs: 'amount', retryAfter: undefined },
    ])
    const refusal = { error: 'No.', code: 'EARLIER_OPERATION_FAILED' }
    const [refused] = separateResults(batchOf({ status: 503, retryAfter: 1, ...refusal }), 1)
    assert.deepEqual([refused?.status, refused?.retryAfter], [503, '1'])
    assert.equal(refused?.text, JSON.stringify(refusal))
  })

  it('are wrong if one is missing or one is too much', () => {
    const { text } = batchOf({ status: 200, ...DONE }, { status: 200, ...DONE })
    assert.deepEqual(meaningsOf(text, 2), ['posted', 'posted'])
    assert.deepEqual(meaningsOf(text, 1), ['wrong'])
    assert.deepEqual(meaningsOf(text, 3), ['wrong', 'wrong', 'wrong'])
  })

  it('are the response of the whole batch if it was refused', () => {
    const text = JSON.stringify({ error: 'Later.', code: 'SERVICE_UNAVAILABLE' })
    assert.deepEqual(meaningsOf(text, 2, { status: 503 }), ['unknown', 'unknown'])
    assert.deepEqual(meaningsOf('', 2, { status: 502, isOurs: false }), ['unknown', 'unknown'])
  })
})
