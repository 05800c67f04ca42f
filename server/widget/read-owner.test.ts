import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maskEmail } from '../identity/read-owner.ts'

describe('a masked email address', () => {
  it('keeps the first character and the domain', () => {
    assert.equal(maskEmail('ada.lovelace@example.com'), 'a…@example.com')
  })

  it('does not show how short the local part is', () => {
    assert.equal(maskEmail('a@example.com'), 'a…@example.com')
  })

  it('keeps a whole character, not half a surrogate pair', () => {
    assert.equal(maskEmail('😀nice@example.com'), '😀…@example.com')
  })
})
