import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatUtc } from './format-utc.ts'

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
