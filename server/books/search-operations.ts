/**
 * Searches the operations of all wallets, newest first. Operations have no index by client app, kind or amount, so that
 * a debit stays fast: a search reads a period at a time, and ends after some time even if it has found nothing.
 */
import assert from 'node:assert/strict'
import type pg from 'pg'
import { many, one } from '../database/statement.ts'
import type { Operation } from '../ledger/types.ts'
import { choosePeriods, later } from './choose-periods.ts'
import { HOUR_MS } from './update-totals.ts'
import { listNewest, READ_SEARCH_LIMITS, type OperationFilter } from './search-queries.ts'
import type { EntryKey } from './statement-queries.ts'

/** An operation can be newer than now, if the clock was ahead when it was posted. */
const MARGIN_MS = HOUR_MS
const BEGINNING = new Date('2000-01-01')

export interface OperationSearch extends OperationFilter {
  from: Date | undefined
  before: Date | undefined
  /** The search continues after this operation. */
  last: EntryKey | undefined
  limit: number
  /** After this time the page ends, and the caller continues from there. */
  timeLimitMs: number
}

export interface OperationPage {
  operations: Operation[]
  /** Where the next page continues; null: everything has been searched. */
  next: EntryKey | null
  /** Set if the search ended because older operations are in files. */
  archivedBefore: Date | undefined
}

export async function searchOperations(
  db: pg.Pool,
  { from, before, last, limit, timeLimitMs, ...filter }: OperationSearch,
): Promise<OperationPage> {
  const untilMs = performance.now() + timeLimitMs
  const limits = await one(db, READ_SEARCH_LIMITS)
  assert(limits, 'the totals have a progress')
  const end = before ?? new Date(limits.now.getTime() + MARGIN_MS)
  const start = last ?? { at: end, walletId: 0n, seq: 0n }
  // The operations of the same millisecond come after the last one, too.
  const lastEnd = new Date(start.at.getTime() + 1)
  const floor = later(from ?? BEGINNING, limits.archivedBefore)
  const period = { from: floor, before: lastEnd < end ? lastEnd : end }
  const found: Operation[] = []
  for await (const each of choosePeriods(db, period, limits, filter)) {
    // One more than the page shows whether there is a next page.
    const left = limit + 1 - found.length
    if (each.from < each.before)
      found.push(...(await many(db, listNewest(each, start, filter, left))))
    if (found.length > limit) return { ...cutPage(found, limit), archivedBefore: undefined }
    if (performance.now() > untilMs) {
      const next = { at: each.from, walletId: 0n, seq: 0n }
      return { operations: found, next, archivedBefore: undefined }
    }
  }
  const { archivedBefore } = limits
  const isCut = archivedBefore !== undefined && (from === undefined || from < archivedBefore)
  return { operations: found, next: null, archivedBefore: isCut ? archivedBefore : undefined }
}

function cutPage(found: readonly Operation[], limit: number) {
  const operations = found.slice(0, limit)
  const final = operations.at(-1)
  assert(final, 'a page has operations')
  const { createdAtMs, walletId, seq } = final
  return { operations, next: { at: new Date(createdAtMs), walletId, seq } }
}
