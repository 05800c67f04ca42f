/** The figures of a period are compared with as many complete hours one period earlier. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startHarness, type Harness } from '../../test/harness.ts'
import { comparePeriods, type Period } from './compare-periods.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const todayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS

describe('the comparison with the previous period', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness({ VERIFY_PERCENT: '0' })
    const today = [new Date(todayMs)]
    // A day of the last week has 2000, an earlier one 1000; an hour of the last day has 20, an earlier one 10.
    await harness.admin.query(
      `insert into books.days (day, account, kind, count, amount, debt_change)
        select ($1::timestamptz at time zone 'UTC')::date + d, 1007, 'debit', 24, case when d < -6 then -1000 else -2000 end, 0
        from generate_series(-20, 0) d`,
      today,
    )
    await harness.admin.query(
      `insert into books.hours (hour, account, kind, count, amount, debt_change)
        select $1::timestamptz + make_interval(hours => h), 1007, 'debit', 1, case when h < -19 then -10 else -20 end, 0
        from generate_series(-240, 23) h`,
      today,
    )
    await harness.admin.query(
      `insert into admin.traffic (hour, kind, value, count)
        select $1::timestamptz + make_interval(hours => h), kind, value, case when h < -19 then 1 else 3 end
        from generate_series(-240, 23) h, (values ('status', '200'), ('code', 'RATE_LIMITED'), ('latency', '7')) x(kind, value)`,
      today,
    )
  })
  after(() => harness.end())

  const totalsUpTo = new Date(todayMs + 5.5 * HOUR_MS)
  const compare = (period: Omit<Period, 'totalsUpTo'>, upTo = totalsUpTo) =>
    comparePeriods(
      harness.context.db,
      { ...period, totalsUpTo: upTo },
      harness.context.config.currency,
    )

  it('counts hours, without the one that is not complete', async () => {
    const fromMs = todayMs - 18 * HOUR_MS
    const { now, before: earlier } = await compare({ fromMs, lengthMs: DAY_MS, step: 'hour' })
    const hours = 18 + 5
    const rest = { credits: 0, topups: 0 }
    assert.deepEqual(now, {
      ...rest,
      debits: (hours * 20) / 100,
      requests: 3 * hours,
      refused: 3 * hours,
    })
    assert.deepEqual(earlier, {
      ...rest,
      debits: (hours * 10) / 100,
      requests: hours,
      refused: hours,
    })
  })

  it('counts complete days, and of the last one the complete hours', async () => {
    const period = { fromMs: todayMs - 6 * DAY_MS, lengthMs: 7 * DAY_MS, step: 'day' } as const
    const { now, before: earlier } = await compare(period)
    assert.equal(now.debits, (6 * 2000 + 5 * 20) / 100)
    assert.equal(earlier.debits, (6 * 1000 + 5 * 10) / 100)
  })

  it('compares less if the totals are behind, and nothing if they end before the period', async () => {
    const period = { fromMs: todayMs - 6 * DAY_MS, lengthMs: 7 * DAY_MS, step: 'day' } as const
    const behind = await compare(period, new Date(todayMs - 4 * DAY_MS))
    assert.deepEqual([behind.now.debits, behind.before.debits], [40, 20])
    const none = await compare(period, new Date(todayMs - 30 * DAY_MS))
    assert.deepEqual([none.now.debits, none.before.debits], [0, 0])
  })

  it('has no requests of a time that is not kept', async () => {
    const period = { fromMs: todayMs - 89 * DAY_MS, lengthMs: 90 * DAY_MS, step: 'day' } as const
    const { now, before: earlier } = await compare(period)
    assert.notEqual(now.requests, null)
    assert.deepEqual([earlier.requests, earlier.refused], [null, null])
  })
})
