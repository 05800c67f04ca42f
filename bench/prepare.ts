/** The setup of a measurement: its own PostgreSQL, the fixed baseline, our schema, a client app and wallets. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startTemporaryPostgres, type TemporaryPostgres } from '../scripts/temporary-postgres.ts'
import { createClientApp } from '../server/client-app/create-client-app.ts'
import { readConfig } from '../server/config.ts'
import { createPool } from '../server/database/connect.ts'
import { migrate } from '../server/database/migrate.ts'
import { Ledger } from '../server/ledger/ledger.ts'
import { createMonths, OLDEST, openWallets, type FillTarget } from './fill.ts'
import { parentOf } from './measure-cpu.ts'

export const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: '2GB',
  max_wal_size: '16GB',
  checkpoint_timeout: '30min',
  max_connections: '200',
  // A standby that was disconnected for a while still finds the WAL that it missed.
  wal_keep_size: '8GB',
}

export interface Setup {
  postgres: TemporaryPostgres
  postmasterPid: number
  /** A superuser's connection for queries about the server. */
  control: pg.Pool
  target: FillTarget
  credentials: { clientId: string; clientSecret: string }
  peppers: string
  /** For logs and scripts; removed at the end. */
  folder: string
}

/** Prepares the setup, runs the work, and cleans up, also after an error or a Ctrl-C. */
export async function withSetup(
  wallets: number,
  work: (setup: Setup) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-bench-'))
  const postgres = await startTemporaryPostgres({ settings: SETTINGS })
  let cleared: Promise<void> | undefined
  const clear = () => {
    rmSync(folder, { recursive: true, force: true })
    return (cleared ??= postgres.stop())
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void clear().finally(() => process.exit(1)))
  }
  try {
    await work(await prepareSetup(postgres, folder, wallets))
  } finally {
    await clear()
  }
}

async function prepareSetup(
  postgres: TemporaryPostgres,
  folder: string,
  wallets: number,
): Promise<Setup> {
  const { url } = postgres
  console.log(`Loading ${wallets} wallets into a PostgreSQL of our own …`)
  loadBaseline(postgres, wallets)
  await migrate(url, () => undefined)
  const peppers = `bench:${randomBytes(32).toString('base64')}`
  const credentials = await registerClientApp(url, peppers)
  const target = { url, wallets, clientAppId: credentials.id, account: credentials.ledgerAccount }
  await createMonths(url)
  await openWallets({ ...target, atMs: OLDEST })
  // A pool, because it does not throw when the server stops.
  const control = new pg.Pool({ connectionString: url, max: 1 })
  control.on('error', () => undefined)
  const { rows } = await control.query('select pg_backend_pid() as pid')
  const postmasterPid = parentOf(rows[0].pid)
  return { postgres, postmasterPid, control, target, credentials, peppers, folder }
}

/** The fixed statements, adapted to the number of wallets: a quick run has fewer. */
export function readBaseline(file: string, wallets: number): string {
  const text = readFileSync(new URL(`baseline/${file}`, import.meta.url), 'utf8')
  return text.replaceAll(/\b1000000\b/g, String(wallets))
}

function loadBaseline({ url, binFolder }: TemporaryPostgres, wallets: number) {
  const args = ['--quiet', '--no-psqlrc', '--set=ON_ERROR_STOP=1', `--dbname=${url}`]
  execFileSync(join(binFolder, 'psql'), args, {
    input: readBaseline('baseline.sql', wallets),
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, PGOPTIONS: '-c client_min_messages=warning' },
  })
}

async function registerClientApp(url: string, peppers: string) {
  const config = readConfig({ DATABASE_URL: url, SECRET_PEPPERS: peppers })
  const db = createPool(url, { size: 2, barrier: false })
  const ledger = new Ledger({ databaseUrl: url })
  try {
    const tools = { db, ledger, peppers: config.peppers }
    return await createClientApp(tools, { name: 'Bench', creditLimit: 'unlimited' })
  } finally {
    await ledger.close()
    await db.end()
  }
}
