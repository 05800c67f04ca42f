import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gatherMs, QueueLimit } from './queue-limit.ts'

const OPTIONS = { lanes: 1, batchMax: 256, capacity: 4_096 }

describe('the room in the queue', () => {
  it('is the whole capacity before any batch is measured, and after small batches, however slow', () => {
    const queueLimit = new QueueLimit(OPTIONS)
    assert.equal(queueLimit.roomAt(0), 4_096)
    for (let nowMs = 0; nowMs < 1_000; nowMs += 100) {
      queueLimit.observe({ size: 63, durationMs: 2_000, isSide: false }, nowMs)
    }
    assert.equal(queueLimit.roomAt(1_000), 4_096)
  })

  it('is the number of requests that full batches execute in half a second, per lane', () => {
    for (const [lanes, room] of [
      [1, 1_280],
      [2, 2_560],
    ] as const) {
      const queueLimit = new QueueLimit({ ...OPTIONS, lanes })
      for (const nowMs of [0, 100])
        queueLimit.observe({ size: 256, durationMs: 100, isSide: false }, nowMs)
      assert.equal(queueLimit.roomAt(200), room)
    }
  })

  it('does not depend on batches that waited for a lock', () => {
    const queueLimit = new QueueLimit(OPTIONS)
    for (const nowMs of [0, 1_000]) {
      queueLimit.observe({ size: 256, durationMs: 1_000, isSide: true }, nowMs)
    }
    assert.equal(queueLimit.roomAt(1_000), 4_096)
  })

  it('is at least one batch and at most the capacity', () => {
    const slow = new QueueLimit(OPTIONS)
    for (const nowMs of [0, 2_000])
      slow.observe({ size: 64, durationMs: 2_000, isSide: false }, nowMs)
    assert.equal(slow.roomAt(2_000), 256)
    const fast = new QueueLimit(OPTIONS)
    for (const nowMs of [0, 5]) fast.observe({ size: 256, durationMs: 5, isSide: false }, nowMs)
    assert.equal(fast.roomAt(5), 4_096)
  })

  it('does not shrink after a single slow batch, and recovers after a fast batch or after a minute', () => {
    const queueLimit = new QueueLimit(OPTIONS)
    queueLimit.observe({ size: 256, durationMs: 10, isSide: false }, 0)
    queueLimit.observe({ size: 256, durationMs: 2_000, isSide: false }, 2_000)
    assert.equal(queueLimit.roomAt(2_000), 4_096)
    queueLimit.observe({ size: 256, durationMs: 2_000, isSide: false }, 4_000)
    assert.equal(queueLimit.roomAt(4_000), 256)
    queueLimit.observe({ size: 64, durationMs: 5, isSide: false }, 5_000)
    assert.equal(queueLimit.roomAt(5_000), 4_096)
    for (const nowMs of [6_000, 8_000])
      queueLimit.observe({ size: 256, durationMs: 2_000, isSide: false }, nowMs)
    assert.equal(queueLimit.roomAt(67_999), 256)
    assert.equal(queueLimit.roomAt(68_000), 4_096)
  })

  it('is rounded down, and at least one batch for each lane', () => {
    const queueLimit = new QueueLimit({ ...OPTIONS, lanes: 2 })
    queueLimit.observe({ size: 100, durationMs: 97, isSide: false }, 0)
    // 100 / 97 * 500 * 2 = 1030.9
    assert.equal(queueLimit.roomAt(0), 1_030)
    for (const nowMs of [1, 2])
      queueLimit.observe({ size: 64, durationMs: 5_000, isSide: false }, nowMs)
    assert.equal(queueLimit.roomAt(2), 512)
  })

  it('is never more than the capacity, however many lanes there are', () => {
    const queueLimit = new QueueLimit({ lanes: 64, batchMax: 256, capacity: 4_096 })
    queueLimit.observe({ size: 256, durationMs: 60_000, isSide: false }, 0)
    assert.equal(queueLimit.roomAt(0), 4_096)
  })

  it('follows the faster of the last two batches, in either order, and ignores older ones', () => {
    for (const durations of [
      [100, 200],
      [200, 100],
      [10, 200, 100],
    ]) {
      const queueLimit = new QueueLimit(OPTIONS)
      for (const durationMs of durations)
        queueLimit.observe({ size: 256, durationMs, isSide: false }, 0)
      assert.equal(queueLimit.roomAt(0), 1_280, String(durations))
    }
  })

  it('ignores a fast batch that is more than a minute old if there is a newer one', () => {
    const queueLimit = new QueueLimit(OPTIONS)
    queueLimit.observe({ size: 256, durationMs: 100, isSide: false }, 0)
    queueLimit.observe({ size: 256, durationMs: 200, isSide: false }, 30_000)
    assert.equal(queueLimit.roomAt(59_999), 1_280)
    assert.equal(queueLimit.roomAt(60_000), 640)
  })

  it('counts only batches of at least a quarter of the maximum size', () => {
    const queueLimit = new QueueLimit(OPTIONS)
    queueLimit.observe({ size: 63, durationMs: 63, isSide: false }, 0)
    assert.equal(queueLimit.roomAt(0), 4_096)
    queueLimit.observe({ size: 64, durationMs: 64, isSide: false }, 0)
    assert.equal(queueLimit.roomAt(0), 500)
  })
})

describe('the wait for more requests', () => {
  const waitAfter = (size: number, durationMs: number) =>
    gatherMs({ size, durationMs, isSide: false })

  it('is a third of the last batch, and at most three milliseconds', () => {
    assert.deepEqual(
      [4, 6, 9, 30, 5_000].map((durationMs) => waitAfter(32, durationMs)),
      [1, 2, 3, 3, 3],
    )
  })

  it('is nothing after a small or a fast batch', () => {
    assert.equal(waitAfter(31, 30), 0)
    assert.equal(waitAfter(256, 2.9), 0)
  })
})
