import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRateLimit } from './rate-limit.ts'

const HOUR = 3600

describe('a rate limit', () => {
  it('counts each key separately', () => {
    const mayCall = createRateLimit(2, HOUR)
    assert.deepEqual([mayCall('a'), mayCall('a'), mayCall('a')], [true, true, false])
    assert.equal(mayCall('b'), true)
  })

  it('does not count a call that only checks the limit', () => {
    const mayCall = createRateLimit(1, HOUR)
    assert.deepEqual([mayCall('a', 0), mayCall('a'), mayCall('a', 0)], [true, true, false])
  })

  it('counts a call as several, and refuses it if they are too many', () => {
    const mayCall = createRateLimit(10, HOUR)
    assert.deepEqual([mayCall('a', 8), mayCall('a', 3), mayCall('a', 2)], [true, false, true])
    assert.equal(mayCall('a'), false)
  })

  it('allows more calls at once than it holds only if it is full, and waits for the rest', (test) => {
    let nowMs = 0
    test.mock.method(performance, 'now', () => nowMs)
    const mayCall = createRateLimit(10)
    assert.equal(mayCall('a', 35), true)
    nowMs = 2_500
    assert.equal(mayCall('a'), false)
    nowMs = 2_600
    assert.deepEqual([mayCall('a', 35), mayCall('a')], [false, true])
    nowMs = 3_600
    assert.equal(mayCall('a', 35), true)
  })

  it('saves up no more than its count, however long a key is quiet', (test) => {
    let nowMs = 0
    test.mock.method(performance, 'now', () => nowMs)
    const mayCall = createRateLimit(2, HOUR)
    assert.equal(mayCall('a'), true)
    nowMs = 24 * HOUR * 1000
    assert.deepEqual([mayCall('a'), mayCall('a'), mayCall('a')], [true, true, false])
  })

  it('keeps the bucket of a key in use while an attacker fills the table with other keys', () => {
    const keysMax = 100
    const mayCall = createRateLimit(3, HOUR, keysMax)
    for (let call = 0; call < 3; call++) assert.equal(mayCall('victim'), true)
    for (let key = 0; key < keysMax * 10; key++) {
      mayCall(`invented ${key}`)
      if (key % 50 === 0) assert.equal(mayCall('victim'), false, `reset after ${key} keys`)
    }
    assert.equal(mayCall('victim'), false)
  })

  it('takes hardly longer for an invented key when the table is full', () => {
    const mayCall = createRateLimit(1)
    const [filling, full] = [100_000, 10_000].map((count) => {
      const startedMs = performance.now()
      for (let key = 0; key < count; key++) mayCall(`invented ${count} ${key}`)
      return (performance.now() - startedMs) / count
    })
    assert.ok((full ?? 0) < (filling ?? 0) * 20, `${full} ms instead of ${filling} ms`)
  })

  it('removes only the least recently used key when the table is full', () => {
    const mayCall = createRateLimit(1, HOUR, 3)
    for (const key of ['a', 'b', 'c', 'a']) mayCall(key)
    mayCall('d')
    assert.deepEqual([mayCall('a'), mayCall('c'), mayCall('d')], [false, false, false])
    assert.equal(mayCall('b'), true, 'b was used least recently')
  })
})
