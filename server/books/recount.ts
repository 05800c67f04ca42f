/**
 * Counts an hour again after it was added to the totals. Additional operations were posted late, after the clock was
 * set back, and are added to the totals. Missing operations or different amounts mean that somebody changed the books.
 */
import { inTransaction } from '../database/in-transaction.ts'
import { many, one, run, type Database } from '../database/statement.ts'
import { READ_ARCHIVED_BEFORE } from '../ledger/partitions/archived-queries.ts'
import {
  addDifferences,
  EXTEND_TIMEOUTS,
  LOCK_PROGRESS,
  readHour,
  type AccountKindTotals,
} from './totals-queries.ts'
import { HOUR_MS, type BookTools } from './update-totals.ts'
import { goOn, subtract, computeTotals } from './compute-totals.ts'

/** About how many operations the first slice of an hour has; then the time that a slice takes determines its size. */
const SLICE_OPERATIONS = 500_000

/** Returns the fault; undefined if there is none, or if there were only late operations. */
export async function recountHour(
  { backgroundDb: db, log, metrics }: BookTools,
  hour: Date,
  onStep = goOn,
  sliceOperations = SLICE_OPERATIONS,
): Promise<string | undefined> {
  const count = (on: Database) => findDifferences(on, hour, onStep, sliceOperations)
  // Usually there is no difference, and no lock is needed to find that out.
  if ((await count(db)).length === 0) return undefined
  const differences = await inTransaction(db, async (tx) => {
    await run(tx, EXTEND_TIMEOUTS)
    // The lock keeps other processes from adding operations meanwhile.
    await one(tx, LOCK_PROGRESS)
    const found = await count(tx)
    // The operations of an archived hour are not missing. Read this last: the month may be archived meanwhile.
    const archivedBefore = await one(tx, READ_ARCHIVED_BEFORE)
    if (archivedBefore && hour < archivedBefore) return []
    if (found.length > 0 && found.every(isLate)) await run(tx, addDifferences(hour, found))
    return found
  })
  if (differences.length === 0) return undefined
  const changed = differences.find((each) => !isLate(each))
  if (changed) return describeChange(hour, changed)
  const operations = Number(differences.reduce((sum, { count: more }) => sum + more, 0n))
  metrics.countLate(operations)
  log.warn(
    { hour: hour.toISOString(), operations },
    'late operations added to the totals of their hour; the clock was set back',
  )
  return undefined
}

/** Counts the part of the hour that is already in the totals, and returns the operations minus the totals. */
export async function findDifferences(
  db: Database,
  hour: Date,
  onStep = goOn,
  sliceOperations = SLICE_OPERATIONS,
): Promise<AccountKindTotals[]> {
  const rows = await many(db, readHour(hour))
  const totalsUpToMs = rows[0]?.totalsUpTo.getTime() ?? 0
  const before = new Date(Math.min(hour.getTime() + HOUR_MS, totalsUpToMs))
  const totals = rows.flatMap(({ totals: ofHour }) => ofHour ?? [])
  const operations = totals.reduce((total, { count }) => total + Number(count), 0)
  const firstSliceMs = HOUR_MS * Math.min(1, sliceOperations / Math.max(1, operations))
  return before <= hour
    ? []
    : subtract(await computeTotals(db, { from: hour, before }, { firstSliceMs, onStep }), totals)
}

function isLate({ count }: AccountKindTotals): boolean {
  return count > 0n
}

function describeChange(hour: Date, { account, kind, count, amount }: AccountKindTotals): string {
  const name = `${kind} of account ${account} in the hour from ${hour.toISOString().slice(0, 16)}`
  return count < 0n
    ? `${name}: ${-count} operations are missing that are in the totals`
    : `${name}: the amounts differ by ${amount} from the totals`
}
