/**
 * The ledger's terms.
 *
 * operation  one movement of money between a wallet and a ledger account; never changed
 * pair       (referenceType, referenceId), unique within a scope
 * scope      the namespace of a pair: a client app's ledger account, or the service itself
 * account    a ledger account, the other side of a wallet: a client app's ledger account or a system account
 * key        the record that a pair was decided, posted or refused; kept forever
 * digest     128 bits over (scope, referenceType, referenceId): the key's name
 * seq        the number of an operation within its wallet: 1, 2, 3, …
 * debt       the amount the person owes because a seizure exceeded the balance
 * held       the amount that client apps have reserved with holds; it is not part of the balance
 */

/** The scope of the service's own operations; no client app can use it. */
export const SERVICE_SCOPE = 0
/** System accounts; the ids are fixed by the migration that creates them. */
export const PROCESSOR_ACCOUNT = 1
export const BONUS_ACCOUNT = 2
export const CORRECTION_ACCOUNT = 3
/** Money that arrived in the wallet of a deleted account. */
export const UNCLAIMED_ACCOUNT = 4
/** The reference type of a release by an operator, which is in the scope of the app that placed the hold. */
export const OPERATOR_RELEASE = 'OPERATOR_RELEASE'

/**
 * debit, credit    by a client app, in its own scope
 * topup, reversal  incoming money: pays debt first, the rest goes to the balance
 * bonus            granted by the service
 * seizure          takes the balance; the rest becomes debt
 * card_refund      returns a top-up to the card, at most the balance
 * correction_in    an operator corrects a balance upwards
 * correction_out   an operator corrects it downwards, at most the balance, on a frozen wallet too
 * refund     a client app returns money of a debit or capture, at most what is left of it; pays debt first
 * hold             a client app reserves a part of the balance
 * capture          pays the client app from a hold, at most what is left of it; the final one releases the rest
 * release          ends a hold; the money pays debt first, the rest goes to the balance
 * expiry           the same, by the service, when the time of the hold is over
 */
export type Kind =
  | 'debit'
  | 'credit'
  | 'topup'
  | 'bonus'
  | 'seizure'
  | 'reversal'
  | 'card_refund'
  | 'correction_in'
  | 'correction_out'
  | 'refund'
  | 'hold'
  | 'capture'
  | 'release'
  | 'expiry'

export type Refusal =
  | 'INSUFFICIENT_BALANCE'
  | 'WALLET_INACTIVE'
  | 'CREDIT_LIMIT_EXCEEDED'
  | 'BALANCE_LIMIT'
  | 'REFUND_EXCEEDS_DEBIT'
  | 'WALLET_CLOSED'
  | 'CAPTURE_EXCEEDS_HOLD'
  | 'HOLD_EXPIRED'
  | 'HOLD_CLOSED'
  | 'HOLD_SUSPENDED'
  | 'SPEND_LIMIT_EXCEEDED'
  // Not recorded, so that the request can be sent again.
  | 'OPERATION_NOT_FOUND'

/** What a refund has in addition to other operations. */
export interface RefundTerms {
  /** The digest of the debit. */
  target: string
  /** Without an amount, everything that is left is refunded. */
  isAmountOmitted: boolean
  /**
   * The client app does not get the balance, because the user has unlinked it. Decided once, so that replays are equal.
   */
  isBalanceHidden: boolean
}

/** What a hold has in addition to other operations. */
export interface HoldTerms {
  expiresInMs: number
}

/** What captures, releases and expiries have in addition to other operations. */
export interface HoldChangeTerms {
  /** The digest of the hold. */
  target: string
  /** Without an amount, everything that is left is captured. A release or expiry never has one. */
  isAmountOmitted: boolean
  /** What is left afterwards is released. */
  isFinal: boolean
  /** As in RefundTerms. */
  isBalanceHidden: boolean
}

export interface LedgerRequest {
  kind: Kind
  referenceType: string
  referenceId: string
  walletId: bigint
  /** Positive; the kind gives the direction. 0 if a refund or capture has no amount. */
  amountMinor: bigint
  /** For a debit or credit, this is the client app's account, which is also the scope of the pair. */
  counterAccount: number
  description: string | null
  /** JSON that only the client app sees. The first request with the pair stores it. */
  metadata?: string
  /** Only of a refund. */
  refund?: RefundTerms
  /** Only of a hold. */
  hold?: HoldTerms
  /** Only of a capture, release or expiry. */
  holdChange?: HoldChangeTerms
}

/** A lookup of a pair, with the caller's values, to detect mismatches. The wallet is null if the user is unknown. */
export type LedgerLookup = Pick<
  LedgerRequest,
  | 'referenceType'
  | 'referenceId'
  | 'kind'
  | 'amountMinor'
  | 'counterAccount'
  | 'refund'
  | 'hold'
  | 'holdChange'
> & { walletId: bigint | null }

/** When, by whom and why writes were paused. */
export interface Pause {
  at: Date
  by: string
  reason: string
}

export interface WalletState {
  id: bigint
  balance: bigint
  debt: bigint
  held: bigint
  seq: bigint
  /** When the first open hold expires; null if there is none. */
  nextExpiryMs: number | null
  isActive: boolean
  /** Its owner was deleted: no money may arrive from client apps any more. */
  isClosed: boolean
  /** The person limits what one or more client apps may take. */
  hasSpendLimits: boolean
  headHash: Buffer
}

/** The end of a wallet's chain at some time. */
export type Head = Pick<WalletState, 'id' | 'seq' | 'balance' | 'debt' | 'held' | 'headHash'>

/** The limit and the running balance of a client app's ledger account. */
export interface RunningBalance {
  account: number
  balance: bigint
  creditLimit: bigint
}

/** The decision about a pair: the first one is final. */
export interface Decision {
  digest: string
  walletId: bigint
  /** Posted: the operation's seq. Refused: the wallet's seq when it was decided. */
  seq: bigint
  kind: Kind
  /** The requested amount; of a refund or capture without one, and of a release, what was left. */
  amountMinor: bigint
  /** Posted: the balance right after the operation. */
  balanceAfter: bigint | null
  refusal: Refusal | null
  decidedAtMs: number
  /** Only of a refund. */
  refund?: DecidedRefund
  /** Only of a hold. */
  hold?: DecidedHold
  /** Only of a capture, release or expiry. */
  holdChange?: DecidedHoldChange
}

export interface DecidedRefund extends RefundTerms {
  /** How much of the debit is left. */
  refundable: bigint
}

export interface DecidedHold {
  /** Also if it was refused, because it shows for how long the hold was requested. */
  expiresAtMs: number
}

export interface DecidedHoldChange extends HoldChangeTerms {
  /** How much of the hold is left. */
  held: bigint
  /** How much was released; 0 if it was refused. */
  released: bigint
}

export type MismatchField =
  'amount' | 'serviceUserId' | 'direction' | 'debit' | 'hold' | 'expiresInSeconds' | 'isFinal'

/** A hold with what is left of it. */
export interface Hold {
  digest: string
  walletId: bigint
  /** The client app's account. */
  account: number
  amount: bigint
  captured: bigint
  remaining: bigint
  createdAtMs: number
  expiresAtMs: number
  /** What ended it; null if it is open. */
  closedBy: Kind | null
  referenceType: string
  referenceId: string
  /** Whether a capture waits for an operator. */
  isSuspended?: boolean
}

export interface Outcome {
  decision: Decision
  replayed: boolean
  /** The fields in which a repeat differs from the original; empty if it does not. */
  mismatch: readonly MismatchField[]
}

/** A repeat that differed from the original and was not executed. The wallet is null if the user was unknown. */
export interface RecordedMismatch {
  walletId: bigint | null
  kind: Kind
  amountMinor: bigint
  differs: readonly MismatchField[]
  attemptedAtMs: number
}

export interface Operation {
  walletId: bigint
  seq: bigint
  kind: Kind
  /** Signed change of the balance. */
  amount: bigint
  balanceAfter: bigint
  /** Signed change of the debt. */
  debtChange: bigint
  debtAfter: bigint
  /** Signed change of the held amount. */
  heldChange: bigint
  heldAfter: bigint
  counterAccount: number
  /** Of a refund: the digest of the debit. Of a capture, release or expiry: that of the hold. */
  target: string | null
  referenceType: string
  referenceId: string
  description: string | null
  hash: Buffer
  createdAtMs: number
}

/** What a history shows of an operation. */
export type HistoryEntry = Omit<
  Operation,
  'debtChange' | 'debtAfter' | 'heldChange' | 'heldAfter' | 'hash'
>

const APP_KINDS: ReadonlySet<Kind> = new Set([
  'debit',
  'credit',
  'refund',
  'hold',
  'capture',
  'release',
])

/** Whether client apps post operations of this kind. */
export function isOfApp(kind: Kind): boolean {
  return APP_KINDS.has(kind)
}

/** Each client app has its own scope; the service has one that no app can use. */
export function scopeOf({ kind, counterAccount }: Pick<Operation, 'kind' | 'counterAccount'>) {
  return isOfApp(kind) ? counterAccount : SERVICE_SCOPE
}

/** Both null: no limit, so no running balance. */
export interface AccountState {
  creditLimit: bigint | null
  balance: bigint | null
}

/** By how much an operation, or the sum of many, changes its counter account. */
export function accountChange({
  amount,
  debtChange,
  heldChange,
}: Pick<Operation, 'amount' | 'debtChange' | 'heldChange'>): bigint {
  return debtChange - amount - heldChange
}

/** The amount in the key of an operation: what reaches or leaves the other side, or how much was held or released. */
export function movedBy(operation: Operation): bigint {
  const { kind, heldChange } = operation
  const isInside = kind === 'hold' || kind === 'release' || kind === 'expiry'
  const moved = isInside ? heldChange : accountChange(operation)
  return moved < 0n ? -moved : moved
}

/** What a client app may take from a wallet, and what it has taken. */

export type Unit = 'day' | 'week' | 'month'

export const UNITS: readonly Unit[] = ['day', 'week', 'month']

/** From its start, inclusive, to its end, exclusive. */
export interface Period {
  startsAtMs: number
  endsAtMs: number
}

/** The current period of a limit, or the last one in which the app took something. */
export interface SpendPeriod extends Period {
  /** The most that the app may take in a period; null if there is no limit. */
  max: bigint | null
  /** Debits and holds of the period, minus what was refunded or released of them within it. */
  spent: bigint
}

/** What the person decides. */
export interface SpendTerms {
  /** The largest debit or hold; null if there is no limit. */
  singleMax: bigint | null
  max: Record<Unit, bigint | null>
  /** From then on, the app may take nothing. */
  endsAtMs: number | null
  /** An IANA name. A change applies to the next periods. */
  timeZone: string
}

export interface SpendLimit extends Omit<SpendTerms, 'max'> {
  walletId: bigint
  /** The client app's ledger account. */
  account: number
  periods: Record<Unit, SpendPeriod>
}
