/** What `decide` gets and returns. */
import type {
  RunningBalance,
  Decision,
  Hold,
  Kind,
  LedgerRequest,
  MismatchField,
  Operation,
  Outcome,
  SpendLimit,
  WalletState,
} from '../types.ts'

export interface DigestedRequest extends LedgerRequest {
  scope: number
  digest: string
}

export interface Mismatch {
  digest: string
  walletId: bigint | null
  kind: Kind
  amountMinor: bigint
  differs: readonly MismatchField[]
}

/** How much of a debit is refunded after a refund. */
export interface RefundTotal {
  debit: string
  refund: string
  walletId: bigint
  debited: bigint
  refunded: bigint
}

/** How much of a hold is left after a capture, release or expiry. */
export interface HoldChange {
  hold: string
  change: string
  walletId: bigint
  remaining: bigint
}

export interface BatchInput {
  /** The states of the locked wallets. */
  wallets: ReadonlyMap<bigint, WalletState>
  /** Earlier decisions, by digest. */
  decided: ReadonlyMap<string, Decision>
  /** The locked running balances of client apps with a credit limit. */
  runningBalances: ReadonlyMap<number, RunningBalance | undefined>
  /** How much of a debit is refunded, by the digest of the debit; no entry if nothing is. */
  refunded?: ReadonlyMap<string, bigint>
  /** The spending limits of the locked wallets, by wallet and client app; see `keyOf`. */
  limits?: ReadonlyMap<string, SpendLimit>
  /**
   * The holds that requests change, those that are due, and those of refunded captures if limits need them, by digest.
   */
  holds?: ReadonlyMap<string, Hold>
  /** The open holds of the locked wallets whose time is over, in the order in which they expire. */
  due?: readonly Hold[]
  requests: readonly DigestedRequest[]
  nowMs: number
}

export interface BatchOutput {
  /** One per request, in the same order. */
  outcomes: Outcome[]
  /** New decisions and operations to write. */
  decisions: Decision[]
  operations: Operation[]
  /** The new states of the wallets that changed. */
  wallets: Map<bigint, WalletState>
  /** One for each refund that was posted. */
  refunds: RefundTotal[]
  /** The new states of the holds that changed, by digest. */
  holds: Map<string, Hold>
  holdChanges: HoldChange[]
  /** The spending limits whose counters changed, by wallet and client app. */
  spends: Map<string, SpendLimit>
  /** The amount that the batch adds to each counter account. */
  accountChanges: Map<number, bigint>
  mismatches: Mismatch[]
}
