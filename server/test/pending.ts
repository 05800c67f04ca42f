import type { Pending } from '../ledger/post/pending.ts'

let created = 0

/** A request of this scope (client app) for this wallet; each has a later deadline than the one before. */
export function pendingOf(scope: number, walletId: bigint): Pending {
  created++
  return {
    request: {
      scope,
      walletId,
      digest: String(created),
      kind: 'debit',
      amountMinor: 1n,
      counterAccount: scope,
      referenceType: 'TEST',
      referenceId: String(created),
      description: null,
    },
    resolve: () => undefined,
    reject: () => undefined,
    deadlineMs: created,
    inFlight: false,
    inDoubt: false,
    isDone: false,
  }
}
