import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { measureGaps } from '../check/measure-gaps.ts'
import { Dice } from '../clients/dice.ts'
import { scheduleFaults } from './schedule-faults.ts'

describe('the fault schedule', () => {
  const kinds = ['a', 'b', 'c', 'd', 'e']
  const draw = (seed: number) => scheduleFaults(kinds, new Dice(seed, 'ledger')).take(12).toArray()

  it('gives the same faults in the same order for the same seed', () => {
    assert.deepEqual(draw(7), draw(7))
    assert.notDeepEqual(draw(7), draw(8))
  })

  it('gives every kind once before one is repeated', () => {
    assert.deepEqual(draw(7).slice(0, 5).toSorted(), kinds)
  })

  it('measures the longest time without a write during the fault', () => {
    const writes = Float64Array.from([0, 10, 20, 500, 520, 900, 5_000, 9_000])
    const fault = { kind: 'a', track: 'ledger', startMs: 30, endMs: 40, failovers: 0 } as const
    const gapOf = (startMs: number, endMs: number) =>
      measureGaps(writes, [{ ...fault, startMs, endMs }])[0]?.gapMs
    assert.equal(gapOf(30, 40), 4_100)
    assert.equal(gapOf(5_500, 5_600), 4_000)
  })

  it('does not count the gap of the next fault', () => {
    const writes = Float64Array.from([0, 10, 20, 500, 520, 900, 5_000, 9_000])
    const fault = { kind: 'a', track: 'ledger', startMs: 30, endMs: 40, failovers: 0 } as const
    const next = { ...fault, startMs: 850, endMs: 1_000 }
    const gaps = measureGaps(writes, [fault, next]).map(({ gapMs }) => gapMs)
    assert.deepEqual(gaps, [480, 4_100])
  })
})
