/** The part of `decide` that only spending limits need. Pure. */
import type { BatchInput, BatchOutput, DigestedRequest } from './decide-types.ts'
import { type Decision, type SpendLimit, type SpendPeriod, UNITS } from '../types.ts'
import { findPeriod } from './find-period.ts'

export function keyOf({ walletId, account }: Pick<SpendLimit, 'walletId' | 'account'>): string {
  return `${walletId} ${account}`
}

/** The limit of the request's client app on the wallet; undefined if there is none. */
export function limitOf(
  { walletId, counterAccount: account }: DigestedRequest,
  input: BatchInput,
  { spends }: BatchOutput,
): SpendLimit | undefined {
  const key = keyOf({ walletId, account })
  const limit = spends.get(key) ?? input.limits?.get(key)
  return limit && advance(limit, input.nowMs)
}

/**
 * Starts the periods that contain this instant, if the last ones are over. A new period never contains a part of the
 * one before it, which the time zone may have changed since. If the clock was set back, a period continues.
 */
export function advance(limit: SpendLimit, nowMs: number): SpendLimit {
  const periods = { ...limit.periods }
  for (const unit of UNITS) {
    const last = periods[unit]
    if (nowMs < last.endsAtMs) continue
    const { startsAtMs, endsAtMs } = findPeriod(unit, limit.timeZone, nowMs)
    periods[unit] = {
      max: last.max,
      spent: 0n,
      startsAtMs: Math.max(startsAtMs, last.endsAtMs),
      endsAtMs,
    }
  }
  return { ...limit, periods }
}

/** How much the app may take at once; null if only the balance limits it. */
export function leftOf({ singleMax, endsAtMs, periods }: SpendLimit, nowMs: number): bigint | null {
  if (endsAtMs !== null && nowMs >= endsAtMs) return 0n
  const limits = UNITS.map((unit) => periods[unit]).flatMap(({ max, spent }) =>
    max === null ? [] : [max > spent ? max - spent : 0n],
  )
  if (singleMax !== null) limits.push(singleMax)
  return limits.reduce<bigint | null>(
    (least, each) => (least === null || each < least ? each : least),
    null,
  )
}

/** What the app takes counts in the current periods. */
export function take(limit: SpendLimit, amount: bigint): SpendLimit {
  return mapPeriods(limit, (period) => ({ ...period, spent: period.spent + amount }))
}

/**
 * Money that is given back is subtracted from the periods in which it was taken, unless they are over; no period falls
 * below zero.
 */
export function giveBack(limit: SpendLimit, amount: bigint, takenAtMs: number): SpendLimit {
  return mapPeriods(limit, (period) => {
    if (takenAtMs < period.startsAtMs) return period
    return { ...period, spent: period.spent > amount ? period.spent - amount : 0n }
  })
}

function mapPeriods(limit: SpendLimit, change: (period: SpendPeriod) => SpendPeriod): SpendLimit {
  const { day, week, month } = limit.periods
  return { ...limit, periods: { day: change(day), week: change(week), month: change(month) } }
}

/**
 * Counts a posted operation. A capture does not count again: its hold has counted.
 *
 * @param takenAtMs when the money was taken: for a refund, the time of the debit or of the captured hold; for a change
 *   of a hold, the time of the hold.
 */
export function recordSpend(
  limit: SpendLimit,
  { kind, amountMinor, refusal, holdChange }: Decision,
  takenAtMs: number | undefined,
  { spends }: BatchOutput,
) {
  if (refusal !== null) return
  if (kind === 'debit' || kind === 'hold') spends.set(keyOf(limit), take(limit, amountMinor))
  const given = kind === 'refund' ? amountMinor : (holdChange?.released ?? 0n)
  if (given > 0n && takenAtMs !== undefined) {
    spends.set(keyOf(limit), giveBack(limit, given, takenAtMs))
  }
}
