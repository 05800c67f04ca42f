/**
 * What does a debit cost when the index of the keys is much larger than memory? Fills a PostgreSQL of its own, then posts
 * debits through the ledger, without HTTP: first with all memory, then with PostgreSQL and its page cache limited by a
 * control group (needs root). Run: npm run bench:key-index -- [--operations 10000000] [--wallets 1000000]
 * [--megabytes 256] [--keep <folder>]
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startTemporaryPostgres } from '../scripts/temporary-postgres.ts'
import { migrate } from '../server/database/migrate.ts'
import { Ledger } from '../server/ledger/ledger.ts'
import { BONUS_ACCOUNT } from '../server/ledger/types.ts'
import { ServiceError } from '../server/service-error.ts'
import { fillUpTo, openWallets, settle } from './fill.ts'
import { parentOf, startCpuClock } from './measure-cpu.ts'

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '10000000' },
    wallets: { type: 'string', default: '1000000' },
    megabytes: { type: 'string', default: '256' },
    /** Fill the database once and use it again in the next run. */
    keep: { type: 'string' },
  },
})
const WALLETS = Number(values.wallets)
const SECONDS = 15
const SLICES = 4
const AT_ONCE = 256
/** Before a caller that was refused sends again. */
const REST_MS = 50
const SETTINGS = { shared_buffers: '64MB', max_wal_size: '8GB', checkpoint_timeout: '30min' }
const GROUP = '/sys/fs/cgroup/memory/coffer-bench'

/** Limits the memory of these processes, with the pages of files that they read. */
class MemoryGroup {
  constructor(postmaster: number) {
    mkdirSync(GROUP, { recursive: true })
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (Number(pid) === postmaster || isChild(Number(pid), postmaster)) {
        writeFileSync(join(GROUP, 'cgroup.procs'), pid)
      }
    }
  }

  /** Pages that were read before belong to no group and would not count, so the system forgets them. */
  limit(megabytes: number) {
    writeFileSync(join(GROUP, 'memory.limit_in_bytes'), `${megabytes * 2 ** 20}`)
    execFileSync('sync')
    writeFileSync('/proc/sys/vm/drop_caches', '3')
  }
}

function isChild(pid: number, postmaster: number): boolean {
  try {
    return parentOf(pid) === postmaster
  } catch {
    // The process has ended.
    return false
  }
}

async function measure(ledger: Ledger, owner: pg.Client, postmaster: number, title: string) {
  const before = await readCounts(owner)
  const stopClock = startCpuClock(postmaster)
  const own = process.cpuUsage()
  const startMs = performance.now()
  const tookMs: number[] = []
  let refused = 0
  const post = async () => {
    while (performance.now() - startMs < SECONDS * 1000) {
      const sentMs = performance.now()
      const reference = { referenceType: 'BENCH', referenceId: randomUUID(), description: null }
      const walletId = BigInt(1 + Math.floor(Math.random() * WALLETS))
      const side = { kind: 'debit', counterAccount: BONUS_ACCOUNT, amountMinor: 1n } as const
      try {
        await ledger.post({ ...side, ...reference, walletId })
        tookMs.push(performance.now() - sentMs)
      } catch (error) {
        // The queue is longer than the disk can work off in time.
        if (!(error instanceof ServiceError)) throw error
        refused++
        await sleep(REST_MS)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, post))
  const seconds = (performance.now() - startMs) / 1000
  const { postgres, others } = stopClock()
  const { user, system } = process.cpuUsage(own)
  const after = await readCounts(owner)
  const debits = tookMs.length
  tookMs.sort((a, b) => a - b)
  const perDebit = (name: keyof Counts) => ((after[name] - before[name]) / debits).toFixed(2)
  console.log(
    `${title}: ${Math.round(debits / seconds)} debits/s, p50 ${tookMs[debits >> 1]?.toFixed(0)} ms, ` +
      `p99 ${tookMs[Math.floor(debits * 0.99)]?.toFixed(0)} ms, ${refused} refused; per debit ${perDebit('disk')} reads from disk, ` +
      `${perDebit('keyIndex')} pages of the key index and ${perDebit('other')} others outside of shared_buffers, ` +
      `CPU ${(postgres / debits).toFixed(0)} µs PostgreSQL and ${((user + system) / debits).toFixed(0)} µs Node; ` +
      `other processes used ${Math.round(100 * others)} % of the machine`,
  )
}

interface Counts {
  /** Reads that reached the disk. */
  disk: number
  /** Pages that PostgreSQL read from the page cache or the disk. */
  keyIndex: number
  other: number
}

async function readCounts(owner: pg.Client): Promise<Counts> {
  const { rows } = await owner.query(`select
    sum(idx_blks_read) filter (where indexrelname = 'operation_keys_pkey')::float8 as key_index,
    (sum(idx_blks_read) filter (where indexrelname <> 'operation_keys_pkey')
      + (select sum(heap_blks_read) from pg_statio_all_tables))::float8 as other
    from pg_statio_all_indexes`)
  const disk = readFileSync('/proc/diskstats', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , name = '']) => /^(sd|vd|xvd)[a-z]$|^nvme\d+n\d+$/.test(name))
    .reduce((sum, fields) => sum + Number(fields[3]), 0)
  return { disk, keyIndex: rows[0].key_index, other: rows[0].other }
}

if (values.keep) mkdirSync(values.keep, { recursive: true })
const isFilled = values.keep !== undefined && existsSync(join(values.keep, 'data'))
const postgres = await startTemporaryPostgres({
  settings: SETTINGS,
  ...(values.keep && { folder: values.keep }),
})
const owner = new pg.Client(postgres.url)
try {
  if (!isFilled) {
    await migrate(postgres.url, () => undefined)
    const target = {
      url: postgres.url,
      wallets: WALLETS,
      clientAppId: 1n,
      account: 1_000,
      isShuffled: true,
    }
    await openWallets(target)
    await fillUpTo(target, Number(values.operations))
    await settle(postgres.url)
  }
  await owner.connect()
  const { rows } = await owner.query(`select pg_backend_pid() as pid,
    pg_size_pretty(pg_relation_size('ledger.operation_keys_pkey')) as index,
    pg_size_pretty(pg_database_size(current_database())) as database`)
  const postmaster = parentOf(rows[0].pid)
  console.log(`Key index ${rows[0].index}, database ${rows[0].database}`)
  const group = new MemoryGroup(postmaster)
  const ledger = new Ledger({ databaseUrl: postgres.url })
  // Reads every page once.
  await owner.query(`select count(*) from ledger.operation_keys;
    set enable_seqscan = off; select count(*) from (select digest from ledger.operation_keys order by digest) k;
    reset enable_seqscan; select count(*) from ledger.wallets`)
  await measure(ledger, owner, postmaster, 'Warm-up')
  for (let slice = 0; slice < SLICES; slice++) {
    await measure(ledger, owner, postmaster, 'All memory')
  }
  group.limit(Number(values.megabytes))
  await measure(ledger, owner, postmaster, 'Warm-up')
  for (let slice = 0; slice < SLICES; slice++) {
    await measure(ledger, owner, postmaster, `${values.megabytes} MB`)
  }
  await ledger.close()
} finally {
  await owner.end()
  await postgres.stop()
  if (existsSync(GROUP)) rmdirSync(GROUP)
}
