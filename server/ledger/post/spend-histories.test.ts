/** Histories of payments with spending limits, which a naive model decides, too. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { requestOf } from '../../test/ledger/decide-setup.ts'
import {
  after,
  Books,
  HOUR_MS,
  limitOf,
  next,
  NOON_MS,
  OVER,
  refusalsOf,
} from '../../test/ledger/decide-spend-setup.ts'
import { NaiveSpend } from '../../test/ledger/naive-spend.ts'
import type { DigestedRequest } from './decide-types.ts'
import { UNITS } from '../types.ts'

const HISTORIES = 5_000
const maybe = fc.option(fc.bigInt(0n, 60n))
const step = fc.record({
  kind: fc.constantFrom<'debit' | 'hold' | 'refund' | 'capture' | 'release'>(
    'debit',
    'debit',
    'hold',
    'refund',
    'capture',
    'release',
  ),
  amount: fc.bigInt(1n, 30n),
  isAmountOmitted: fc.boolean(),
  isFinal: fc.boolean(),
  target: fc.nat(20),
  hours: fc.constantFrom(0, 0, 0, 1, 5, 11, 23, 24, 25, 170, 800),
})
const history = fc.record({
  terms: fc.record({
    single: maybe,
    day: maybe,
    week: maybe,
    month: maybe,
    endsAtMs: fc.option(fc.integer({ min: 0, max: 100 }).map((each) => NOON_MS + each * HOUR_MS)),
  }),
  steps: fc.array(step, { minLength: 1, maxLength: 25 }),
})

describe('decide with spending limits', () => {
  it(`agrees with a naive model over ${HISTORIES} histories`, () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(history, ({ terms, steps }) => {
        const { single: singleMax, day, week, month, endsAtMs } = terms
        const books = new Books(limitOf({ singleMax, max: { day, week, month }, endsAtMs }))
        const naive = new NaiveSpend(terms)
        const payments: DigestedRequest[] = []
        /** A capture to its hold. */
        const origins = new Map<string, string>()
        let nowMs = NOON_MS
        // The next batch books the holds whose time is over.
        const expire = () => {
          for (const { digest, remaining, expiresAtMs } of books.holds.values()) {
            if (remaining === 0n || expiresAtMs > nowMs) continue
            naive.taken.get(digest)?.given.push({ atMs: nowMs, amount: remaining })
            seen.add('expiry')
          }
        }
        for (const { kind, amount, isAmountOmitted, isFinal, target: at, hours } of steps) {
          nowMs += hours * HOUR_MS
          if (kind === 'debit' || kind === 'hold') {
            expire()
            const isAllowed = naive.allows(amount, nowMs)
            const time = kind === 'hold' ? { hold: { expiresInMs: 12 * HOUR_MS } } : {}
            const request = requestOf(kind, amount, { referenceId: next(), ...time })
            const [refusal] = refusalsOf(books.run([request], nowMs))
            assert.equal(refusal, isAllowed ? null : OVER)
            seen.add(`${kind} ${refusal}`)
            if (!isAllowed) continue
            naive.taken.set(request.digest, { atMs: nowMs, amount, given: [] })
            payments.push(request)
          } else {
            const kinds = kind === 'refund' ? ['debit', 'capture'] : ['hold']
            const targets = payments.filter((each) => kinds.includes(each.kind))
            const target = targets[at % Math.max(targets.length, 1)]
            if (target === undefined) continue
            const isWhole = isAmountOmitted || kind === 'release'
            const request = after(kind, target, isWhole ? undefined : amount, isFinal)
            expire()
            const { decisions } = books.run([request], nowMs)
            const decision = decisions.find(({ digest }) => digest === request.digest)
            seen.add(`${kind} ${decision?.refusal}`)
            if (decision?.refusal === null) {
              if (kind === 'capture') {
                payments.push(request)
                origins.set(request.digest, target.digest)
              }
              const given = kind === 'refund' ? decision.amountMinor : decision.holdChange?.released
              const origin = naive.taken.get(origins.get(target.digest) ?? target.digest)
              origin?.given.push({ atMs: nowMs, amount: given ?? 0n })
            }
          }
          assert.deepEqual(
            books.spent(nowMs),
            UNITS.map((unit) => naive.spent(unit, nowMs)),
          )
        }
      }),
      { numRuns: HISTORIES },
    )
    for (const name of ['debit null', 'hold null', `debit ${OVER}`, `hold ${OVER}`, 'expiry'])
      assert.ok(seen.has(name), name)
    for (const kind of ['refund', 'capture', 'release']) assert.ok(seen.has(`${kind} null`), kind)
  })
})
