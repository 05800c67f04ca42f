/** The search finds what one statement over all operations finds, in the same order, and reads little at a time. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { many } from '../database/statement.ts'
import { recomputeTotals, blockTotals } from '../test/books-setup.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { createPastMonths } from '../test/ledger/partition-setup.ts'
import { choosePeriods } from './choose-periods.ts'
import { SLICE } from './read-statement.ts'
import { searchOperations, type OperationSearch } from './search-operations.ts'
import { listNewest, type OperationFilter, type Period } from './search-queries.ts'
import type { EntryKey } from './statement-queries.ts'

const KINDS: OperationFilter['kinds'] = ['debit', 'credit', 'topup', 'bonus', 'seizure']
const ALL: OperationFilter = { kinds: KINDS, accounts: undefined, minAmount: undefined }
const MONTH_MS = 31 * 86_400_000

/** Everything in one statement. */
const EVER: Period = { from: new Date('2020-01-01'), before: new Date('2100-01-01') }
const END: EntryKey = { at: EVER.before, walletId: 0n, seq: 0n }

describe('the search for operations', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness({ VERIFY_PERCENT: '0' })
    await blockTotals(harness.admin)
    // An hour with more operations than one query reads, quiet hours around it, three months, and moments with many.
    await harness.admin.query(`${createPastMonths(3)}
      create temporary table rows as
        select date_trunc('hour', now()) - interval '40 days' + n * interval '60 milliseconds' as at, n,
          'debit' as kind, 1001 as account, -1 - n % 100 as amount, null::bigint as debt
        from generate_series(1, 59000) n
        union all select date_trunc('day', now()) - n * interval '5 hours', 100000 + n, 'credit', 1002, n, null
        from generate_series(1, 300) n
        union all select date_trunc('day', now()) - interval '20 days' + (n / 40) * interval '1 millisecond', 200000 + n,
          'debit', 1003, -5, null from generate_series(1, 130) n
        union all select now() - n * interval '50 milliseconds', 300000 + n, 'bonus', 2, 7, null
        from generate_series(1, 90) n
        union all select date_trunc('day', now()) - n * interval '11 days', 400000 + n, 'seizure', 1, 0, 900
        from generate_series(1, 5) n;
      insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at, counter_account, kind,
          debt_change, reference_type, reference_id, hash)
        select 1 + n % 7, n, amount, 0, date_trunc('milliseconds', at), account, kind::ledger.kind, debt, 'ORDER',
          'r' || n, sha256('x') from rows order by at`)
    await recomputeTotals(harness.admin)
    await harness.admin.query(
      `update books.progress set totals_up_to = now() - interval '1 minute';
       delete from books.hours where account = 2; delete from books.days where account = 2`,
    )
  })
  after(() => harness.end())

  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  const SEARCHES: [string, Partial<OperationSearch>][] = [
    ['everything', {}],
    ['an app', { accounts: [1003] }],
    ['several accounts', { accounts: [1, 2, 3], kinds: ['seizure', 'bonus'] }],
    ['a kind', { kinds: ['credit'] }],
    ['a kind that nobody used', { kinds: ['topup'] }],
    ['a reference', { referenceId: 'r777' }],
    ['an amount', { minAmount: 99n }],
    ['an amount that became a debt', { minAmount: 900n }],
    ['an amount that nothing reaches', { minAmount: 1_000_000n }],
    ['a time', { from: daysAgo(41), before: daysAgo(35) }],
    ['a time in the busy hour', { from: daysAgo(40.01), before: daysAgo(39.98), accounts: [1001] }],
    ['a time without operations', { from: daysAgo(2_000), before: daysAgo(1_900) }],
    ['an empty time', { from: daysAgo(3), before: daysAgo(4) }],
  ]
  for (const [name, search] of SEARCHES) {
    it(`finds ${name}, in pages and in parts`, async () => {
      const { db } = harness.context
      const {
        from,
        before: end,
        ...filter
      } = { ...ALL, from: undefined, before: undefined, ...search }
      const period = { from: from ?? EVER.from, before: end ?? EVER.before }
      const wanted = await many(db, listNewest(period, END, filter, 100_000))
      const found: string[] = []
      let last: EntryKey | undefined
      for (let page = 0; page < 2_000; page++) {
        // Without a time limit of its own, every period is a page of its own.
        const timeLimitMs = page % 2 === 0 ? 0 : 100
        // Some pages end between operations of the same millisecond.
        const bounds = { from, before: end, last, limit: page < 6 ? 47 : 20_000, timeLimitMs }
        const { operations, next } = await searchOperations(db, { ...filter, ...bounds })
        found.push(...operations.map(({ referenceId }) => referenceId))
        if (next === null) break
        if (last) assert(next.at <= last.at, 'each page ends earlier')
        last = next
      }
      assert.deepEqual(
        found,
        wanted.map(({ referenceId }) => referenceId),
      )
    })
  }

  it('reads periods with a limited number of operations, and leaves out hours without a match', async () => {
    const { db } = harness.context
    const now = new Date()
    const limits = { now, totalsUpTo: new Date(now.getTime() - 60_000), archivedBefore: undefined }
    const period = { from: new Date(now.getTime() - 4 * MONTH_MS), before: now }
    const count = async (filter: OperationFilter) => {
      const counts: number[] = []
      for await (const each of choosePeriods(db, period, limits, filter)) {
        if (each.from < each.before) {
          counts.push((await many(db, listNewest(each, END, ALL, 100_000))).length)
        }
      }
      return counts
    }
    const all = await count(ALL)
    assert(Math.max(...all) <= SLICE, all.join())
    // The busy hour is two periods; the quiet ones are joined.
    assert(all.length < 40, `${all.length} periods`)
    const rare = await count({ ...ALL, accounts: [1], kinds: ['seizure'] })
    assert(rare.reduce((sum, each) => sum + each, 0) < 200, rare.join())
  })
})
