/**
 * Which layout should the ledger's tables have? One table with a unique index on the pair, two tables (keys and
 * operations), or two tables with the operations partitioned by month. Measures batches of 64 debits on two
 * connections, everything else equal, alternating, and prints a table. Run: npm run bench:ledger-shape
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { startTemporaryPostgres } from '../scripts/temporary-postgres.ts'

const WALLETS = 1_000_000
const FILL = 1_000_000
const BATCH = 64
const SECONDS = Number(process.argv[2] ?? 8)
const ROUNDS = 3

const row = `wallet_id bigint not null, seq bigint not null, amount bigint not null, balance_after bigint not null,
  created_at timestamptz not null, counter_account int not null, reference_type text not null,
  reference_id text not null, description text, hash bytea not null`
const columns = `wallet_id, seq, amount, balance_after, created_at, counter_account, reference_type, reference_id, description, hash`
const values = `select w, s, -1, 1, now(), 1, 'ORDER_PAYMENT', r, 'order', h from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bytea[]) as x(w, s, r, h)`
const keyTable = (shape: string) =>
  `create table ${shape}.keys (digest uuid primary key, wallet_id bigint not null, seq bigint not null, decided_at timestamptz not null);`
const keyInsert = (shape: string) =>
  `insert into ${shape}.keys select d, w, s, now() from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as x(d, w, s) on conflict do nothing`

const shapes: Record<string, string> = {
  one: `create table one.operations (${row}, primary key (wallet_id, seq));
    create unique index on one.operations (counter_account, reference_type, reference_id);`,
  two: `create table two.operations (${row}, primary key (wallet_id, seq)); ${keyTable('two')}`,
  parts: `create table parts.operations (${row}, primary key (wallet_id, seq, created_at)) partition by range (created_at); ${keyTable('parts')}
    ${Array.from({ length: 24 }, (_, month) => `create table parts.operations_${month} partition of parts.operations for values from (date_trunc('month', now()) + interval '${month - 20} month') to (date_trunc('month', now()) + interval '${month - 19} month');`).join('\n')}`,
}

async function main() {
  const postgres = await startTemporaryPostgres({
    settings: { shared_buffers: '2GB', max_wal_size: '8GB', checkpoint_timeout: '30min' },
  })
  const control = new pg.Client(postgres.url)
  await control.connect()
  for (const [shape, ddl] of Object.entries(shapes)) {
    await control.query(`create schema ${shape};
      create table ${shape}.wallets (id bigint primary key, balance bigint not null, seq bigint not null, hash bytea not null) with (fillfactor = 50);
      insert into ${shape}.wallets select g, 1000000000, 0, '\\x00' from generate_series(1, ${WALLETS}) g; ${ddl}`)
    await control.query(`vacuum analyze ${shape}.wallets`)
    const filler = batchRunner(shape, control)
    for (let done = 0; done < FILL; done += 2000) await filler(2000)
  }
  await control.query('checkpoint')
  const results = new Map(Object.keys(shapes).map((s) => [s, { rate: 0, wal: 0 }]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const shape of Object.keys(shapes)) {
      const { rate, wal } = await measure(shape, postgres.url, control)
      const best = results.get(shape)
      if (best && rate > best.rate) results.set(shape, { rate, wal })
    }
  }
  for (const [shape, { rate, wal }] of results) {
    const size = await control.query(
      `select sum(pg_total_relation_size(c.oid))::bigint as bytes, sum(pg_indexes_size(c.oid))::bigint as indexes, (select count(*) from ${shape}.operations)::bigint as rows
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relkind = 'r' and c.relname <> 'wallets'`,
      [shape],
    )
    const { bytes, indexes, rows } = size.rows[0] as Record<string, string>
    const per = (total: string | undefined) => Math.round(Number(total) / Number(rows))
    console.log(
      `${shape.padEnd(6)} ${String(Math.round(rate)).padStart(6)} operations/s   ${Math.round(wal)} B WAL, ${per(bytes)} B stored (${per(indexes)} B indexes) per operation`,
    )
  }
  await control.end()
  await postgres.stop()
}

async function measure(shape: string, url: string, control: pg.Client) {
  const lsn = async () =>
    Number((await control.query(`select pg_current_wal_lsn() - '0/0' as at`)).rows[0].at)
  const before = await lsn()
  const until = Date.now() + SECONDS * 1000
  let operations = 0
  await Promise.all(
    [1, 2].map(async () => {
      const client = new pg.Client(url)
      await client.connect()
      const run = batchRunner(shape, client)
      while (Date.now() < until) operations += await run(BATCH)
      await client.end()
    }),
  )
  return { rate: operations / SECONDS, wal: ((await lsn()) - before) / operations }
}

function batchRunner(shape: string, client: pg.Client) {
  return async (size: number): Promise<number> => {
    const picked = new Set<number>()
    while (picked.size < size) picked.add(1 + Math.floor(Math.random() * WALLETS))
    const ids = [...picked].toSorted((a, b) => a - b)
    const references = ids.map(() => randomBytes(16).toString('hex'))
    const hashes = ids.map(() => randomBytes(32))
    await client.query('begin')
    const locked = await client.query({
      name: `lock-${shape}`,
      text: `select id, seq from ${shape}.wallets where id = any($1) order by id for update`,
      values: [ids],
    })
    const seqs = locked.rows.map((each: { seq: string }) => Number(each.seq) + 1)
    if (shape === 'one') {
      await client.query({
        name: 'read-one',
        text: `select * from one.operations where counter_account = 1 and reference_type = 'ORDER_PAYMENT' and reference_id = any($1)`,
        values: [references],
      })
    } else {
      const read = `select * from ${shape}.keys where digest = any($1)`
      await client.query({ name: `read-${shape}`, text: read, values: [references] })
      const keys = { name: `keys-${shape}`, text: keyInsert(shape) }
      await client.query({ ...keys, values: [references.toSorted(), ids, seqs] })
    }
    await client.query({
      name: `operations-${shape}`,
      text: `insert into ${shape}.operations (${columns}) ${values} on conflict do nothing`,
      values: [ids, seqs, references, hashes],
    })
    await client.query({
      name: `wallets-${shape}`,
      text: `update ${shape}.wallets w set balance = balance - 1, seq = x.s, hash = x.h from unnest($1::bigint[], $2::bigint[], $3::bytea[]) as x(i, s, h) where w.id = x.i`,
      values: [ids, seqs, hashes],
    })
    await client.query('commit')
    return size
  }
}

await main()
