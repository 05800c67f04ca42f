/**
 * Posts operations with times in the past, for the demo only. The ledger's own batch decides, hashes and writes them;
 * only its clock is replaced. One transaction also adds them to the totals, so that no reader and no
 * verifier sees the one without the other.
 */
import pg from 'pg'
import { findDifferences } from '../server/books/recount.ts'
import { addDifferences, LOCK_PROGRESS } from '../server/books/totals-queries.ts'
import { inTransaction } from '../server/database/in-transaction.ts'
import { one, run } from '../server/database/statement.ts'
import { runBatch, type LaneClient } from '../server/ledger/post/batch.ts'
import type { DigestedRequest } from '../server/ledger/post/decide-types.ts'
import { digestPair } from '../server/ledger/digest.ts'
import { READ_CLOCK } from '../server/ledger/queries.ts'
import { scopeOf, type LedgerRequest } from '../server/ledger/types.ts'

const HOUR_MS = 60 * 60 * 1000

export type PastRequest = LedgerRequest & { atMs: number }

/** The requests must be in the order of time; those of one moment form a batch. `alongside` writes what belongs to them in the same transaction. */
export async function postInThePast(
  db: pg.Pool,
  requests: readonly PastRequest[],
  alongside: (tx: pg.ClientBase) => Promise<unknown>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await one(tx, LOCK_PROGRESS)
    for (const [atMs, batch] of Map.groupBy(requests, (request) => request.atMs)) {
      const outcomes = await runBatch(withClock(tx, atMs), batch.map(addDigest), { mode: 'wait' })
      if (!outcomes.every((each) => 'decision' in each && each.decision.refusal === null)) {
        throw new Error('An operation of the demo was not posted.')
      }
    }
    await alongside(tx)
    const hours = new Set(requests.map(({ atMs }) => Math.floor(atMs / HOUR_MS) * HOUR_MS))
    for (const hourMs of hours) await addToTotals(tx, new Date(hourMs))
  })
}

function addDigest(request: PastRequest): DigestedRequest {
  const scope = scopeOf(request)
  const digest = digestPair(scope, request.referenceType, request.referenceId)
  return { ...request, scope, digest }
}

/** The job that updates the totals adds those that are not before `totals_up_to`. */
async function addToTotals(tx: pg.ClientBase, hour: Date) {
  const differences = await findDifferences(tx, hour)
  if (differences.length > 0) await run(tx, addDifferences(hour, differences))
}

/** Runs the batch's statements in the surrounding transaction and returns another time for its clock. */
function withClock(tx: pg.ClientBase, atMs: number): LaneClient {
  let last: Promise<unknown> = Promise.resolve()
  const query = (statement: string | pg.QueryConfig) => {
    if (statement === 'begin') return Promise.resolve({ rows: [] })
    if (statement === 'commit') return last.then(() => ({ rows: [], command: 'COMMIT' }))
    if (statement === READ_CLOCK) {
      return Promise.resolve({ rows: [{ now_ms: BigInt(atMs), is_paused: false }] })
    }
    // The batch pipelines its statements; a client of the pool runs one at a time.
    const result = last.then(() => tx.query(statement))
    last = result
    return result
  }
  return { query } as unknown as LaneClient
}

/** Old operations need partitions of their months. Needs the owner of the database, as a migration does. */
export async function preparePastPartitions(databaseUrl: string, sinceMs: number): Promise<void> {
  const owner = new pg.Client(databaseUrl)
  await owner.connect()
  try {
    const month = new Date(sinceMs)
    month.setUTCDate(1)
    for (; month.getTime() < Date.now(); month.setUTCMonth(month.getUTCMonth() + 1)) {
      const next = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1))
      const [from, to] = [month, next].map((date) => date.toISOString().slice(0, 10))
      const name = `ledger.operations_${from?.slice(0, 7).replace('-', '_')}`
      await owner.query(`create table if not exists ${name} partition of ledger.operations
        for values from ('${from} 00:00+00') to ('${to} 00:00+00')`)
    }
  } finally {
    await owner.end()
  }
}
