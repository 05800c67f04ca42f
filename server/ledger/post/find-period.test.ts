/** Periods of time zones, with known cases and with properties of all of them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { findPeriod, isTimeZone, localDay, startOfDay } from './find-period.ts'
import { UNITS, type Unit } from '../types.ts'

const HOUR_MS = 3_600_000

/** From, to and the number of hours. */
type Case = [unit: Unit, timeZone: string, at: string, from: string, to: string, hours: number]

const CASES: Case[] = [
  ['day', 'UTC', '2026-11-17T23:59:59.999Z', '2026-11-17T00:00:00Z', '2026-11-18T00:00:00Z', 24],
  // Clocks are set forward and back.
  [
    'day',
    'Europe/Berlin',
    '2026-03-29T12:00:00Z',
    '2026-03-28T23:00:00Z',
    '2026-03-29T22:00:00Z',
    23,
  ],
  [
    'day',
    'Europe/Berlin',
    '2026-10-25T12:00:00Z',
    '2026-10-24T22:00:00Z',
    '2026-10-25T23:00:00Z',
    25,
  ],
  [
    'day',
    'Australia/Lord_Howe',
    '2026-10-04T00:00:00Z',
    '2026-10-03T13:30:00Z',
    '2026-10-04T13:00:00Z',
    23.5,
  ],
  // Far from UTC, and not a whole hour.
  [
    'day',
    'Pacific/Kiritimati',
    '2026-11-17T10:00:00Z',
    '2026-11-17T10:00:00Z',
    '2026-11-18T10:00:00Z',
    24,
  ],
  [
    'day',
    'Asia/Kathmandu',
    '2026-11-17T18:15:00Z',
    '2026-11-17T18:15:00Z',
    '2026-11-18T18:15:00Z',
    24,
  ],
  // The day starts at one, because clocks are set forward at midnight.
  [
    'day',
    'Africa/Cairo',
    '2026-04-24T12:00:00Z',
    '2026-04-23T22:00:00Z',
    '2026-04-24T21:00:00Z',
    23,
  ],
  // The day ends an hour later, because clocks are set back at midnight.
  [
    'day',
    'America/Sao_Paulo',
    '2018-02-17T12:00:00Z',
    '2018-02-17T02:00:00Z',
    '2018-02-18T03:00:00Z',
    25,
  ],
  // There was no 30 December.
  [
    'day',
    'Pacific/Apia',
    '2011-12-30T09:59:59Z',
    '2011-12-29T10:00:00Z',
    '2011-12-30T10:00:00Z',
    24,
  ],
  // Weeks start on Monday.
  ['week', 'UTC', '2026-11-16T00:00:00Z', '2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z', 168],
  [
    'week',
    'America/New_York',
    '2026-11-02T04:59:59Z',
    '2026-10-26T04:00:00Z',
    '2026-11-02T05:00:00Z',
    169,
  ],
  ['week', 'UTC', '2027-01-01T00:00:00Z', '2026-12-28T00:00:00Z', '2027-01-04T00:00:00Z', 168],
  ['week', 'UTC', '1969-12-31T00:00:00Z', '1969-12-29T00:00:00Z', '1970-01-05T00:00:00Z', 168],
  ['month', 'UTC', '2026-12-31T23:59:59Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z', 744],
  ['month', 'UTC', '2028-02-29T00:00:00Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z', 696],
  [
    'month',
    'Europe/Berlin',
    '2026-10-31T22:59:59Z',
    '2026-09-30T22:00:00Z',
    '2026-10-31T23:00:00Z',
    745,
  ],
]

describe('findPeriod', () => {
  for (const [unit, timeZone, at, from, to, hours] of CASES) {
    it(`${unit} of ${at} in ${timeZone}: ${hours} hours`, () => {
      const { startsAtMs, endsAtMs } = findPeriod(unit, timeZone, Date.parse(at))
      const show = (ms: number) => new Date(ms).toISOString().replace('.000', '')
      assert.deepEqual([show(startsAtMs), show(endsAtMs)], [from, to])
      assert.equal((endsAtMs - startsAtMs) / HOUR_MS, hours)
    })
  }

  it('periods contain their instants, have one value, and follow each other without a gap', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    fc.assert(
      fc.property(
        fc.constantFrom(...UNITS),
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2037, 0) }),
        (unit, timeZone, atMs) => {
          const period = findPeriod(unit, timeZone, atMs)
          const { startsAtMs, endsAtMs } = period
          assert.ok(startsAtMs <= atMs && atMs < endsAtMs)
          assert.deepEqual(findPeriod(unit, timeZone, startsAtMs), period)
          assert.deepEqual(findPeriod(unit, timeZone, endsAtMs - 1), period)
          assert.equal(findPeriod(unit, timeZone, endsAtMs).startsAtMs, endsAtMs)
          assert.equal(findPeriod(unit, timeZone, startsAtMs - 1).endsAtMs, startsAtMs)
        },
      ),
      { numRuns: 3_000 },
    )
  })

  it('an unknown time zone has the periods of UTC', () => {
    const at = Date.parse('2026-11-17T12:00:00Z')
    assert.deepEqual(findPeriod('day', 'Mars/Olympus', at), findPeriod('day', 'UTC', at))
  })
})

describe('a day', () => {
  it('has the local date from its first instant on', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
        fc.integer({ min: 19_000, max: 24_000 }),
        (timeZone, day) => {
          const start = startOfDay(timeZone, day)
          const dateOf = (ms: number) => new Date(ms).toLocaleDateString('sv-SE', { timeZone })
          const date = new Date(day * 24 * HOUR_MS).toISOString().slice(0, 10)
          assert.equal(dateOf(start), date)
          assert.ok(dateOf(start - 1) < date)
          assert.equal(localDay(timeZone, start), day)
        },
      ),
      { numRuns: 3_000 },
    )
  })
})

describe('isTimeZone', () => {
  it('accepts IANA names only', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5']) {
      assert.equal(isTimeZone(name), true, name)
    }
    for (const name of ['', 'Europe/Atlantis', '+01:00', 'Europe/Berlin ', `A${'/B'.repeat(40)}`]) {
      assert.equal(isTimeZone(name), false, name)
    }
  })
})
