import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { delayBefore, renewalTime, wasStable } from './plan-renewal.ts'

const NOW = Date.UTC(2025, 2, 1)
const inSeconds = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()
const secondsUntil = (expiresAt: string) => (renewalTime(expiresAt, NOW) - NOW) / 1000

describe('a renewal', () => {
  it('is due half a minute before the session ends', () => {
    assert.equal(secondsUntil(inSeconds(300)), 270)
    assert.equal(secondsUntil(inSeconds(100)), 70)
  })

  it('is due within limits, however wrong the clock or the time is', () => {
    assert.equal(secondsUntil(inSeconds(-7200)), 30)
    assert.equal(secondsUntil(inSeconds(31)), 30)
    assert.equal(secondsUntil(inSeconds(7200)), 270)
    assert.equal(secondsUntil('soon'), 270)
    assert.equal(secondsUntil(''), 270)
  })

  it('is retried three times with growing delays, and the count restarts after a session that lasted', () => {
    assert.deepEqual([0, 1, 2, 3].map(delayBefore), [0, 1_000, 4_000, undefined])
    assert.equal(wasStable(undefined, NOW), false)
    assert.equal(wasStable(NOW - 60_000, NOW), false)
    assert.equal(wasStable(NOW - 60_001, NOW), true)
  })
})
