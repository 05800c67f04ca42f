import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { confidenceOfMedian, median, quartiles } from './statistics.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1).toReversed()

describe('the statistics of the bench', () => {
  it('the median is the middle value, or between the two in the middle', () => {
    assert.equal(median([3, 1, 2]), 2)
    assert.equal(median([4, 1, 3, 2]), 2.5)
    assert.equal(median([7]), 7)
  })

  it('the quartiles contain the middle half', () => {
    assert.deepEqual(quartiles(upTo(9)), { low: 3, high: 7 })
  })

  it('of fewer than six values, all enclose the median', () => {
    assert.deepEqual(confidenceOfMedian(upTo(5)), { low: 1, high: 5 })
  })

  // From tables of the sign test.
  for (const [count, low, high] of [
    [6, 1, 6],
    [8, 1, 8],
    [9, 2, 8],
    [20, 6, 15],
    [30, 10, 21],
    [40, 14, 27],
  ] as const) {
    it(`of ${count} values, numbers ${low} and ${high} enclose the median with a confidence of 95 %`, () => {
      assert.deepEqual(confidenceOfMedian(upTo(count)), { low, high })
    })
  }
})
