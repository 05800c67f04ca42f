/** Runs histories of requests through `decide`, as the database would. */
import { decide } from '../../ledger/post/decide.ts'
import type { BatchInput, DigestedRequest } from '../../ledger/post/decide-types.ts'
import { digestPair, GENESIS_HASH } from '../../ledger/digest.ts'
import type { Decision, Hold, Operation, Outcome, WalletState } from '../../ledger/types.ts'
import type { NaiveRequest } from '../naive-ledger.ts'

export const WALLETS = [1n, 2n, 3n]
export const LIMITED = 7
export const UNLIMITED = 8

/** Stands for the database in a history: keeps the results of decide between batches. */
export class Store {
  readonly wallets = new Map<bigint, WalletState>()
  readonly decided = new Map<string, Decision>()
  readonly operations: Operation[] = []
  readonly refunded = new Map<string, bigint>()
  readonly holds = new Map<string, Hold>()
  accountBalance = 0n
  readonly limit: bigint

  constructor(frozen: readonly bigint[], limit: bigint, closed: readonly bigint[] = []) {
    this.limit = limit
    for (const id of WALLETS) {
      const isActive = !frozen.includes(id)
      const isClosed = closed.includes(id)
      const start = { balance: 0n, debt: 0n, held: 0n, seq: 0n, headHash: GENESIS_HASH }
      this.wallets.set(id, {
        id,
        ...start,
        nextExpiryMs: null,
        isActive,
        isClosed,
        hasSpendLimits: false,
      })
    }
  }

  run(requests: DigestedRequest[], nowMs: number): Outcome[] {
    const runningBalance = {
      account: LIMITED,
      balance: this.accountBalance,
      creditLimit: this.limit,
    }
    const input: BatchInput = {
      wallets: this.wallets,
      decided: new Map(this.decided),
      runningBalances: new Map([[LIMITED, runningBalance]]),
      refunded: new Map(this.refunded),
      holds: new Map(this.holds),
      due: [...this.holds.values()].filter(
        (hold) => hold.remaining > 0n && hold.expiresAtMs <= nowMs,
      ),
      requests,
      nowMs,
    }
    const output = decide(input)
    for (const decision of output.decisions) this.decided.set(decision.digest, decision)
    for (const [id, wallet] of output.wallets) this.wallets.set(id, wallet)
    this.operations.push(...output.operations)
    for (const { debit, refunded } of output.refunds) this.refunded.set(debit, refunded)
    for (const [digest, hold] of output.holds) this.holds.set(digest, hold)
    this.accountBalance += output.accountChanges.get(LIMITED) ?? 0n
    return output.outcomes
  }
}

export function isOmitted({ kind, isAmountOmitted }: NaiveRequest): boolean {
  if (kind === 'release') return true
  return (kind === 'refund' || kind === 'capture') && isAmountOmitted
}

export function toLedger(sent: NaiveRequest): DigestedRequest {
  const { kind, pair, walletId, account, amount } = sent
  const target = digestPair(1, 'T', sent.debit)
  const isAmountOmitted = isOmitted(sent)
  const isBalanceHidden = walletId === 2n
  const isChange = kind === 'capture' || kind === 'release'
  const isFinal = kind === 'release' || sent.isFinal
  return {
    kind,
    scope: account,
    referenceType: 'T',
    referenceId: pair,
    walletId,
    amountMinor: isAmountOmitted ? 0n : amount,
    ...(kind === 'refund' && { refund: { target, isAmountOmitted, isBalanceHidden } }),
    ...(kind === 'hold' && { hold: { expiresInMs: sent.expiresInMs } }),
    ...(isChange && { holdChange: { target, isAmountOmitted, isFinal, isBalanceHidden } }),
    counterAccount: account,
    description: null,
    // All accounts share one namespace, so that a pair is repeated with another account, too.
    digest: digestPair(1, 'T', pair),
  }
}
