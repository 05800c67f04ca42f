/**
 * Who could be one person. Whoever creates an operator knows the first password and can set the authenticator up;
 * whoever resets an authenticator lets another be set up. So one person can act as those whom they created or reset,
 * as those whom these created or reset, and so on: that person stands behind all of them. The command line stands
 * behind nobody: whoever has it can do anything anyway.
 */

export interface OperatorTies {
  id: bigint
  email: string
  /** Whether they are active and their role lets them move money. */
  mayGive: boolean
  createdBy: bigint | null
  resetBy: readonly bigint[]
}

export class Operators {
  readonly #all: ReadonlyMap<bigint, OperatorTies>

  constructor(all: readonly OperatorTies[]) {
    this.#all = new Map(all.map((each) => [each.id, each]))
  }

  emailOf(id: bigint): string {
    return this.#all.get(id)?.email ?? ''
  }

  mayGive(id: bigint): boolean {
    return this.#all.get(id)?.mayGive ?? false
  }

  /** Who stands behind both and so could act as both, the nearest to the first; undefined: nobody. */
  findShared(one: bigint, other: bigint): bigint | undefined {
    const behindOther = this.#behind(other)
    return [...this.#behind(one)].find((each) => behindOther.has(each))
  }

  /** Everybody whom a person could act as who could also act as this one; the operator is among them. */
  relativesOf(id: bigint): bigint[] {
    return [...this.#all.keys()].filter((other) => this.findShared(id, other) !== undefined)
  }

  /** The e-mails of those who can be the second operator. */
  approversFor(proposer: bigint): string[] {
    const others = [...this.#all.values()].filter(({ id, mayGive }) => mayGive && id !== proposer)
    const strangers = others.filter(({ id }) => this.findShared(proposer, id) === undefined)
    return strangers.map(({ email }) => email)
  }

  /** The operator, then everybody who stands behind, the nearest first. */
  #behind(id: bigint): Set<bigint> {
    // A set can grow while it is walked through, and the walk ends however the ties run.
    const found = new Set([id])
    for (const each of found) {
      const { createdBy, resetBy } = this.#all.get(each) ?? { createdBy: null, resetBy: [] }
      if (createdBy !== null) found.add(createdBy)
      for (const other of resetBy) found.add(other)
    }
    return found
  }
}
