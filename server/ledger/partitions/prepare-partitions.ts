/** Creates the partitions of the coming months, each in its own transaction. */
import { isConnectionFailure } from '../../database/connect.ts'
import { many, one, run, type Database } from '../../database/statement.ts'
import { countStrays, listMonths, preparePartition } from './partition-queries.ts'

const MONTHS_AHEAD = 3

export interface Partitions {
  /** How many months after the current one have a partition, up to the first that has none; -1: not even this month. */
  monthsAhead: number
  /** The months that still have no partition, and why. */
  missing: { month: string; error: unknown }[]
  /** Rows in the default partition, counted up to STRAYS_MAX. */
  strayRows: number
}

export async function preparePartitions(db: Database): Promise<Partitions> {
  const months = await many(db, listMonths(MONTHS_AHEAD))
  const missing: Partitions['missing'] = []
  for (const { month } of months.filter(({ hasPartition }) => !hasPartition)) {
    try {
      await run(db, preparePartition(month))
    } catch (error) {
      if (isConnectionFailure(error)) throw error
      missing.push({ month, error })
    }
  }
  const firstMissing = months.findIndex(({ month }) => month === missing[0]?.month)
  return {
    monthsAhead: (firstMissing === -1 ? months.length : firstMissing) - 1,
    missing,
    strayRows: (await one(db, countStrays())) ?? 0,
  }
}
