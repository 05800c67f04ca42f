/**
 * What several clusters would cost (docs/scale.md): CPU time, WAL and flushes of PostgreSQL per debit in batches of
 * fixed size, per claim of a pair at its home cluster, and per lookup of a link; without HTTP, on two connections.
 * Prints the least of three rounds, because other load on the machine only adds.
 *
 *   npm run bench:clusters              about ten minutes, a million wallets and claims
 *   npm run bench:clusters -- --quick   about four minutes, a tenth of them
 */
import { randomBytes, randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { BARRIER, clientConfig } from '../server/database/connect.ts'
import { findLinks } from '../server/identity/link-queries.ts'
import { runBatch } from '../server/ledger/post/batch.ts'
import { digestPair } from '../server/ledger/digest.ts'
import { startCpuClock } from './measure-cpu.ts'
import { withSetup, type Setup } from './prepare.ts'
import { printAligned } from './print-results.ts'
import { FULL, QUICK } from './scenarios.ts'

const { quick } = parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values
const { wallets: WALLETS } = quick ? QUICK : FULL
const SECONDS = 6
const BATCH_SIZES = [4, 16, 64, 256]
const FILL_BATCH = 2_000
const CONNECTIONS = 2
const ROUNDS = 3

/** The columns of ledger.operation_keys; a claim has no seq, but kind and amount of the first request. */
const CLAIMS = `create schema clusters;
  create table clusters.claims (digest uuid primary key, wallet_id bigint not null, seq bigint not null,
    decided_at timestamptz not null, refusal ledger.refusal, kind ledger.kind, amount bigint);
  grant usage on schema clusters to coffer_service;
  grant select, insert on clusters.claims to coffer_service`

interface Bench {
  setup: Setup
  clients: pg.Client[]
}

type Work = (client: pg.Client, size: number, setup: Setup) => Promise<unknown>

/** Per operation. */
interface Cost {
  /** Microseconds of PostgreSQL. */
  cpu: number
  wal: number
  flushes: number
  fullPages: number
}

function debitBatch(client: pg.Client, size: number, { target: { account } }: Setup) {
  const requests = Array.from({ length: size }, () => {
    const referenceId = randomBytes(10).toString('hex')
    const digest = digestPair(account, 'ORDER_PAYMENT', referenceId)
    const pair = { referenceType: 'ORDER_PAYMENT', referenceId, description: 'order' }
    const money = { kind: 'debit' as const, amountMinor: 100n, counterAccount: account }
    return { ...pair, ...money, walletId: randomWallet(), scope: account, digest }
  })
  return runBatch(client, requests, { mode: 'wait' })
}

const randomWallet = () => BigInt(randomInt(1, WALLETS))

/** One claim batch: takes a transaction id, inserts what is absent, reads what is there, and waits for the standby. */
async function claim(client: pg.Client, size: number) {
  const digests = Array.from({ length: size }, () => randomBytes(16).toString('hex')).toSorted()
  const wallets = digests.map(randomWallet)
  const insert = {
    name: 'claim',
    text: `insert into clusters.claims (digest, wallet_id, seq, decided_at, kind, amount)
      select d, w, 0, now(), 'debit', 100 from unnest($1::uuid[], $2::bigint[]) as x(d, w)
      on conflict do nothing`,
    values: [digests, wallets],
  }
  const read = {
    name: 'read-claims',
    text: 'select * from clusters.claims where digest = any($1::uuid[])',
    values: [digests],
  }
  const begin = 'begin; select pg_current_xact_id()'
  const statements = [begin, insert, read, `${BARRIER}; commit`]
  await Promise.all(statements.map((each) => client.query(each as pg.QueryConfig)))
}

/** The ids are those of bench/fill.ts. */
async function lookUpLinks(client: pg.Client, size: number) {
  const ids = Array.from({ length: size }, () => {
    const wallet = randomWallet()
    const scattered = (wallet * 2_654_435_761n) % 4_294_967_296n
    return scattered.toString(16).padStart(8, '0') + wallet.toString(16).padStart(24, '0')
  })
  const { rowCount } = await client.query(findLinks(ids))
  if (rowCount !== new Set(ids).size) throw new Error('bench/fill.ts makes other link ids')
}

async function measure(setup: Setup, work: () => Promise<number>): Promise<Cost> {
  const before = await readWal(setup)
  const stopClock = startCpuClock(setup.postmasterPid)
  const count = await work()
  const cpu = stopClock().postgres
  const after = await readWal(setup)
  const each = (key: keyof typeof before) => (after[key] - before[key]) / count
  const costs = { wal: each('bytes'), flushes: each('flushes'), fullPages: each('fullPages') }
  return { cpu: cpu / count, ...costs }
}

/** Backends report their counts at most once a second. */
async function readWal({ control }: Setup) {
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const { rows } = await control.query('select wal_bytes, wal_sync, wal_fpi from pg_stat_wal')
  const { wal_bytes: bytes, wal_sync: flushes, wal_fpi: fullPages } = rows[0]
  return { bytes: Number(bytes), flushes: Number(flushes), fullPages: Number(fullPages) }
}

/** Keeps the connections open: the CPU time of a backend that ends during a measurement could be missed. */
async function repeat(
  { setup, clients }: Bench,
  work: Work,
  size: number,
  isDone: (n: number) => boolean,
) {
  let count = 0
  const run = async (client: pg.Client) => {
    while (!isDone(count)) {
      await work(client, size, setup)
      count += size
    }
  }
  await Promise.all(clients.map(run))
  return count
}

function forSeconds(bench: Bench, work: Work, size: number) {
  const endMs = performance.now() + SECONDS * 1000
  return repeat(bench, work, size, () => performance.now() > endMs)
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ ...clientConfig(url), pipeline: true })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function main() {
  await withSetup(WALLETS, async (setup) => {
    await setup.control.query(CLAIMS)
    const urls = Array.from({ length: CONNECTIONS }, () => setup.target.url)
    const bench = { setup, clients: await Promise.all(urls.map(connect)) }
    await repeat(bench, claim, FILL_BATCH, (count) => count >= WALLETS)
    await setup.control.query('vacuum analyze')
    await setup.control.query('checkpoint')
    const jobs: [string, Work, number][] = [
      ...BATCH_SIZES.map((size): [string, Work, number] => ['debit', debitBatch, size]),
      ...BATCH_SIZES.map((size): [string, Work, number] => ['claim', claim, size]),
      ['link lookup', lookUpLinks, 64],
    ]
    const costs = new Map<string, Cost[]>()
    for (let round = 0; round < ROUNDS; round++) {
      for (const [what, work, size] of jobs) {
        const name = `${what}, batch of ${size}`
        const cost = await measure(setup, () => forSeconds(bench, work, size))
        costs.set(name, [...(costs.get(name) ?? []), cost])
      }
    }
    const lines = [...costs].map(([name, rounds]) => [name, ...show(rounds)])
    const titles = ['', 'µs PostgreSQL', 'least B WAL', 'most B WAL', 'full pages', 'flushes']
    printAligned([titles, ...lines])
    const { rows } = await setup.control.query(
      `select pg_table_size('clusters.claims') / count(*) as table,
        pg_indexes_size('clusters.claims') / count(*) as index from clusters.claims`,
    )
    console.log(`\nStored per claim: ${rows[0].table} B table, ${rows[0].index} B index.`)
    await Promise.all(bench.clients.map((client) => client.end()))
  })
}

/** The first round follows a checkpoint, so it logs the most whole pages. */
function show(rounds: Cost[]): string[] {
  const all = (key: keyof Cost) => rounds.map((each) => each[key])
  const whole = [Math.min(...all('cpu')), Math.min(...all('wal')), Math.max(...all('wal'))]
  return [
    ...whole.map((each) => each.toFixed(0)),
    Math.max(...all('fullPages')).toFixed(2),
    Math.min(...all('flushes')).toFixed(4),
  ]
}

await main()
