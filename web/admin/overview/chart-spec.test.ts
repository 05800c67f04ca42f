import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { niceMax } from './chart-spec.ts'

describe('niceMax', () => {
  it('is a round number above the largest value', () => {
    assert.deepEqual(
      [null, 0, 0.4, 1, 9, 10, 99].map((max) => niceMax(max)),
      [1, 1, 0.5, 1.5, 10, 15, 120],
    )
  })

  it('is whole for counts', () => {
    assert.deepEqual(
      [null, 0, 1, 2, 9].map((max) => niceMax(max, true)),
      [1, 1, 2, 3, 10],
    )
  })
})
