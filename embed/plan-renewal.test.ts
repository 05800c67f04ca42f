import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pauseBefore, renewalTime, wasGood } from './plan-renewal.ts'

const NOW = Date.UTC(2025, 2, 1)
const inSeconds = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()
const secondsUntil = (expiresAt: string) => (renewalTime(expiresAt, NOW) - NOW) / 1000

describe('planning renewals', () => {
  it('half a minute before the end', () => {
    assert.equal(secondsUntil(inSeconds(300)), 270)
    assert.equal(secondsUntil(inSeconds(100)), 70)
  })

  it('within reason, however wrong the clock or the time is', () => {
    assert.equal(secondsUntil(inSeconds(-7200)), 30)
    assert.equal(secondsUntil(inSeconds(31)), 30)
    assert.equal(secondsUntil(inSeconds(7200)), 270)
    assert.equal(secondsUntil('soon'), 270)
    assert.equal(secondsUntil(''), 270)
  })

  it('three times in a row, ever later, and anew after a good session', () => {
    assert.deepEqual([0, 1, 2, 3].map(pauseBefore), [0, 1_000, 4_000, undefined])
    assert.equal(wasGood(undefined, NOW), false)
    assert.equal(wasGood(NOW - 59_000, NOW), false)
    assert.equal(wasGood(NOW - 61_000, NOW), true)
  })
})
