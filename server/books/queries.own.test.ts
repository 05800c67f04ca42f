/** Every query of the books uses an index, however large the tables are. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import type { Database } from '../database/statement.ts'
import {
  checkKeyPage,
  readOperationsAfter,
  readOperationsAfterHeads,
  readWalletsFrom,
  USE_ORDERED_INDEX,
} from '../ledger/verify/verify-queries.ts'
import { connectAdmin, startHarness, type Harness } from '../test/harness.ts'
import {
  readSettlement,
  readDayTotals,
  readHourTotals,
  computeNewestTotals,
} from './figure-queries.ts'
import { readWalletPageTotals } from './verification-queries.ts'
import { addOperations, SUMMARIZE, computeSliceTotals } from './totals-queries.ts'
import { listDays, listHours, listNewest } from './search-queries.ts'
import {
  listEntries,
  listStatementDays,
  listStatementHours,
  summarizeStatement,
} from './statement-queries.ts'

const HOUR_MS = 3_600_000
/** What a search looks for. */
const FILTERS = [
  { kinds: ['debit', 'bonus'], accounts: undefined, minAmount: undefined },
  { kinds: ['debit'], accounts: [1_007], minAmount: 500n },
] as const
const hourBack = (hours: number) => new Date(Math.floor(Date.now() / HOUR_MS - hours) * HOUR_MS)

describe('the queries of the books', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness({ VERIFY_PERCENT: '0' })
    // A few hours of operations in time order, about twenty megabytes, and months of sums.
    await harness.admin.query(`
      insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at, counter_account, kind,
          reference_type, reference_id, hash)
        select 1 + n % 1000, n, -1, 0, now() - make_interval(secs => (120000 - n) * 0.1), 1000 + n % 50, 'debit',
          'ORDER', 'r' || n, sha256('x') from generate_series(1, 120000) n;
      insert into ledger.wallets select from generate_series(1, 2000);
      insert into ledger.operation_keys (digest, wallet_id, seq, decided_at, kind, amount, balance_after)
        select gen_random_uuid(), wallet_id, seq, created_at, kind, 1, balance_after from ledger.operations limit 20000;
      insert into books.hours select date_trunc('hour', now(), 'UTC') - make_interval(hours => h), 1000 + a, 'debit', 1, -1, 0
        from generate_series(0, 800) h, generate_series(1, 50) a;
      insert into books.days select (now() at time zone 'UTC')::date - d, 1000 + a, 'debit', 1, -1, 0
        from generate_series(0, 400) d, generate_series(1, 50) a;
      update books.progress set totals_up_to = now() - interval '20 seconds';
      analyze`)
  })
  after(() => harness.end())

  async function explain(
    { text, values }: pg.QueryConfig,
    options = '',
    db: Database = harness.context.db,
  ): Promise<string> {
    const { rows } = await db.query<{ 'QUERY PLAN': string }>(`explain ${options} ${text}`, values)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  it('summarize new block ranges except the ones that are still being filled, and do not block vacuum', async () => {
    const { admin, context, databaseUrl } = harness
    const { rows } = await admin.query<{ heap: string; index: string }>(
      `select x.indrelid::regclass as heap, x.indexrelid::regclass as index
       from pg_index x join pg_inherits i on i.inhrelid = x.indexrelid
       where i.inhparent = 'ledger.operations_by_time'::regclass order by pg_relation_size(x.indrelid) desc limit 1`,
    )
    const { heap, index } = rows[0] ?? assert.fail()
    const keeper = await connectAdmin(databaseUrl)
    // The lock that vacuum takes.
    await keeper.query(`begin; lock table ${heap} in share update exclusive mode`)
    const startMs = performance.now()
    await context.db.query(SUMMARIZE)
    assert(performance.now() - startMs < 900, 'PostgreSQL would have canceled the vacuum')
    await keeper.query('rollback')
    await keeper.end()
    await context.db.query(SUMMARIZE)
    const left = await admin.query<{ count: number }>(
      `select brin_summarize_new_values('${index}') as count`,
    )
    assert.equal(left.rows[0]?.count, 3)
  })

  it('find a time range with the BRIN index and read little outside it', async () => {
    const from = hourBack(2)
    const to = new Date(from.getTime() + 600_000)
    for (const statement of [
      addOperations(from, from, to),
      computeSliceTotals(from, to),
      listEntries(1_007, { at: from, walletId: 0n, seq: 0n }, to, 2_000),
      ...FILTERS.map((each) =>
        listNewest({ from, before: to }, { at: to, walletId: 5n, seq: 3n }, each, 51),
      ),
    ]) {
      assert.match(await explain(statement), /Bitmap Index Scan on operations_\w+_created_at_idx/)
      assert.doesNotMatch(await explain(statement), /Seq Scan on operations/)
    }
    const plan = await explain(
      computeNewestTotals(new Date(Date.now() - 20_000)),
      '(analyze, timing off)',
    )
    const removed = Number(/Rows Removed by Index Recheck: (\d+)/.exec(plan)?.[1] ?? 0)
    // The last megabytes are not summarized yet.
    assert(removed < 30_000, plan)
    assert.match(plan, /Bitmap Index Scan/)
  })

  it('read a settlement from the total of the account and the operations after it', async () => {
    const plan = await explain(readSettlement(1_007))
    assert.match(plan, /totals_pkey/)
    assert.match(plan, /Bitmap Index Scan on operations_\w+_created_at_idx/)
    assert.doesNotMatch(plan, /Seq Scan on (operations|totals)/)
  })

  it('read sums and statements by hour or day of the account', async () => {
    const day = (back: number) =>
      hourBack(back * 24)
        .toISOString()
        .slice(0, 10)
    for (const statement of [
      readHourTotals(hourBack(23)),
      readDayTotals(hourBack(24 * 89)),
      summarizeStatement(1_007, day(30), day(0)),
      listStatementDays(1_007, day(30), day(0)),
      listStatementHours(1_007, hourBack(24)),
      ...FILTERS.flatMap((each) => [
        listDays({ from: hourBack(24 * 300), before: hourBack(0) }, each, 2),
        listHours([hourBack(24), hourBack(48)], hourBack(0), each),
      ]),
    ]) {
      const plan = await explain(statement)
      assert.match(plan, /(hours_pkey|days_pkey|days_by_account)/)
      assert.doesNotMatch(plan, /Seq Scan on (hours|days)/)
    }
  })

  it('page through the books by primary key, without sorting, and read no more than one page', async () => {
    const client = await harness.context.db.connect()
    await client.query('begin')
    await client.query(USE_ORDERED_INDEX)
    const heads = Array.from({ length: 500 }, (_, index) => ({ id: BigInt(index), seq: 2_000n }))
    for (const statement of [
      readOperationsAfter({ id: 5n, seq: 0n }, 900n, 1_000),
      readOperationsAfterHeads(heads, 1_000),
    ]) {
      const plan = await explain(statement, '(analyze, timing off)', client)
      assert.match(plan, /Index Scan using operations_\w+_pkey/)
      assert.doesNotMatch(plan, /Seq Scan|->  Sort  \(/)
      const most = [...plan.matchAll(/rows=(\d+) loops/g)].map(([, rows]) => Number(rows))
      // The rest is that of the last wallet.
      assert(Math.max(...most) <= 1_120, plan)
    }
    await client.query('rollback')
    client.release()
    for (const statement of [
      readWalletsFrom(5n, 900n, 500),
      readWalletPageTotals(5n, 500),
      checkKeyPage('00000000-0000-0000-0000-000000000000', 2_000),
    ]) {
      assert.doesNotMatch(await explain(statement), /Seq Scan/)
    }
  })
})
