/** Shared by the tests of the totals: posting, updating the totals, and computing them independently. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { updateTotals } from '../books/update-totals.ts'
import type { Harness } from './harness.ts'
import { blockJobs } from './leases.ts'

/** Stops the background job, so that only the test changes the totals. */
export async function blockTotals(admin: pg.Client) {
  await blockJobs(admin, ['update-totals'])
  // Waits for the one in progress.
  await admin.query('select from books.progress for update')
}

/** One round of the background job, at once. */
export async function updateTotalsOnce(
  { context }: Pick<Harness, 'context'>,
  backgroundDb = context.backgroundDb,
): Promise<void> {
  await updateTotals({ ...context, backgroundDb })
}

/** Updates the totals like the background job, but immediately and up to now. */
export async function completeTotals(harness: Harness): Promise<Date> {
  for (let turn = 0; turn < 2; turn++) await updateTotalsOnce(harness)
  const { rows } = await harness.admin.query<{ totals_up_to: Date }>(
    'select totals_up_to from books.progress',
  )
  return (rows[0] as { totals_up_to: Date }).totals_up_to
}

/** Computes the totals up to now, without waiting for transactions in other databases as `completeTotals` does. */
export async function recomputeTotals(admin: pg.Client): Promise<void> {
  const totals = `counter_account, kind, count(*), sum(amount), coalesce(sum(debt_change), 0),
    coalesce(sum(held_change), 0)`
  await admin.query(`truncate books.hours, books.days, books.totals;
    update books.progress set totals_up_to = now();
    insert into books.hours select date_trunc('hour', created_at, 'UTC'), ${totals}
      from ledger.operations group by 1, 2, 3;
    insert into books.days select (created_at at time zone 'UTC')::date, ${totals}
      from ledger.operations group by 1, 2, 3;
    insert into books.totals select ${totals} from ledger.operations group by 1, 2`)
}

/** Updates the totals from the beginning, to include operations that a test inserted with old times. */
export async function rebuildTotals(harness: Harness): Promise<void> {
  await blockTotals(harness.admin)
  await harness.admin.query(`truncate books.hours, books.days, books.totals;
    update books.progress set totals_up_to = (
      select date_trunc('hour', min(created_at), 'UTC') from ledger.operations)`)
  const startMs = Date.now()
  // An ANALYZE of the new rows, such as autovacuum's, delays the totals.
  while ((await completeTotals(harness)).getTime() < startMs) {
    assert(Date.now() - startMs < 120_000, 'the totals are not delayed forever')
    await sleep(500)
  }
}

export function post(
  { context }: Pick<Harness, 'context'>,
  kind: 'debit' | 'credit',
  {
    walletId,
    account,
    amountMinor = 1n,
  }: { walletId: bigint; account: number; amountMinor?: bigint },
) {
  return context.ledger.post({
    kind,
    referenceType: 'ORDER',
    referenceId: randomUUID(),
    walletId,
    amountMinor,
    counterAccount: account,
    description: null,
  })
}

const TOTALS = `count(*)::text, sum(amount)::text as amount, coalesce(sum(debt_change), 0)::text as debt_change,
  coalesce(sum(held_change), 0)::text as held_change`
const KNOWN = `count::text, amount::text, debt_change::text, held_change::text`

/** The three tables contain exactly the totals of the operations before `totals_up_to`. */
export async function assertTotals(admin: pg.Client) {
  const upTo = '(select totals_up_to from books.progress)'
  for (const [table, time] of [
    ['hours', `date_trunc('hour', created_at, 'UTC')`],
    ['days', `date_trunc('day', created_at, 'UTC')`],
    ['totals', 'null::timestamptz'],
  ] as const) {
    const known = {
      hours: 'hour',
      days: `day::timestamp at time zone 'UTC'`,
      totals: 'null::timestamptz',
    }
    const counted = await admin.query(
      `select ${time} as at, counter_account as account, kind, ${TOTALS} from ledger.operations
       where created_at < ${upTo} group by 1, 2, 3 order by 1, 2, 3`,
    )
    const stored = await admin.query(
      `select ${known[table]} as at, account, kind, ${KNOWN} from books.${table} where count <> 0 order by 1, 2, 3`,
    )
    assert.deepEqual(stored.rows, counted.rows, `books.${table}`)
  }
}

export async function countOperations(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query<{ count: string }>('select count(*) from ledger.operations')
  return Number(rows[0]?.count)
}

export async function countInTotals(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query<{ count: string }>(
    'select coalesce(sum(count), 0) as count from books.totals',
  )
  return Number(rows[0]?.count)
}
