/**
 * How long do debits wait while a month is archived and restored? Fills a past month, then runs the commands while
 * debits are posted to this month, and verifies the books before and after.
 * Run: npm run bench:archive -- [--operations 10000000] [--wallets 1000000]
 */
import { spawn } from 'node:child_process'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { preparePastPartitions } from '../scripts/post-in-the-past.ts'
import { startTemporaryPostgres } from '../scripts/temporary-postgres.ts'
import { migrate } from '../server/database/migrate.ts'
import { Ledger } from '../server/ledger/ledger.ts'
import { BONUS_ACCOUNT } from '../server/ledger/types.ts'
import { fillUpTo, openWallets, settle } from './fill.ts'

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '10000000' },
    wallets: { type: 'string', default: '1000000' },
  },
})
const OPERATIONS = Number(values.operations)
const WALLETS = Number(values.wallets)
const AT_ONCE = 50
const GAPS = 5
const SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '30min' }
const COFFER = fileURLToPath(new URL('../server/coffer.ts', import.meta.url))

const now = new Date()
const monthOf = (ago: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago)).toISOString().slice(0, 7)
const [MONTH, BEFORE] = [monthOf(2), monthOf(1)]
const folder = mkdtempSync(join(tmpdir(), 'coffer-archive-'))
const keyFile = join(folder, 'key.pem')
const { privateKey } = generateKeyPairSync('ed25519')
writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))

async function prepare(url: string) {
  await migrate(url, () => undefined)
  const atMs = Date.parse(`${MONTH}-10T12:00:00Z`)
  await preparePastPartitions(url, Date.parse(`${MONTH}-01T00:00:00Z`))
  const target = { url, wallets: WALLETS, clientAppId: 1n, account: 1_000, isShuffled: true, atMs }
  await openWallets(target)
  await fillUpTo(target, OPERATIONS)
  await settle(url)
  const owner = new pg.Client(url)
  await owner.connect()
  await owner.query('update books.progress set totals_up_to = now()')
  await owner.end()
}

async function coffer(url: string, ...words: string[]): Promise<number> {
  const startMs = performance.now()
  const command = spawn(process.execPath, [COFFER, ...words], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(command, 'exit')
  if (code !== 0) throw new Error(`coffer ${words[0]} ended with code ${code}`)
  return (performance.now() - startMs) / 1000
}

interface Gap {
  ms: number
  /** Since the work began. */
  atSeconds: number
}

/** Posts debits until the work is done, and returns the longest times without one and the longest one. */
async function underLoad(ledger: Ledger, work: () => Promise<number>) {
  const beginMs = performance.now()
  const load = { isDone: false, posted: 0, longestMs: 0, lastMs: beginMs }
  let gaps: Gap[] = []
  async function post() {
    while (!load.isDone) {
      const startMs = performance.now()
      const walletId = BigInt(1 + Math.floor(Math.random() * WALLETS))
      const reference = { referenceType: 'BENCH', referenceId: randomUUID(), description: null }
      const side = { kind: 'debit', counterAccount: BONUS_ACCOUNT, amountMinor: 1n } as const
      await ledger.post({ ...side, ...reference, walletId })
      const endMs = performance.now()
      load.posted++
      const ms = endMs - load.lastMs
      if (ms > (gaps[GAPS - 1]?.ms ?? 0)) {
        const longest = [...gaps, { ms, atSeconds: (load.lastMs - beginMs) / 1000 }]
        gaps = longest.toSorted((a, b) => b.ms - a.ms).slice(0, GAPS)
      }
      load.longestMs = Math.max(load.longestMs, endMs - startMs)
      load.lastMs = endMs
    }
  }
  const posting = Promise.all(Array.from({ length: AT_ONCE }, post))
  const seconds = await work()
  load.isDone = true
  await posting
  return { seconds, gaps, ...load }
}

async function measure(name: string, ledger: Ledger, work: () => Promise<number>) {
  const { seconds, posted, gaps, longestMs } = await underLoad(ledger, work)
  const list = gaps.map(({ ms, atSeconds }) => `${ms.toFixed(0)} ms at ${atSeconds.toFixed(1)} s`)
  console.log(
    `${name}: ${seconds.toFixed(1)} s, ${Math.round(OPERATIONS / seconds)} operations/s, beside ` +
      `${Math.round(posted / seconds)} debits/s; longest debit ${longestMs.toFixed(0)} ms, ` +
      `longest times without a debit: ${list.join(', ')}`,
  )
}

const postgres = await startTemporaryPostgres({ settings: SETTINGS })
try {
  const { url } = postgres
  await prepare(url)
  console.log(`filled ${MONTH} with ${OPERATIONS} operations of ${WALLETS} wallets`)
  await coffer(url, 'verify')
  const ledger = new Ledger({ databaseUrl: url })
  const files = ['--from', folder, '--key', keyFile]
  const idle = () => new Promise<number>((resolve) => setTimeout(resolve, 60_000, 60))
  await measure('nothing, for comparison', ledger, idle)
  await measure('archive', ledger, () =>
    coffer(url, 'archive', '--before', BEFORE, '--to', folder, '--key', keyFile),
  )
  for (const end of ['jsonl.gz', 'manifest']) {
    const { size } = statSync(join(folder, `operations-${MONTH}.${end}`))
    console.log(`${end}: ${(size / OPERATIONS).toFixed(1)} bytes per operation`)
  }
  await coffer(url, 'verify')
  await measure('drop', ledger, () => coffer(url, 'archive', 'drop', MONTH, ...files))
  await measure('restore', ledger, () => coffer(url, 'archive', 'restore', MONTH, ...files))
  await coffer(url, 'verify')
  await ledger.close()
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true })
}
