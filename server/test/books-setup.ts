/** Shared by the tests of the totals: posting, rolling up, and computing the totals independently. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { rollUp } from '../books/roll-up.ts'
import type { Harness } from './harness.ts'
import { blockJobs } from './leases.ts'

/** Stops the background rollup, so that only the test changes the totals. */
export async function blockRollUps(admin: pg.Client) {
  await blockJobs(admin, ['roll-up'])
  // Waits for the one in progress.
  await admin.query('select from books.progress for update')
}

/** One round of the background job, at once. */
export async function rollUpNow(
  { context }: Pick<Harness, 'context'>,
  backgroundDb = context.backgroundDb,
): Promise<void> {
  await rollUp({ ...context, backgroundDb })
}

/** Rolls up like the background job, but immediately and up to now. */
export async function addUp(harness: Harness): Promise<Date> {
  for (let turn = 0; turn < 2; turn++) await rollUpNow(harness)
  const { rows } = await harness.admin.query<{ rolled_up_to: Date }>(
    'select rolled_up_to from books.progress',
  )
  return (rows[0] as { rolled_up_to: Date }).rolled_up_to
}

/** Computes the totals up to now, without waiting for transactions in other databases as `addUp` does. */
export async function addUpByHand(admin: pg.Client): Promise<void> {
  const sums = `counter_account, kind, count(*), sum(amount), coalesce(sum(debt_change), 0),
    coalesce(sum(held_change), 0)`
  await admin.query(`truncate books.hours, books.days, books.totals;
    update books.progress set rolled_up_to = now();
    insert into books.hours select date_trunc('hour', created_at, 'UTC'), ${sums}
      from ledger.operations group by 1, 2, 3;
    insert into books.days select (created_at at time zone 'UTC')::date, ${sums}
      from ledger.operations group by 1, 2, 3;
    insert into books.totals select ${sums} from ledger.operations group by 1, 2`)
}

/** Rolls up from the beginning, to include operations that a test inserted with old times. */
export async function addUpAgain(harness: Harness): Promise<void> {
  await blockRollUps(harness.admin)
  await harness.admin.query(`truncate books.hours, books.days, books.totals;
    update books.progress set rolled_up_to = (
      select date_trunc('hour', min(created_at), 'UTC') from ledger.operations)`)
  const startMs = Date.now()
  // An ANALYZE of the new rows, such as autovacuum's, delays the totals.
  while ((await addUp(harness)).getTime() < startMs) {
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

const SUMS = `count(*)::text, sum(amount)::text as amount, coalesce(sum(debt_change), 0)::text as debt_change,
  coalesce(sum(held_change), 0)::text as held_change`
const KNOWN = `count::text, amount::text, debt_change::text, held_change::text`

/** The three tables contain exactly the totals of the operations before `rolled_up_to`. */
export async function assertSums(admin: pg.Client) {
  const upTo = '(select rolled_up_to from books.progress)'
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
      `select ${time} as at, counter_account as account, kind, ${SUMS} from ledger.operations
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

export async function countAddedUp(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query<{ count: string }>(
    'select coalesce(sum(count), 0) as count from books.totals',
  )
  return Number(rows[0]?.count)
}
