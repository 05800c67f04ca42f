import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { hashPadded, pad, paddedBytes } from './sha256.ts'

describe('hashPadded', () => {
  it('returns the same as node:crypto, for every length', () => {
    for (let length = 0; length <= 300; length++) {
      // Bytes from an earlier, longer input must not matter.
      const bytes = Buffer.alloc(400, 0xff)
      const input = randomBytes(length)
      input.copy(bytes)
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
      pad(view, length)
      const words = hashPadded(view, paddedBytes(length))
      const hex = Array.from(words, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
      assert.equal(hex, hash('sha256', input), `${length} bytes`)
    }
  })
})
