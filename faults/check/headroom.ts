/**
 * How much a client app with a credit limit could still credit at a given time. Its account has no seq, so only bounds
 * are known: movements confirmed before are certain; movements sent before the end are possible.
 */
import { countBelow, countUpTo } from './order.ts'

interface Movement {
  /** Positive: a debit, which raises the headroom. */
  change: number
  sentMs: number
  respondedMs: number
}

export class Headroom {
  readonly #limit: number
  readonly #debits: Sums
  readonly #credits: Sums

  constructor(limit: number, movements: readonly Movement[]) {
    this.#limit = limit
    this.#debits = new Sums(movements.filter(({ change }) => change > 0))
    this.#credits = new Sums(movements.filter(({ change }) => change < 0))
  }

  /** The bounds of the headroom while a request was running; the request may itself be one of the movements. */
  during(sentMs: number, respondedMs: number): { least: number; most: number } {
    const { certain: debitsBefore, possible: debitsByThen } = this.#debits.by(sentMs, respondedMs)
    const { certain: creditsBefore, possible: creditsByThen } = this.#credits.by(
      sentMs,
      respondedMs,
    )
    return {
      least: this.#limit + debitsBefore + creditsByThen,
      most: this.#limit + debitsByThen + creditsBefore,
    }
  }
}

/** Sums of movements up to a time, by the time of their response and by the time they were sent. */
class Sums {
  readonly #respondedMs: Float64Array
  readonly #confirmed: Float64Array
  readonly #sentMs: Float64Array
  readonly #sent: Float64Array

  constructor(movements: readonly Movement[]) {
    const byResponse = movements
      .filter(({ respondedMs }) => respondedMs < Infinity)
      .toSorted((a, b) => a.respondedMs - b.respondedMs)
    const bySending = movements.toSorted((a, b) => a.sentMs - b.sentMs)
    this.#respondedMs = Float64Array.from(byResponse, ({ respondedMs }) => respondedMs)
    this.#sentMs = Float64Array.from(bySending, ({ sentMs }) => sentMs)
    this.#confirmed = addUp(byResponse)
    this.#sent = addUp(bySending)
  }

  by(sentMs: number, respondedMs: number): { certain: number; possible: number } {
    return {
      certain: this.#confirmed[countBelow(this.#respondedMs, sentMs) - 1] ?? 0,
      possible: this.#sent[countUpTo(this.#sentMs, respondedMs) - 1] ?? 0,
    }
  }
}

function addUp(movements: readonly Movement[]): Float64Array {
  let sum = 0
  return Float64Array.from(movements, ({ change }) => (sum += change))
}
