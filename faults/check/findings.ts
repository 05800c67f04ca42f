/** The invariants that must hold after any fault, and the violations found. */
export const INVARIANTS = {
  1: 'nothing lost: a pair that got 200 has its operation, with the same parameters',
  2: 'nothing twice: at most one operation per pair of a client app',
  3: 'one outcome: all definite responses for a pair are the same',
  4: 'no phantom: every operation and every recorded refusal was requested',
  5: 'balances are the sums of their operations, without gaps and never negative',
  6: 'responses match the ledger',
  7: 'real time: an operation confirmed before another was sent comes before it in the ledger',
  8: 'every recorded refusal was correct at its position',
  9: 'double entry: all amounts add up to zero, and the processor has the same figures',
  10: 'hash chains verify, and every chain head that was seen is still on its chain',
  11: 'no secret in a log, a metric, an error or a column',
  12: 'only statuses that the contract lists, and in the end a definite response for every pair',
  13: 'events: each has its number, without gaps, and reached the feed once and the webhook, with the same content',
} as const

export type Invariant = keyof typeof INVARIANTS

const EXAMPLES_MAX = 8

export class Findings {
  readonly counts = new Map<Invariant, number>()
  readonly examples = new Map<Invariant, string[]>()

  add(invariant: Invariant, what: string) {
    this.counts.set(invariant, (this.counts.get(invariant) ?? 0) + 1)
    const examples = this.examples.get(invariant) ?? []
    if (examples.length < EXAMPLES_MAX && !examples.includes(what))
      this.examples.set(invariant, [...examples, what])
  }

  get isSound(): boolean {
    return this.counts.size === 0
  }

  /** In the order of the invariants. */
  list(): { invariant: Invariant; count: number; examples: string[] }[] {
    return [...this.counts]
      .toSorted(([a], [b]) => a - b)
      .map(([invariant, count]) => ({
        invariant,
        count,
        examples: this.examples.get(invariant) ?? [],
      }))
  }
}
