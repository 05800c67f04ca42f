/**
 * Chooses periods so short that one query reads each of them quickly, newest first. The totals say how many operations
 * an hour has, and which hours have no operation that matches: they are left out. Only the newest seconds are not in
 * the totals yet.
 */
import type pg from 'pg'
import { many } from '../database/statement.ts'
import { sliceHour, SLICE } from './read-statement.ts'
import { HOUR_MS } from './update-totals.ts'
import {
  listDays,
  listHours,
  type OperationFilter,
  type Period,
  type SearchHour,
  type SearchLimits,
} from './search-queries.ts'

/** After a query that takes less than this, the next one may read a longer period. */
const QUICK_MS = 40
const NEWEST_MIN_MS = 1_000
/** If the totals are late, nothing says how many operations a period has. */
const NEWEST_MAX_MS = 10 * 60 * 1000
const DAYS_MAX = 64

/** A period that is empty (it ends where it begins) only reports how far the search has come. */
export async function* choosePeriods(
  db: pg.Pool,
  { from, before }: Period,
  limits: SearchLimits,
  filter: OperationFilter,
): AsyncGenerator<Period> {
  const edge = later(from, limits.totalsUpTo)
  if (edge < before) yield* splitNewest({ from: edge, before }, limits.now)
  const end = limits.totalsUpTo < before ? limits.totalsUpTo : before
  if (from < end) yield* splitDays(db, { from, before: end }, filter)
}

export function later(one: Date, other: Date | undefined): Date {
  return other !== undefined && other > one ? other : one
}

function* splitNewest({ from, before }: Period, now: Date): Generator<Period> {
  let end = before
  let lengthMs = NEWEST_MIN_MS
  while (end > from) {
    const endMs = Math.min(end.getTime(), Math.max(now.getTime(), from.getTime()))
    const start = later(from, new Date(endMs - lengthMs))
    const askedMs = performance.now()
    yield { from: start, before: end }
    const isQuick = performance.now() - askedMs < QUICK_MS
    lengthMs = Math.min(
      NEWEST_MAX_MS,
      Math.max(NEWEST_MIN_MS, isQuick ? lengthMs * 4 : lengthMs / 4),
    )
    end = start
  }
}

async function* splitDays(
  db: pg.Pool,
  { from, before }: Period,
  filter: OperationFilter,
): AsyncGenerator<Period> {
  let end = before
  let count = 1
  for (;;) {
    const askedMs = performance.now()
    const days = await many(db, listDays({ from, before: end }, filter, count))
    const hours = await many(db, listHours(days, end, filter))
    const isQuick = performance.now() - askedMs < QUICK_MS
    for (const period of joinHours(hours, end, filter)) {
      const start = later(from, period.from)
      if (start < period.before) yield { from: start, before: period.before }
    }
    const oldest = days.at(-1)
    if (oldest === undefined || days.length < count) return
    end = later(from, oldest)
    yield { from: end, before: end }
    if (isQuick) count = Math.min(DAYS_MAX, count * 2)
  }
}

interface OpenPeriod extends Period {
  operations: number
}

/**
 * Joins quiet hours and splits busy ones. With accounts in the filter, there may be other operations between two hours.
 */
function* joinHours(
  hours: readonly SearchHour[],
  end: Date,
  { accounts }: OperationFilter,
): Generator<Period> {
  let open: OpenPeriod | undefined
  for (const each of hours) {
    const operations = Number(each.operations)
    const next = new Date(each.hour.getTime() + HOUR_MS)
    const isAdjacent = accounts === undefined || open?.from.getTime() === next.getTime()
    const fits = each.hasMatch && isAdjacent && (open?.operations ?? 0) + operations <= SLICE
    if (open && !fits) {
      yield open
      open = undefined
    }
    if (!each.hasMatch) continue
    if (operations > SLICE) {
      for (const [from, before] of sliceHour(each, end).toReversed()) yield { from, before }
      continue
    }
    const before = open?.before ?? (next < end ? next : end)
    open = { from: each.hour, before, operations: (open?.operations ?? 0) + operations }
  }
  if (open) yield open
}
