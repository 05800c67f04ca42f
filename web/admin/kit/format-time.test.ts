import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatAge, formatUtc } from './format-time.ts'

describe('formatUtc', () => {
  const now = new Date('2026-11-17T12:00:00Z')
  for (const [timestamp, text] of [
    ['2026-11-15T15:34:14.123Z', '15 Nov 15:34:14'],
    ['2026-01-01T00:00:00.000Z', '1 Jan 00:00:00'],
    ['2025-12-31T23:59:59.999Z', '31 Dec 2025 23:59:59'],
    ['2026-01-01T00:30:00+01:00', '31 Dec 2025 23:30:00'],
  ] as const) {
    it(`shows ${timestamp} as ${text}`, () => assert.equal(formatUtc(timestamp, now), text))
  }
})

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
