/** How the tests of this process call debit and credit. Files that end with -in-batches repeat the tests of another file. */
import { randomUUID } from 'node:crypto'
import type { Coffer, OperationInput } from '../coffer.ts'

export const mode = { batch: false, hasNeighbour: false }

/** With a neighbour, each call shares its requests with another one; without, it is alone. */
export function useBatches({ hasNeighbour }: { hasNeighbour: boolean }) {
  Object.assign(mode, { batch: true, hasNeighbour })
}

/** Moves no money, because nobody has this id. */
export const NEIGHBOUR = 'su_neighbour'

export function addNeighbour(coffer: Coffer): Coffer {
  if (!mode.hasNeighbour) return coffer
  const call = async (name: 'debit' | 'credit', input: OperationInput) => {
    const reference = { referenceType: 'NEIGHBOUR', referenceId: randomUUID() }
    const neighbour = coffer.credit({ serviceUserId: NEIGHBOUR, amount: 1, ...reference })
    const ended = neighbour.then(
      () => undefined,
      () => undefined,
    )
    try {
      return await coffer[name](input)
    } finally {
      await ended
    }
  }
  return {
    ...coffer,
    debit: (input) => call('debit', input),
    credit: (input) => call('credit', input),
  }
}
