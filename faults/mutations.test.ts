import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { Dice } from './clients/dice.ts'
import { INVARIANTS } from './check/findings.ts'
import { measureGaps } from './check/measure-gaps.ts'
import { MUTATIONS } from './mutations.ts'
import { scheduleFaults } from './inject/schedule-faults.ts'
import { PLANTED_BUGS } from './planted-bugs.ts'

describe('mutations', () => {
  for (const [name, mutations = []] of Object.entries(MUTATIONS)) {
    it(`${name} matches the source that it changes`, () => {
      for (const { file, find, replace } of mutations) {
        const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
        assert.equal(source.split(find).length - 1, 1, `${file} should contain once: ${find}`)
        assert.notEqual(find, replace)
      }
    })
  }

  it('every planted bug has a mutation, and every mutation except the failpoints has a bug', () => {
    const names = Object.keys(MUTATIONS).filter((name) => name !== 'failpoints')
    assert.deepEqual(names.toSorted(), PLANTED_BUGS.map(({ mutation }) => mutation).toSorted())
    for (const { caughtBy } of PLANTED_BUGS) {
      if (typeof caughtBy === 'string') continue
      if ('test' in caughtBy) {
        const source = readFileSync(new URL(`../${caughtBy.test}`, import.meta.url), 'utf8')
        assert(source.includes(caughtBy.title), caughtBy.title)
      } else for (const invariant of caughtBy.invariants) assert(invariant in INVARIANTS)
    }
  })
})

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
