/**
 * Walks all chains in ranges of wallets, with several threads if the caller wants them. Each reads the caller's
 * snapshot.
 */
import assert from 'node:assert/strict'
import { Worker } from 'node:worker_threads'
import type pg from 'pg'
import { one, run } from '../../database/statement.ts'
import { accountChange, type Head } from '../types.ts'
import { EXPORT_SNAPSHOT, findLastOf, USE_ORDERED_INDEX } from './verify-queries.ts'
import { FIRST_ID, LAST_ID, walkChains, type Range, type Start } from './walk-chains.ts'

const LIMITS = { wallets: 1_000, operations: 5_000 }

export interface WalkOptions {
  /** In the order of ids. */
  checkpoint?: AsyncIterable<Head> | undefined
  /** Trust the books up to the checkpoint and walk only newer operations. */
  isIncremental?: boolean
  /** Each has its own connection. Without it, the caller's thread and connection do the work. */
  threads?: { databaseUrl: string; count: number }
}

export interface Walked {
  wallets: number
  operations: number
  /** What all people have, minus what they owe. */
  people: bigint
  /** By how much the operations have changed each ledger account. */
  accounts: Map<number, bigint>
  /** The walk ends at the first one. */
  fault: string | undefined
}

export async function walkAll(
  client: pg.ClientBase,
  options: WalkOptions,
  onProgress: (walked: Walked) => void,
): Promise<Walked> {
  const all = nothingWalked()
  let faultyFrom = LAST_ID
  const ranges = listRanges(client, options)
  const nextRange = async () =>
    all.fault === undefined ? ((await ranges.next()).value as Range | undefined) : undefined
  // Ranges that began before a fault was found are walked to their end, so the fault of the first wallet counts.
  function add({ from }: Range, { fault, ...walked }: Walked) {
    all.wallets += walked.wallets
    all.operations += walked.operations
    all.people += walked.people
    for (const [account, sum] of walked.accounts) addTo(all.accounts, account, sum)
    if (fault !== undefined && from <= faultyFrom) {
      faultyFrom = from
      all.fault = fault
    }
    onProgress(all)
  }
  if (options.threads) await runThreads(client, options.threads, nextRange, add)
  else {
    for (let range = await nextRange(); range; range = await nextRange()) {
      add(range, await walkRange(client, range))
    }
  }
  return all
}

async function* listRanges(
  client: pg.ClientBase,
  { checkpoint, isIncremental = false }: WalkOptions,
): AsyncGenerator<Range> {
  const heads = checkpoint?.[Symbol.asyncIterator]()
  const nextHead = async () => (await heads?.next())?.value as Head | undefined
  let head = await nextHead()
  for (let from = FIRST_ID; ;) {
    const last = await one(client, findLastOf(from, LIMITS.wallets))
    const upTo = last ?? LAST_ID
    const ofRange = new Map<bigint, Head>()
    for (; head && head.id <= upTo; head = await nextHead()) ofRange.set(head.id, head)
    yield { from, upTo, checkpoint: ofRange, isIncremental }
    if (last === undefined) return
    from = last + 1n
  }
}

export async function walkRange(client: pg.ClientBase, range: Range): Promise<Walked> {
  if (range.isIncremental) await run(client, USE_ORDERED_INDEX)
  const walked = nothingWalked()
  let start: Start | undefined = range
  while (start !== undefined && walked.fault === undefined) {
    const { wallets, operations, fault, next } = await walkChains(
      client,
      { ...range, head: undefined, ...start },
      LIMITS,
    )
    walked.wallets += wallets.length
    walked.operations += operations.length
    for (const { balance, held, debt } of wallets) walked.people += balance + held - debt
    for (const operation of operations) {
      addTo(walked.accounts, operation.counterAccount, accountChange(operation))
    }
    walked.fault = fault
    start = next
  }
  return walked
}

function nothingWalked(): Walked {
  return { wallets: 0, operations: 0, people: 0n, accounts: new Map(), fault: undefined }
}

function addTo(sums: Map<number, bigint>, account: number, change: bigint) {
  sums.set(account, (sums.get(account) ?? 0n) + change)
}

export interface ThreadInput {
  databaseUrl: string
  snapshot: string
}

/**
 * A thread sends the result of its last range (undefined at the start), and gets the next range (undefined at the end).
 */
export type ThreadOutput = { range: Range; walked: Walked } | undefined

async function runThreads(
  client: pg.ClientBase,
  { databaseUrl, count }: NonNullable<WalkOptions['threads']>,
  nextRange: () => Promise<Range | undefined>,
  add: (range: Range, walked: Walked) => void,
): Promise<void> {
  const snapshot = await one(client, EXPORT_SNAPSHOT)
  assert(snapshot)
  const workers: Worker[] = []
  const runThread = () =>
    new Promise<void>((resolve, reject) => {
      const input: ThreadInput = { databaseUrl, snapshot }
      const worker = new Worker(new URL('./walk-thread.ts', import.meta.url), { workerData: input })
      workers.push(worker)
      worker.on('message', (output: ThreadOutput) => {
        if (output) add(output.range, output.walked)
        nextRange().then((range) => worker.postMessage(range, []), reject)
      })
      worker.on('error', reject)
      worker.on('exit', (code) => {
        if (code === 0) resolve()
        else reject(new Error(`A thread ended with code ${code}.`))
      })
    })
  try {
    await Promise.all(Array.from({ length: count }, runThread))
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}
