/** Spending limits for `decide`, and what happens to them from batch to batch. */
import { decide } from '../../ledger/post/decide.ts'
import type { BatchOutput, DigestedRequest } from '../../ledger/post/decide-types.ts'
import { advance, keyOf } from '../../ledger/post/decide-spend.ts'
import { findPeriod } from '../../ledger/post/find-period.ts'
import {
  type Decision,
  type Hold,
  type Refusal,
  type SpendLimit,
  type SpendTerms,
  type Unit,
  UNITS,
  type WalletState,
} from '../../ledger/types.ts'
import { ACCOUNT, requestOf, walletOf } from './decide-setup.ts'

export const HOUR_MS = 3_600_000
/** A Tuesday. */
export const NOON_MS = Date.parse('2026-11-17T12:00:00Z')
export const NONE = { day: null, week: null, month: null }

export function limitOf(terms: Partial<SpendTerms>, spent = 0n, atMs = NOON_MS): SpendLimit {
  const { singleMax = null, max = NONE, endsAtMs = null, timeZone = 'UTC' } = terms
  const periodOf = (unit: Unit) => ({ ...findPeriod(unit, timeZone, atMs), spent, max: max[unit] })
  const periods = { day: periodOf('day'), week: periodOf('week'), month: periodOf('month') }
  return { walletId: 1n, account: ACCOUNT, singleMax, endsAtMs, timeZone, periods }
}

/** Stands for the database: keeps the results of `decide` between batches. */
export class Books {
  wallet: WalletState = walletOf({ balance: 1_000_000n, hasSpendLimits: true })
  readonly decided = new Map<string, Decision>()
  readonly refunded = new Map<string, bigint>()
  readonly holds = new Map<string, Hold>()
  limit: SpendLimit

  constructor(limit: SpendLimit) {
    this.limit = limit
  }

  run(requests: DigestedRequest[], nowMs: number): BatchOutput {
    const output = decide({
      wallets: new Map([[1n, this.wallet]]),
      decided: new Map(this.decided),
      runningBalances: new Map(),
      refunded: new Map(this.refunded),
      holds: new Map(this.holds),
      due: [...this.holds.values()].filter(
        ({ remaining, expiresAtMs }) => remaining > 0n && expiresAtMs <= nowMs,
      ),
      limits: new Map([[keyOf(this.limit), this.limit]]),
      requests,
      nowMs,
    })
    for (const decision of output.decisions) this.decided.set(decision.digest, decision)
    for (const { debit, refunded } of output.refunds) this.refunded.set(debit, refunded)
    for (const [digest, hold] of output.holds) this.holds.set(digest, hold)
    this.wallet = output.wallets.get(1n) ?? this.wallet
    this.limit = output.spends.get(keyOf(this.limit)) ?? this.limit
    return output
  }

  spent(nowMs: number): bigint[] {
    const { periods } = advance(this.limit, nowMs)
    return UNITS.map((unit) => periods[unit].spent)
  }
}

let count = 0
export const next = () => `r-${++count}`

export function pay(kind: 'debit' | 'hold' | 'credit', amount: bigint, referenceId = next()) {
  const terms = kind === 'hold' ? { hold: { expiresInMs: 30 * 24 * HOUR_MS } } : {}
  return requestOf(kind, amount, { referenceId, ...terms })
}

export function after(
  kind: 'refund' | 'capture' | 'release',
  target: DigestedRequest,
  amount: bigint | undefined,
  isFinal = true,
): DigestedRequest {
  const isAmountOmitted = amount === undefined
  const common = { target: target.digest, isAmountOmitted, isBalanceHidden: false }
  const terms = kind === 'refund' ? { refund: common } : { holdChange: { ...common, isFinal } }
  return requestOf(kind, amount ?? 0n, { referenceId: next(), ...terms })
}

export function refusalsOf({ outcomes }: BatchOutput): (Refusal | null)[] {
  return outcomes.map(({ decision }) => decision.refusal)
}
export const OVER = 'SPEND_LIMIT_EXCEEDED'
