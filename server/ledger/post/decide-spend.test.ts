/** Spending limits in `decide`, with exact numbers. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ACCOUNT } from '../../test/ledger/decide-setup.ts'
import {
  after,
  Books,
  HOUR_MS,
  limitOf,
  NONE,
  NOON_MS,
  OVER,
  pay,
  refusalsOf,
} from '../../test/ledger/decide-spend-setup.ts'
import { type Refusal, type SpendLimit, UNITS } from '../types.ts'
import { advance, giveBack, leftOf } from './decide-spend.ts'

describe('a spending limit', () => {
  const CASES: [string, SpendLimit, bigint, Refusal | null][] = [
    ['single', limitOf({ singleMax: 50n }), 50n, null],
    ['single', limitOf({ singleMax: 50n }), 51n, OVER],
    ['day', limitOf({ max: { ...NONE, day: 50n } }, 20n), 30n, null],
    ['day', limitOf({ max: { ...NONE, day: 50n } }, 20n), 31n, OVER],
    ['week', limitOf({ max: { ...NONE, week: 50n } }, 20n), 30n, null],
    ['week', limitOf({ max: { ...NONE, week: 50n } }, 20n), 31n, OVER],
    ['month', limitOf({ max: { ...NONE, month: 50n } }, 20n), 30n, null],
    ['month', limitOf({ max: { ...NONE, month: 50n } }, 20n), 31n, OVER],
    ['zero', limitOf({ max: { ...NONE, month: 0n } }), 1n, OVER],
    ['lowered below what was spent', limitOf({ max: { ...NONE, day: 10n } }, 20n), 1n, OVER],
    ['end', limitOf({ endsAtMs: NOON_MS }), 1n, OVER],
    ['end', limitOf({ endsAtMs: NOON_MS + 1 }), 1n, null],
    ['none', limitOf({}), 1_000_000n, null],
    ['none', limitOf({}), 1_000_001n, 'INSUFFICIENT_BALANCE'],
    ['before the balance', limitOf({ singleMax: 50n }), 1_000_001n, OVER],
  ]
  for (const [name, limit, amount, refusal] of CASES) {
    for (const kind of ['debit', 'hold'] as const) {
      it(`${name}: a ${kind} of ${amount} is ${refusal ?? 'posted'}`, () => {
        const books = new Books(limit)
        const before = books.spent(NOON_MS)
        const output = books.run([pay(kind, amount)], NOON_MS)
        assert.deepEqual(refusalsOf(output), [refusal])
        const taken = refusal === null ? amount : 0n
        assert.deepEqual(
          books.spent(NOON_MS),
          before.map((each) => each + taken),
        )
        assert.equal(output.operations.length, refusal === null ? 1 : 0)
      })
    }
  }

  it('applies after the state of the wallet', () => {
    const books = new Books(limitOf({ singleMax: 1n }))
    books.wallet = { ...books.wallet, isActive: false }
    assert.deepEqual(refusalsOf(books.run([pay('debit', 2n)], NOON_MS)), ['WALLET_INACTIVE'])
  })

  it('counts the requests of one batch one after the other, and no credit', () => {
    const books = new Books(limitOf({ max: { ...NONE, day: 10n } }))
    const requests = [pay('debit', 6n), pay('credit', 9n), pay('hold', 5n), pay('hold', 4n)]
    assert.deepEqual(refusalsOf(books.run(requests, NOON_MS)), [null, null, OVER, null])
    assert.deepEqual(books.spent(NOON_MS), [10n, 10n, 10n])
  })

  it('does not concern other apps and wallets', () => {
    const books = new Books({ ...limitOf({ singleMax: 0n }), account: ACCOUNT + 1 })
    assert.deepEqual(refusalsOf(books.run([pay('debit', 5n)], NOON_MS)), [null])
    const other = new Books({ ...limitOf({ singleMax: 0n }), walletId: 2n })
    assert.deepEqual(refusalsOf(other.run([pay('debit', 5n)], NOON_MS)), [null])
  })
})

describe('what counts', () => {
  const DAY = { max: { ...NONE, day: 100n } }

  it('a hold when it is placed; its captures do not, and what they release is given back', () => {
    const books = new Books(limitOf(DAY))
    const hold = pay('hold', 60n)
    books.run([hold], NOON_MS)
    books.run([after('capture', hold, 20n, false)], NOON_MS + 1)
    assert.deepEqual(books.spent(NOON_MS), [60n, 60n, 60n])
    books.run([after('capture', hold, 30n)], NOON_MS + 2)
    assert.deepEqual(books.spent(NOON_MS), [50n, 50n, 50n])
  })

  it('gives back only in the periods in which the money was taken', () => {
    const books = new Books(limitOf(DAY))
    const [debit, hold, kept] = [pay('debit', 30n), pay('hold', 20n), pay('hold', 50n)]
    books.run([debit, hold, kept], NOON_MS)
    // The next day, in the same week and month.
    const tomorrow = NOON_MS + 24 * HOUR_MS
    books.run([pay('debit', 90n)], tomorrow)
    const capture = after('capture', kept, undefined)
    books.run([after('refund', debit, 30n), after('release', hold, undefined)], tomorrow + 1)
    books.run([capture, after('refund', capture, 40n)], tomorrow + 2)
    assert.deepEqual(books.spent(tomorrow), [90n, 100n, 100n])
  })

  it('never gives back more than counts', () => {
    const limit = giveBack(limitOf(DAY, 5n), 6n, NOON_MS)
    assert.deepEqual(
      UNITS.map((unit) => limit.periods[unit].spent),
      [0n, 0n, 0n],
    )
  })
})

describe('a period', () => {
  const DAY = { max: { ...NONE, day: 100n } }

  it('ends at its stored end, to the millisecond', () => {
    const books = new Books(limitOf(DAY))
    const end = books.limit.periods.day.endsAtMs
    books.run([pay('debit', 100n)], NOON_MS)
    assert.deepEqual(refusalsOf(books.run([pay('debit', 1n)], end - 1)), [OVER])
    assert.deepEqual(refusalsOf(books.run([pay('debit', 100n)], end)), [null])
    assert.deepEqual(books.spent(end), [100n, 200n, 200n])
  })

  it('continues if the clock is set back', () => {
    const books = new Books(limitOf(DAY))
    books.run([pay('debit', 100n)], NOON_MS)
    assert.deepEqual(refusalsOf(books.run([pay('debit', 1n)], NOON_MS - 48 * HOUR_MS)), [OVER])
  })

  it('keeps its bounds when the time zone changes; the next one starts where it ends', () => {
    const end = Date.parse('2026-11-18T00:00:00Z')
    for (const [timeZone, startsAt, endsAt] of [
      // Already the 18th there since 10:00 UTC, but what counted before the end does not count again.
      ['Pacific/Kiritimati', end, '2026-11-18T10:00:00Z'],
      // Still the 17th there: it has the rest of it as a period of its own.
      ['America/Los_Angeles', end, '2026-11-18T08:00:00Z'],
    ] as const) {
      const changed = { ...limitOf(DAY, 40n), timeZone }
      assert.deepEqual(advance(changed, end - 1), changed)
      const { day } = advance(changed, end + 1).periods
      assert.deepEqual([day.startsAtMs, day.endsAtMs], [startsAt, Date.parse(endsAt)])
      assert.equal(day.spent, 0n)
    }
  })

  it('left is the least of all limits', () => {
    const limit = limitOf({ singleMax: 70n, max: { day: 100n, week: 90n, month: null } }, 30n)
    assert.equal(leftOf(limit, NOON_MS), 60n)
    assert.equal(leftOf(limitOf({ singleMax: 50n, max: { ...NONE, day: 100n } }), NOON_MS), 50n)
    assert.equal(leftOf(limitOf({ max: { ...NONE, day: 10n } }, 11n), NOON_MS), 0n)
    assert.equal(leftOf(limitOf({}), NOON_MS), null)
  })
})
