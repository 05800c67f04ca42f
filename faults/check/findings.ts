/** What must hold after any fault, and what was found not to. */
export const INVARIANTS = {
  1: 'nothing lost: a pair that was answered with 200 has its operation, with those parameters',
  2: 'nothing twice: at most one operation for a pair of a client app',
  3: 'one outcome: all definite answers of a pair are the same',
  4: 'no phantom: every operation and every recorded refusal was asked for',
  5: 'balances are the sums of their operations, without gaps and never negative',
  6: 'answers say what the ledger says',
  7: 'real time: what was answered before something was sent stands before it',
  8: 'every recorded refusal was right at its place',
  9: 'double entry: everything adds up to zero, and the processor has the same figures',
  10: 'hash chains verify, and every head that was seen is still on its chain',
  11: 'no secret in a log, a metric, an error or a column',
  12: 'only statuses that the contract foresees, and in the end a definite answer for every pair',
} as const

export type Invariant = keyof typeof INVARIANTS

const EXAMPLES_MAX = 8

export class Findings {
  readonly counts = new Map<Invariant, number>()
  readonly examples = new Map<Invariant, string[]>()

  add(invariant: Invariant, what: string) {
    this.counts.set(invariant, (this.counts.get(invariant) ?? 0) + 1)
    const examples = this.examples.get(invariant) ?? []
    if (examples.length < EXAMPLES_MAX) this.examples.set(invariant, [...examples, what])
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
