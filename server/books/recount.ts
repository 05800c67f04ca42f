/**
 * Counts hours again that were added up before. More operations than were counted then came late, because the clock
 * was set back; they are added. Fewer, or other amounts, mean that somebody changed the books.
 */
import { inTransaction } from '../database/in-transaction.ts'
import {
  addDifferences,
  BE_PATIENT,
  findDifferences,
  LOCK_PROGRESS,
  type DifferenceRow,
  type ProgressRow,
} from './roll-up-queries.ts'
import { HOUR_MS, type BookTools } from './roll-up.ts'

/** Returns what is wrong; undefined if nothing is, any more. */
export async function recountHour(
  { db, log, metrics }: BookTools,
  hour: Date,
): Promise<string | undefined> {
  const differences = await inTransaction(db, async (tx) => {
    await tx.query(BE_PATIENT)
    // Whoever counts keeps the others from adding meanwhile.
    const [progress] = (await tx.query<ProgressRow>(LOCK_PROGRESS)).rows
    const rolledUpToMs = progress?.rolled_up_to.getTime() ?? 0
    const before = new Date(Math.min(hour.getTime() + HOUR_MS, rolledUpToMs))
    if (before <= hour) return []
    const { rows } = await tx.query<DifferenceRow>(findDifferences(hour, before))
    if (rows.length > 0 && rows.every(isLate)) await tx.query(addDifferences(hour, rows))
    return rows
  })
  if (differences.length === 0) return undefined
  const changed = differences.find((each) => !isLate(each))
  if (changed) return nameChange(hour, changed)
  const operations = Number(differences.reduce((sum, { count }) => sum + count, 0n))
  metrics.countMended(operations)
  log.warn(
    { hour: hour.toISOString(), operations },
    'operations came after their hour was added up, because the clock was set back; they are added now',
  )
  return undefined
}

function isLate({ count }: DifferenceRow): boolean {
  return count > 0n
}

function nameChange(hour: Date, { account, kind, count, amount }: DifferenceRow): string {
  const name = `${kind} of account ${account} in the hour from ${hour.toISOString().slice(0, 16)}`
  return count < 0n
    ? `${name}: ${-count} operations are gone since they were added up`
    : `${name}: the amounts differ by ${amount} from what was added up`
}
