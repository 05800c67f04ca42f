import { type Database, many } from '../database/statement.ts'
import { LIST_OPERATOR_ORIGINS, type OperatorOrigins } from './second-operator-queries.ts'

/**
 * Which operators could be the same person. An operator who creates another one knows the initial password and can set
 * up the authenticator; an operator who resets an authenticator allows a new one to be set up. So one person can act as
 * every operator that they created or reset, as those that these created or reset, and so on. Operators created from
 * the command line have no creator: anyone with shell access can do anything anyway.
 */
export class Operators {
  readonly #all: ReadonlyMap<bigint, OperatorOrigins>

  constructor(all: readonly OperatorOrigins[]) {
    this.#all = new Map(all.map((each) => [each.id, each]))
  }

  emailOf(id: bigint): string {
    return this.#all.get(id)?.email ?? ''
  }

  mayGrant(id: bigint): boolean {
    return this.#all.get(id)?.mayGrant ?? false
  }

  /** An operator who could act as both, the closest to the first; undefined if there is none. */
  findShared(one: bigint, other: bigint): bigint | undefined {
    const controllersOfOther = this.#controllersOf(other)
    return [...this.#controllersOf(one)].find((each) => controllersOfOther.has(each))
  }

  /** Every operator who could be the same person as this one, including the operator. */
  possibleAliasesOf(id: bigint): bigint[] {
    return [...this.#all.keys()].filter((other) => this.findShared(id, other) !== undefined)
  }

  /** The emails of the operators who can be the second operator. */
  approversFor(proposer: bigint): string[] {
    const others = [...this.#all.values()].filter(({ id, mayGrant }) => mayGrant && id !== proposer)
    const unrelated = others.filter(({ id }) => this.findShared(proposer, id) === undefined)
    return unrelated.map(({ email }) => email)
  }

  /** The operator, then every operator who could act as this one, the closest first. */
  #controllersOf(id: bigint): Set<bigint> {
    // Iterating a set includes elements added meanwhile, and ends even if operators created or reset each other in a cycle.
    const found = new Set([id])
    for (const each of found) {
      const { createdBy, resetBy } = this.#all.get(each) ?? { createdBy: null, resetBy: [] }
      if (createdBy !== null) found.add(createdBy)
      for (const other of resetBy) found.add(other)
    }
    return found
  }
}

export async function readOperators(db: Database): Promise<Operators> {
  return new Operators(await many(db, LIST_OPERATOR_ORIGINS))
}
