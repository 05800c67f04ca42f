/**
 * Reads the newest operations of a wallet without opening the partitions of all months. The numbers of a wallet's
 * operations have no gaps, so the result itself shows whether something is missing. Then all partitions are read:
 * months are only a guess at where the operations are, and the clock may have been set back.
 */
import { many, type Database } from '../database/statement.ts'
import { readHistory, type Months } from './history-queries.ts'
import type { Operation } from './types.ts'

/** Most reads end after the first two months; the others need few steps. */
const STEPS = [2, 4, 8, 16]

/** Operations with a seq up to and including upToSeq, newest first. */
export async function readNewest(
  db: Database,
  walletId: bigint,
  upToSeq: bigint,
  limit: number,
): Promise<Operation[]> {
  if (upToSeq <= 0n) return []
  const wanted = upToSeq < BigInt(limit) ? Number(upToSeq) : limit
  const found: Operation[] = []
  for (const months of goBack(new Date())) {
    const nextSeq = upToSeq - BigInt(found.length)
    const operations = await many(db, readHistory(walletId, nextSeq, wanted - found.length, months))
    found.push(...operations)
    if (found.some(({ seq }, index) => seq !== upToSeq - BigInt(index))) break
    if (found.length === wanted) return found
  }
  return many(db, readHistory(walletId, upToSeq, limit))
}

/** This month and the one before it, then the months before those, and so on. */
function* goBack(now: Date): Generator<Months> {
  const firstDay = (monthsAgo: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo))
      .toISOString()
      .slice(0, 10)
  let monthsAgo = -1
  for (const step of STEPS) {
    yield { from: firstDay(monthsAgo + step), before: firstDay(monthsAgo) }
    monthsAgo += step
  }
}
