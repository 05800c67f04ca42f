import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { hashInput, input, pad, paddedBytes } from './sha256.ts'

describe('hashInput', () => {
  it('returns the same as node:crypto, for every length', () => {
    for (let length = 0; length <= 300; length++) {
      // Bytes from an earlier, longer input must not matter.
      input.fill(0xff, 0, 400)
      const bytes = randomBytes(length)
      input.set(bytes)
      pad(input, length)
      const words = hashInput(paddedBytes(length))
      const hex = Array.from(words, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
      assert.equal(hex, hash('sha256', bytes), `${length} bytes`)
    }
  })
})
