/** Removes monthly partitions and fills the default partition, for tests. */
import type pg from 'pg'

/** Such as 2027-01; 0 is the current month. */
export function monthAhead(ahead: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead))
    .toISOString()
    .slice(0, 7)
}

function tableOf(month: string): string {
  return `ledger.operations_${month.replace('-', '_')}`
}

export async function dropMonths(admin: pg.Client, ahead: readonly number[]) {
  for (const each of ahead) await admin.query(`drop table ${tableOf(monthAhead(each))}`)
}

/** The months from the current one on that have a partition. */
export async function listPartitions(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ month: string }>(
    `select replace(substring(c.relname from 12), '_', '-') as month
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'ledger.operations'::regclass and c.relname <> 'operations_default' order by 1`,
  )
  return rows.map(({ month }) => month)
}

export async function countStrays(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    'select count(*)::int from ledger.operations_default',
  )
  return rows[0]?.count ?? 0
}

/** Rows as a server with a wrong clock would write them. They belong to no chain. */
export async function addStrays(
  admin: pg.Client,
  walletId: bigint,
  month: string,
  rows: number,
  time = '02 00:00',
) {
  await admin.query(
    `insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at, counter_account, kind,
       reference_type, reference_id, hash)
     select $1, 1000000 + n, 1, 1, $2::timestamptz + n * interval '1 second', 2, 'bonus', 'STRAY', n::text,
       decode(repeat('00', 32), 'hex')
     from generate_series(1, $3::int) n`,
    [walletId, `${month}-${time}+00`, rows],
  )
}
