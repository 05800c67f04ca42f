import fc from 'fast-check'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Operators } from './read-operators.ts'
import type { OperatorOrigins } from './second-operator-queries.ts'

function makeOperators(ties: [createdBy: number | null, resetBy?: number[]][]): Operators {
  return new Operators(
    ties.map(([createdBy, resetBy = []], at) => ({
      id: BigInt(at),
      email: `${at}`,
      mayGrant: true,
      createdBy: createdBy === null ? null : BigInt(createdBy),
      resetBy: resetBy.map(BigInt),
    })),
  )
}

const SIZE = 6
const someone = fc.integer({ min: 0, max: SIZE - 1 })
const ties = fc.array(fc.tuple(fc.option(someone), fc.array(someone, { maxLength: 2 })), {
  minLength: SIZE,
  maxLength: SIZE,
})

/** The definition itself: all operators that one person can act as, expanded until nothing is added. */
function actsAs(person: number, all: [number | null, number[]][]): Set<number> {
  const reached = new Set([person])
  for (let before = 0; before !== reached.size;) {
    before = reached.size
    all.forEach(([createdBy, resetBy], at) => {
      const makers = createdBy === null ? resetBy : [createdBy, ...resetBy]
      if (makers.some((maker) => reached.has(maker))) reached.add(at)
    })
  }
  return reached
}

describe('Operators', () => {
  it('relates two operators if and only if one person could act as both, for 5000 random relations', () => {
    fc.assert(
      fc.property(ties, (all) => {
        const operators = makeOperators(all)
        const people = all.map((_, at) => actsAs(at, all))
        for (let one = 0; one < SIZE; one++) {
          const related: bigint[] = []
          for (let other = 0; other < SIZE; other++) {
            const couldBeOne = people.some((each) => each.has(one) && each.has(other))
            const shared = operators.findShared(BigInt(one), BigInt(other))
            assert.equal(shared !== undefined, couldBeOne)
            if (couldBeOne) related.push(BigInt(other))
            if (shared === undefined) continue
            const who = people[Number(shared)]
            assert(who?.has(one) && who.has(other), 'the one who is named could act as both')
          }
          assert.deepEqual(operators.possibleAliasesOf(BigInt(one)), related)
        }
      }),
      { numRuns: 5_000 },
    )
  })

  it('returns the nearest operator who could act as both', () => {
    // 0 created 1 and 2, 1 created 3; 4 has no creator and reset the authenticator of 5.
    const operators = makeOperators([[null], [0], [0], [1], [null], [null, [4]]])
    const shared = (one: number, other: number) => operators.findShared(BigInt(one), BigInt(other))
    assert.equal(shared(0, 0), 0n)
    assert.equal(shared(1, 0), 0n)
    assert.equal(shared(0, 3), 0n)
    assert.equal(shared(3, 1), 1n)
    assert.equal(shared(3, 2), 0n)
    assert.equal(shared(5, 4), 4n)
    assert.equal(shared(5, 0), undefined)
  })

  it('lists who can be the second operator: active, with the role, and unrelated', () => {
    const all: OperatorOrigins[] = [
      { id: 1n, email: 'a', mayGrant: true, createdBy: null, resetBy: [] },
      { id: 2n, email: 'b', mayGrant: true, createdBy: 1n, resetBy: [] },
      { id: 3n, email: 'c', mayGrant: true, createdBy: null, resetBy: [] },
      { id: 4n, email: 'd', mayGrant: false, createdBy: null, resetBy: [] },
    ]
    const operators = new Operators(all)
    assert.deepEqual(operators.approversFor(1n), ['c'])
    assert.deepEqual(operators.approversFor(2n), ['c'])
    assert.deepEqual(operators.approversFor(3n), ['a', 'b'])
    assert.deepEqual(operators.approversFor(4n), ['a', 'b', 'c'])
    assert.deepEqual(
      [operators.mayGrant(3n), operators.mayGrant(4n), operators.emailOf(4n)],
      [true, false, 'd'],
    )
  })
})
