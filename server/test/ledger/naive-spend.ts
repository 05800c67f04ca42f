/**
 * The simplest possible spending limit: it keeps everything that was taken and given back, and adds it up again for every
 * question. It shares no code with the real one. Its days, weeks and months are those of UTC.
 */
const DAY_MS = 86_400_000

export interface NaiveTerms {
  single: bigint | null
  day: bigint | null
  week: bigint | null
  month: bigint | null
  endsAtMs: number | null
}

interface Taken {
  atMs: number
  amount: bigint
  /** What was refunded or released of it, and when. */
  given: { atMs: number; amount: bigint }[]
}

const NAMES = {
  day: (atMs: number) => String(Math.floor(atMs / DAY_MS)),
  // Day 0 was a Thursday.
  week: (atMs: number) => String(Math.floor((Math.floor(atMs / DAY_MS) + 3) / 7)),
  month: (atMs: number) => new Date(atMs).toISOString().slice(0, 7),
}

export class NaiveSpend {
  readonly terms: NaiveTerms
  readonly taken = new Map<string, Taken>()

  constructor(terms: NaiveTerms) {
    this.terms = terms
  }

  /** What counts in the period of this instant. */
  spent(unit: 'day' | 'week' | 'month', nowMs: number): bigint {
    const nameOf = NAMES[unit]
    const now = nameOf(nowMs)
    let sum = 0n
    for (const { atMs, amount, given } of this.taken.values()) {
      if (nameOf(atMs) !== now) continue
      sum += amount
      for (const each of given) if (nameOf(each.atMs) === now) sum -= each.amount
    }
    return sum
  }

  allows(amount: bigint, nowMs: number): boolean {
    const { single, endsAtMs } = this.terms
    if (endsAtMs !== null && nowMs >= endsAtMs) return false
    if (single !== null && amount > single) return false
    for (const unit of ['day', 'week', 'month'] as const) {
      const max = this.terms[unit]
      if (max !== null && this.spent(unit, nowMs) + amount > max) return false
    }
    return true
  }
}
