import type pg from 'pg'
import { many } from '../database/statement.ts'
import { accountChange, type Kind } from '../ledger/types.ts'
import { sumBetween } from './figure-queries.ts'

/**
 * What each kind of operation moved between two whole hours, in minor units without a sign. Both hours must be in the
 * totals; if the step is a day, the first one begins a UTC day.
 */
export async function sumMovements(
  pool: pg.Pool,
  from: Date,
  before: Date,
  step: 'hour' | 'day',
): Promise<Map<Kind, bigint>> {
  const sums = await many(pool, sumBetween(from, before, step))
  return new Map(
    sums.map((sum) => {
      const change = accountChange(sum)
      return [sum.kind, change < 0n ? -change : change]
    }),
  )
}
