/**
 * Counts hours again that were added up before. Additional operations were late, because the clock was set back; they
 * are added to the sums. Missing operations, or other amounts, mean that somebody changed the books.
 */
import { inTransaction } from '../database/in-transaction.ts'
import { many, one, run } from '../database/statement.ts'
import {
  addDifferences,
  EXTEND_TIMEOUTS,
  findDifferences,
  LOCK_PROGRESS,
  type Difference,
} from './roll-up-queries.ts'
import { HOUR_MS, type BookTools } from './roll-up.ts'

/** Returns the fault; undefined if there is none, or if it only had to add late operations. */
export async function recountHour(
  { db, log, metrics }: BookTools,
  hour: Date,
): Promise<string | undefined> {
  const differences = await inTransaction(db, async (tx) => {
    await run(tx, EXTEND_TIMEOUTS)
    // The lock keeps other processes from adding operations meanwhile.
    const progress = await one(tx, LOCK_PROGRESS)
    const rolledUpToMs = progress?.rolledUpTo.getTime() ?? 0
    const before = new Date(Math.min(hour.getTime() + HOUR_MS, rolledUpToMs))
    if (before <= hour) return []
    const found = await many(tx, findDifferences(hour, before))
    if (found.length > 0 && found.every(isLate)) await run(tx, addDifferences(hour, found))
    return found
  })
  if (differences.length === 0) return undefined
  const changed = differences.find((each) => !isLate(each))
  if (changed) return describeChange(hour, changed)
  const operations = Number(differences.reduce((sum, { count }) => sum + count, 0n))
  metrics.countLate(operations)
  log.warn(
    { hour: hour.toISOString(), operations },
    'late operations added to the sums of their hour; the clock was set back',
  )
  return undefined
}

function isLate({ count }: Difference): boolean {
  return count > 0n
}

function describeChange(hour: Date, { account, kind, count, amount }: Difference): string {
  const name = `${kind} of account ${account} in the hour from ${hour.toISOString().slice(0, 16)}`
  return count < 0n
    ? `${name}: ${-count} operations are missing that were added up before`
    : `${name}: the amounts differ by ${amount} from the sums`
}
