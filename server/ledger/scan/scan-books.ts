/**
 * Reads all books once, with several threads, and confirms wallets and keys; verify.ts explains what it cannot confirm.
 * The threads share the snapshot of the caller's transaction.
 */
import { Worker } from 'node:worker_threads'
import type pg from 'pg'
import { one, run } from '../../database/statement.ts'
import type { Head } from '../types.ts'
import { makeFingerprintKey, SetSums } from './fingerprint.ts'
import { HeadTable, type Shard } from './head-table.ts'
import { EXPORT_SNAPSHOT, READ_EXTENT, READ_IN_STORED_ORDER, type Extent } from './scan-queries.ts'
import { OPERATION_WEIGHT, scanShard, type ShardReport, type ShardTask } from './scan-shard.ts'
import type { WorkerInput, WorkerOutput } from './scan-worker.ts'

export interface Threads {
  databaseUrl: string
  count: number
}

export interface ScanOptions {
  checkpoint?: AsyncIterable<Head>
  /** Without it, the caller's thread and connection do the work. */
  threads?: Threads
  onProgress?: (done: number, total: number) => void
}

export interface Scan extends Omit<ShardReport, 'sums'> {
  /** In the order of ids. */
  suspects: bigint[]
  /** The groups of wallets, see fingerprint.ts, whose keys do not match their operations. */
  groups: number[]
  headOf: (id: bigint) => Head | undefined
}

export async function scanBooks(client: pg.ClientBase, options: ScanOptions): Promise<Scan> {
  await run(client, READ_IN_STORED_ORDER)
  const extent = (await one(client, READ_EXTENT)) as Extent
  const shards = planShards(extent, options.threads?.count ?? 1)
  const { tables, others } = await readHeads(shards, options.checkpoint)
  const fingerprintKey = makeFingerprintKey()
  const tasks = shards.map((shard, index): ShardTask => {
    return {
      shard,
      keyBlocks: extent.keyBlocks,
      archivedBefore: extent.archivedBefore,
      fingerprintKey,
      checkpoint: tables?.[index]?.buffer,
    }
  })
  let done = 0
  // Each operation has a key.
  const total = extent.wallets + (OPERATION_WEIGHT + 1) * extent.operations
  const onWork = (more: number) => options.onProgress?.(Math.min((done += more), total), total)
  const reports = options.threads
    ? await runThreads(client, options.threads, tasks, onWork)
    : await Promise.all(tasks.map((task) => scanShard(client, task, onWork)))
  const sums = new SetSums(fingerprintKey)
  for (const report of reports) sums.addAll(report.sums)
  const suspects = [...others.keys(), ...reports.flatMap((each) => each.suspects)]
  return {
    wallets: reports.reduce((sum, each) => sum + each.wallets, 0),
    operations: reports.reduce((sum, each) => sum + each.operations, 0),
    refunds: reports.reduce((sum, each) => sum + each.refunds, 0),
    holds: reports.reduce((sum, each) => sum + each.holds, 0),
    holdChanges: reports.reduce((sum, each) => sum + each.holdChanges, 0),
    people: reports.reduce((sum, each) => sum + each.people, 0n),
    accounts: addUpAccounts(reports),
    suspects: suspects.toSorted((a, b) => (a < b ? -1 : 1)),
    groups: sums.differences(),
    headOf: (id) =>
      others.get(id) ?? tables?.map((table) => table.read(id)).find((head) => head !== undefined),
  }
}

function planShards({ wallets, firstId, lastId }: Extent, count: number): Shard[] {
  // Ids have few gaps. If there are many, wallets outside of the tables become suspects.
  const ids = Math.min(lastId - firstId + 1, 4 * wallets + 1_000_000)
  const slots = Math.ceil(ids / count) + 1
  return Array.from({ length: count }, (_, index) => ({ index, count, firstId, slots }))
}

/** Puts the heads of the checkpoint into tables; `others` are those that do not fit. */
async function readHeads(shards: Shard[], checkpoint: AsyncIterable<Head> | undefined) {
  const others = new Map<bigint, Head>()
  if (checkpoint === undefined) return { tables: undefined, others }
  const tables = shards.map((shard) => new HeadTable(shard))
  for await (const head of checkpoint) {
    if (!tables.some((table) => table.add(head))) others.set(head.id, head)
  }
  return { tables, others }
}

async function runThreads(
  client: pg.ClientBase,
  { databaseUrl }: Threads,
  tasks: ShardTask[],
  onWork: (done: number) => void,
): Promise<ShardReport[]> {
  const snapshot = (await one(client, EXPORT_SNAPSHOT)) as string
  const workers: Worker[] = []
  const runThread = (task: ShardTask) =>
    new Promise<ShardReport>((resolve, reject) => {
      const input: WorkerInput = { databaseUrl, snapshot, task }
      const worker = new Worker(new URL('./scan-worker.ts', import.meta.url), { workerData: input })
      workers.push(worker)
      worker.on('message', (output: WorkerOutput) => {
        if ('done' in output) onWork(output.done)
        else resolve(output.report)
      })
      worker.on('error', reject)
      worker.on('exit', (code) => reject(new Error(`A thread ended with code ${code}.`)))
    })
  try {
    return await Promise.all(tasks.map(runThread))
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

function addUpAccounts(reports: ShardReport[]): Map<number, bigint> {
  const sums = new Map<number, bigint>()
  for (const [account, sum] of reports.flatMap(({ accounts }) => [...accounts])) {
    sums.set(account, (sums.get(account) ?? 0n) + sum)
  }
  return sums
}
