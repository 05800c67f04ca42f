/**
 * How much a client app with a credit limit could still credit at a moment. Its account has no seq, so only bounds are
 * known: what was answered before is certain, what was sent before the end is possible.
 */
import { countBelow, countUpTo } from './order.ts'

interface Movement {
  /** Positive: a debit, which makes room. */
  change: number
  sentMs: number
  answeredMs: number
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

  /** The bounds of what was free while something was under way; it may itself be among the movements. */
  during(sentMs: number, answeredMs: number): { least: number; most: number } {
    const { certain: debitsBefore, possible: debitsByThen } = this.#debits.by(sentMs, answeredMs)
    const { certain: creditsBefore, possible: creditsByThen } = this.#credits.by(sentMs, answeredMs)
    return {
      least: this.#limit + debitsBefore + creditsByThen,
      most: this.#limit + debitsByThen + creditsBefore,
    }
  }
}

/** Sums of movements up to a time, by when they were answered and by when they were sent. */
class Sums {
  readonly #answeredMs: Float64Array
  readonly #answered: Float64Array
  readonly #sentMs: Float64Array
  readonly #sent: Float64Array

  constructor(movements: readonly Movement[]) {
    const byAnswer = movements
      .filter(({ answeredMs }) => answeredMs < Infinity)
      .toSorted((a, b) => a.answeredMs - b.answeredMs)
    const bySending = movements.toSorted((a, b) => a.sentMs - b.sentMs)
    this.#answeredMs = Float64Array.from(byAnswer, ({ answeredMs }) => answeredMs)
    this.#sentMs = Float64Array.from(bySending, ({ sentMs }) => sentMs)
    this.#answered = addUp(byAnswer)
    this.#sent = addUp(bySending)
  }

  by(sentMs: number, answeredMs: number): { certain: number; possible: number } {
    return {
      certain: this.#answered[countBelow(this.#answeredMs, sentMs) - 1] ?? 0,
      possible: this.#sent[countUpTo(this.#sentMs, answeredMs) - 1] ?? 0,
    }
  }
}

function addUp(movements: readonly Movement[]): Float64Array {
  let sum = 0
  return Float64Array.from(movements, ({ change }) => (sum += change))
}
