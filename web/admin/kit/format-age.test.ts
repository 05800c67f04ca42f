import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatAge } from './format-age.ts'

describe('formatAge', () => {
  it('returns the largest unit, and at least one minute', () => {
    const now = new Date('2026-01-31T12:00:00Z')
    const age = (at: string) => formatAge(at, now)
    assert.equal(age('2026-01-31T12:00:30Z'), '1 minute')
    assert.equal(age('2026-01-31T11:59:10Z'), '1 minute')
    assert.equal(age('2026-01-31T11:00:01Z'), '59 minutes')
    assert.equal(age('2026-01-31T11:00:00Z'), '1 hour')
    assert.equal(age('2026-01-30T12:00:01Z'), '23 hours')
    assert.equal(age('2026-01-29T11:00:00Z'), '2 days')
  })
})
