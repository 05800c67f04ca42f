/**
 * Do old months slow down the ledger? Compares two databases that differ in the number of monthly partitions: debits,
 * replays and reads of ten entries through the ledger, without HTTP, alternating. Run: npm run bench:partitions
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { startTemporaryPostgres } from '../scripts/temporary-postgres.ts'
import { migrate } from '../server/database/migrate.ts'
import { Ledger } from '../server/ledger/ledger.ts'
import { BONUS_ACCOUNT, type LedgerRequest } from '../server/ledger/types.ts'
import { parentOf, startCpuClock } from './measure-cpu.ts'

const MONTHS = [1, 24]
const WALLETS = 5_000
const ENTRIES = 12
/** A slow database accepts no more of one scope. */
const AT_ONCE = 100
const SECONDS = Number(process.argv[2] ?? 4)
const ROUNDS = Number(process.argv[3] ?? 5)

interface Side {
  months: number
  ledger: Ledger
  posted: LedgerRequest[]
}

const requestOf = (walletId: bigint, kind: 'bonus' | 'debit'): LedgerRequest => ({
  kind,
  referenceType: 'BENCH',
  referenceId: randomUUID(),
  walletId,
  amountMinor: kind === 'bonus' ? 1_000_000n : 1n,
  counterAccount: BONUS_ACCOUNT,
  description: null,
})
const anyWallet = () => BigInt(1 + Math.floor(Math.random() * WALLETS))

const WORK: Record<string, (side: Side) => Promise<unknown>> = {
  debit: ({ ledger }) => ledger.post(requestOf(anyWallet(), 'debit')),
  replay: ({ ledger, posted }) =>
    ledger.post(posted[Math.floor(Math.random() * posted.length)] as LedgerRequest),
  'read 10 entries': ({ ledger }) => ledger.readHistoryPage(anyWallet(), BigInt(ENTRIES), 10),
}

async function main() {
  const postgres = await startTemporaryPostgres({
    settings: { shared_buffers: '512MB', max_wal_size: '8GB', checkpoint_timeout: '30min' },
  })
  const control = new pg.Client(postgres.url)
  await control.connect()
  const { rows } = await control.query('select pg_backend_pid() as pid')
  const postmaster = parentOf(rows[0].pid)
  const sides: Side[] = []
  for (const months of MONTHS) sides.push(await open(postgres.url, control, months))
  for (const [name, work] of Object.entries(WORK)) {
    const results = sides.map(() => [] as number[][])
    // The first round only warms up.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [index, side] of sides.entries()) {
        const figures = await measure(postmaster, () => work(side))
        if (round > 0) results[index]?.push(figures)
      }
    }
    const medians = results.map((each) => [0, 1, 2].map((at) => median(each, at)))
    for (const [index, { months }] of sides.entries()) {
      const [rate = 0, postgresUs = 0, nodeUs = 0] = medians[index] ?? []
      const ratio = rate / (medians[0]?.[0] ?? 1)
      console.log(
        `${name}, ${months} months: ${rate.toFixed(0)}/s (${ratio.toFixed(3)}), CPU ${postgresUs.toFixed(1)} µs PostgreSQL, ${nodeUs.toFixed(1)} µs Node`,
      )
    }
  }
  for (const { ledger } of sides) await ledger.close()
  await control.end()
  await postgres.stop()
}

/** Only the partition of this month and the default one remain, then the past months are added. */
async function open(serverUrl: string, control: pg.Client, months: number): Promise<Side> {
  const url = new URL(serverUrl)
  url.pathname = `/months_${months}`
  await control.query(`create database months_${months}`)
  await migrate(url.href, () => undefined)
  const owner = new pg.Client(url.href)
  await owner.connect()
  await owner.query(`do $$
    declare first_day date;
    begin
      for back in -3..${months - 1} loop
        first_day := date_trunc('month', now() at time zone 'UTC')::date - make_interval(months => back);
        if back < 0 then execute format('drop table ledger.operations_%s', to_char(first_day, 'YYYY_MM'));
        elsif back > 0 then
          execute format('create table ledger.operations_%s partition of ledger.operations for values from (%L) to (%L)',
            to_char(first_day, 'YYYY_MM'), first_day || ' 00:00+00', (first_day + interval '1 month')::date || ' 00:00+00');
          execute format('insert into ledger.operations_%s select ${WALLETS} + g, 1, 1, 1, %L, 2, ''bonus'', null, null,
            ''T'', ''r'', null, sha256(''x'') from generate_series(1, 1000) g', to_char(first_day, 'YYYY_MM'), first_day || ' 12:00+00');
        end if;
      end loop;
    end $$;
    insert into ledger.wallets select from generate_series(1, ${WALLETS})`)
  const ledger = new Ledger({ databaseUrl: url.href })
  const posted: LedgerRequest[] = []
  for (let entry = 0; entry < ENTRIES; entry++) {
    for (let first = 1; first <= WALLETS; first += AT_ONCE) {
      const requests = Array.from({ length: AT_ONCE }, (_, n) =>
        requestOf(BigInt(first + n), entry === 0 ? 'bonus' : 'debit'),
      )
      await Promise.all(requests.map((each) => ledger.post(each)))
      posted.push(...requests)
    }
  }
  await owner.query('vacuum analyze')
  await owner.end()
  return { months, ledger, posted }
}

/** Per second, and µs of CPU of PostgreSQL and of this process per call. */
async function measure(postmaster: number, work: () => Promise<unknown>): Promise<number[]> {
  const stopClock = startCpuClock(postmaster)
  const own = process.cpuUsage()
  const startMs = performance.now()
  let calls = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (; performance.now() - startMs < SECONDS * 1000; calls++) await work()
    }),
  )
  const seconds = (performance.now() - startMs) / 1000
  const { user, system } = process.cpuUsage(own)
  return [calls / seconds, stopClock().postgres / calls, (user + system) / calls]
}

function median(rows: readonly number[][], at: number): number {
  const sorted = rows.map((row) => row[at] ?? 0).toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

await main()
