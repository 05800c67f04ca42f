/**
 * How fast is `coffer verify`? Fills a PostgreSQL of its own with correct books, runs the command with one thread and
 * with one per core, and prints operations per second and CPU time per operation.
 * Run: npm run bench:verify -- [--operations 10000000] [--wallets 1000000] [--keep <folder>]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startTemporaryPostgres } from '../scripts/temporary-postgres.ts'
import { migrate } from '../server/database/migrate.ts'
import { countOperations, fillUpTo, openWallets, settle } from './fill.ts'
import { parentOf, startCpuClock } from './measure-cpu.ts'

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '10000000' },
    wallets: { type: 'string', default: '1000000' },
    /** Fill the database once and use it again in the next run. */
    keep: { type: 'string' },
  },
})

const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  shared_buffers: '1GB',
  max_wal_size: '16GB',
}
const COFFER = fileURLToPath(new URL('../server/coffer.ts', import.meta.url))

async function fill(url: string) {
  await migrate(url, () => undefined)
  const target = {
    url,
    wallets: Number(values.wallets),
    clientAppId: 1n,
    account: 1_000,
    isShuffled: true,
  }
  await openWallets(target)
  await fillUpTo(target, Number(values.operations))
  await settle(url)
}

async function findPostmaster(url: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const pid = parentOf(rows[0].pid)
  await client.end()
  return pid
}

async function measure(url: string, operations: number, threads: number) {
  const stopClock = startCpuClock(await findPostmaster(url))
  const startMs = performance.now()
  const verify = spawn(process.execPath, [COFFER, 'verify', '--threads', String(threads)], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(verify, 'exit')
  if (code !== 0) throw new Error(`coffer verify ended with code ${code}`)
  const seconds = (performance.now() - startMs) / 1000
  const { postgres, generator: node, others } = stopClock()
  const micros = (postgres + node) / operations
  const count = (number: number) => Math.round(number).toLocaleString('en')
  console.log(
    `${threads} threads: ${seconds.toFixed(1)} s, ${count(operations / seconds)} operations/s; ` +
      `${(node / operations).toFixed(2)} µs of Node and ${(postgres / operations).toFixed(2)} µs of PostgreSQL ` +
      `per operation, ${count(1e6 / micros)} operations per second of CPU; ` +
      `other processes used ${Math.round(100 * others)} % of the machine`,
  )
}

if (values.keep) mkdirSync(values.keep, { recursive: true })
const isFilled = values.keep !== undefined && existsSync(join(values.keep, 'data'))
const postgres = await startTemporaryPostgres({
  settings: SETTINGS,
  ...(values.keep && { folder: values.keep }),
})
try {
  if (!isFilled) await fill(postgres.url)
  const operations = await countOperations(postgres.url)
  for (const threads of new Set([1, availableParallelism()])) {
    await measure(postgres.url, operations, threads)
  }
} finally {
  await postgres.stop()
}
