import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { previewBalance } from './amounts.ts'

describe('previewBalance', () => {
  it('adds and subtracts without the rounding errors of doubles', () => {
    assert.deepEqual(previewBalance(12, '25', false), { becomes: 37 })
    assert.deepEqual(previewBalance(0.1, '0.2', false), { becomes: 0.3 })
    assert.deepEqual(previewBalance(1.1, ' 1.0 ', true), { becomes: 0.1 })
    assert.deepEqual(previewBalance(9_999_999_999_999.99, '0.01', true), {
      becomes: 9_999_999_999_999.98,
    })
    assert.deepEqual(previewBalance(1.005, '0.001', false), { becomes: 1.006 })
    assert.deepEqual(previewBalance(5, '5', true), { becomes: 0 })
  })

  it('returns short if the balance is too low, and undefined without an amount', () => {
    assert.equal(previewBalance(5, '5.01', true), 'short')
    for (const typed of ['', '0', '0.00', '-1', '1e3', '1.2345', 'ten', '1,5']) {
      assert.equal(previewBalance(5, typed, false), undefined)
    }
  })
})
