/** Compares the complete hours of a period with as many hours one period earlier. */
import { toWireNumber, type Currency } from '@coffer/contract/money'
import type pg from 'pg'
import { readMovements } from '../../books/read-figures.ts'
import { one } from '../../database/statement.ts'
import { TRAFFIC_DAYS } from '../../http/traffic-queries.ts'
import type { Kind } from '../../ledger/types.ts'
import { countResponses, type Step } from './queries.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

export interface Period {
  fromMs: number
  lengthMs: number
  step: Step
  /** The totals contain every operation before this time. */
  totalsUpTo: Date
}

export async function comparePeriods(db: pg.Pool, period: Period, currency: Currency) {
  const { fromMs, lengthMs, step } = period
  const lastMs = Math.floor(period.totalsUpTo.getTime() / HOUR_MS) * HOUR_MS
  const endMs = Math.min(Math.max(fromMs, lastMs), fromMs + lengthMs)
  const read = async (shiftMs: number) => {
    const from = new Date(fromMs - shiftMs)
    const before = new Date(endMs - shiftMs)
    const [movements, traffic] = await Promise.all([
      readMovements(db, from, before, step),
      readTraffic(db, from, before),
    ])
    const amountOf = (kind: Kind) => toWireNumber(movements.get(kind) ?? 0n, currency)
    return {
      debits: amountOf('debit'),
      credits: amountOf('credit'),
      topups: amountOf('topup'),
      ...traffic,
    }
  }
  const [now, before] = await Promise.all([read(0), read(lengthMs)])
  return { now, before }
}

async function readTraffic(db: pg.Pool, from: Date, before: Date) {
  const isKept = Date.now() - from.getTime() < TRAFFIC_DAYS * DAY_MS
  const counted = isKept ? await one(db, countResponses(from, before)) : undefined
  return counted ?? { requests: null, refused: null }
}
