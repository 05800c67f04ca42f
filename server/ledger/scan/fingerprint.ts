/**
 * Compares two large sets without sorting them or looking up each element: both sides add up a fingerprint of every
 * element in any order, and equal sums mean equal sets. The fingerprint is HalfSipHash-1-3 with a random key, so that
 * somebody who can change the books cannot choose elements whose fingerprints cancel each other out.
 *
 * There is one sum for each group of wallets. If the sets differ, the groups tell where.
 */
import { randomBytes } from 'node:crypto'

/** A power of two. */
const GROUPS = 65_536
export const GROUP_MASK = GROUPS - 1

export type FingerprintKey = readonly [number, number]

export function makeFingerprintKey(): FingerprintKey {
  const bytes = randomBytes(8)
  return [bytes.readInt32LE(0), bytes.readInt32LE(4)]
}

/**
 * An element: the digest of a pair (combined with that of the target, for refunds and changes of holds), the wallet, the seq, the time and the outcome (kind, amount and balance), in words of
 * 32 bits.
 */
export const ELEMENT_WORDS = 15

/** The sums of 64 bits, in two words each, of all groups. */
export class SetSums {
  readonly element = new Int32Array(ELEMENT_WORDS)
  readonly words = new Int32Array(2 * GROUPS)
  readonly #key: FingerprintKey

  constructor(key: FingerprintKey) {
    this.#key = key
  }

  /** Adds the fingerprint of `element` to the sum of its group; subtracts it if the sign is -1. */
  add(group: number, sign: 1 | -1) {
    const [k0, k1] = this.#key
    const { element } = this
    let v0 = k0
    let v1 = k1 ^ 0xee
    let v2 = 0x6c796765 ^ k0
    let v3 = 0x74656462 ^ k1
    let low = 0
    // The words of the element and its length, then three rounds for each word of the result.
    for (let step = 0; step < ELEMENT_WORDS + 7; step++) {
      const isInput = step <= ELEMENT_WORDS
      const word = step < ELEMENT_WORDS ? (element[step] as number) : (4 * ELEMENT_WORDS) << 24
      if (isInput) v3 ^= word
      else if (step === ELEMENT_WORDS + 1) v2 ^= 0xee
      else if (step === ELEMENT_WORDS + 4) {
        low = v1 ^ v3
        v1 ^= 0xdd
      }
      v0 = (v0 + v1) | 0
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
      v0 = (v0 << 16) | (v0 >>> 16)
      v2 = (v2 + v3) | 0
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
      v0 = (v0 + v3) | 0
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
      v2 = (v2 + v1) | 0
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
      v2 = (v2 << 16) | (v2 >>> 16)
      if (isInput) v0 ^= word
    }
    const at = 2 * group
    const { words } = this
    words[at] = (words[at] as number) + sign * low
    words[at + 1] = (words[at + 1] as number) + sign * (v1 ^ v3)
  }

  addAll(words: Int32Array) {
    words.forEach((word, at) => (this.words[at] = (this.words[at] as number) + word))
  }

  /** The groups in which the two sets differ. */
  differences(): number[] {
    const groups: number[] = []
    for (let group = 0; group < GROUPS; group++) {
      if (this.words[2 * group] !== 0 || this.words[2 * group + 1] !== 0) groups.push(group)
    }
    return groups
  }
}
