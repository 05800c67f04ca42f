import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ELEMENT_WORDS, makeFingerprintKey, SetSums } from './fingerprint.ts'

const KEY = makeFingerprintKey()
type Element = readonly number[]
const element = (seed: number): Element =>
  Array.from({ length: ELEMENT_WORDS }, (_, index) => Math.imul(seed + index, 0x9e3779b9))

function sumUp(added: Element[], subtracted: Element[], key = KEY): SetSums {
  const sums = new SetSums(key)
  for (const [elements, sign] of [
    [added, 1],
    [subtracted, -1],
  ] as const) {
    for (const each of elements) {
      sums.element.set(each)
      sums.add(7, sign)
    }
  }
  return sums
}

describe('the sums of fingerprints', () => {
  const elements = [1, 2, 3, 4, 5].map(element)

  it('are equal for equal sets in any order', () => {
    assert.deepEqual(sumUp(elements, elements.toReversed()).differences(), [])
  })

  it('differ if an element is missing, and name its group', () => {
    assert.deepEqual(sumUp(elements, elements.slice(1)).differences(), [7])
  })

  it('differ if an element exists twice', () => {
    assert.deepEqual(sumUp([...elements, element(1)], elements).differences(), [7])
  })

  it('differ if a bit of an element differs', () => {
    for (let bit = 0; bit < 32 * ELEMENT_WORDS; bit += 5) {
      const changed = element(1).map((word, index) =>
        index === bit >> 5 ? word ^ (1 << (bit & 31)) : word,
      )
      assert.deepEqual(sumUp([element(1)], [changed]).differences(), [7], `bit ${bit}`)
    }
  })

  it('differ if two elements exchange a part, although the sums of each part are the same', () => {
    const [first, second] = [element(1), element(2)]
    const exchanged = [
      [...first.slice(0, 4), ...second.slice(4)],
      [...second.slice(0, 4), ...first.slice(4)],
    ]
    assert.deepEqual(sumUp([first, second], exchanged).differences(), [7])
  })

  it('depend on the key', () => {
    const sums = [makeFingerprintKey(), makeFingerprintKey()].map(
      (key) => sumUp(elements, [], key).words,
    )
    assert.notDeepEqual(sums[0], sums[1])
  })

  it('of several shards add up', () => {
    const total = sumUp(elements.slice(0, 2), [])
    total.addAll(sumUp(elements.slice(2), elements).words)
    assert.deepEqual(total.differences(), [])
  })
})
