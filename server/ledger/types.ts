/**
 * The ledger's words.
 *
 * operation  one movement of money between a wallet and a counter account; posted for ever
 * pair       (referenceType, referenceId), unique within a scope
 * scope      whose namespace a pair lives in: a client app's account, or the service itself
 * account    the other side of a wallet: a client app's settlement account or one of the system accounts
 * key        the record that a pair was decided, posted or refused; kept for ever
 * digest     128 bits over (scope, referenceType, referenceId): the key's name
 * seq        the number of an operation within its wallet: 1, 2, 3, …
 * debt       what the person owes because a seizure found too little in the wallet
 */

/** The scope of the service's own flows; no client app has it. */
export const SERVICE_SCOPE = 0
/** System accounts; the ids are fixed by the migration that creates them. */
export const PROCESSOR_ACCOUNT = 1
export const BONUS_ACCOUNT = 2
export const CORRECTION_ACCOUNT = 3

/**
 * debit, credit    a client app's, under its own scope
 * topup, reversal  money that comes in: collects debt first, the rest is the wallet's
 * bonus            a gift of the service
 * seizure          takes what is there, the rest becomes debt
 * refund           gives a top-up back to the card: what is there and no more
 * correction_in    an operator puts a balance right, upwards
 * correction_out   the same downwards: what is there and no more, on a frozen wallet too
 */
export type Kind =
  | 'debit'
  | 'credit'
  | 'topup'
  | 'bonus'
  | 'seizure'
  | 'reversal'
  | 'refund'
  | 'correction_in'
  | 'correction_out'

export type Refusal =
  'INSUFFICIENT_BALANCE' | 'WALLET_INACTIVE' | 'CREDIT_LIMIT_EXCEEDED' | 'BALANCE_LIMIT'

export interface LedgerRequest {
  kind: Kind
  referenceType: string
  referenceId: string
  walletId: bigint
  /** Always positive; the kind gives the direction. */
  amountMinor: bigint
  /** Of a debit or credit it is the client app's account, and so the scope of the pair. */
  counterAccount: number
  description: string | null
}

/** A question about a pair, with what the asker believes it to be. The wallet is null if nobody has that user. */
export type LedgerQuestion = Pick<
  LedgerRequest,
  'referenceType' | 'referenceId' | 'kind' | 'amountMinor' | 'counterAccount'
> & { walletId: bigint | null }

/** Why the books stand still. */
export interface Pause {
  at: Date
  by: string
  reason: string
}

export interface WalletState {
  id: bigint
  balance: bigint
  debt: bigint
  seq: bigint
  isActive: boolean
  headHash: Buffer
}

/** The settlement account of a client app with a credit limit. */
export interface Allowance {
  account: number
  balance: bigint
  creditLimit: bigint
}

/** What was decided about a pair: the first decision stands. */
export interface Decision {
  digest: string
  walletId: bigint
  /** Posted: the operation's seq. Refused: the wallet's seq when it was decided. */
  seq: bigint
  kind: Kind
  /** What was asked for. */
  amountMinor: bigint
  /** Posted: the balance right after the operation. */
  balanceAfter: bigint | null
  refusal: Refusal | null
  decidedAtMs: number
}

export type MismatchField = 'amount' | 'serviceUserId' | 'direction'

export interface Outcome {
  decision: Decision
  replayed: boolean
  /** How a repeat differs from what was decided; empty if it does not. */
  mismatch: readonly MismatchField[]
}

/** A repeat that differed, and so was not executed. The wallet is null if nobody had that user. */
export interface Attempt {
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
  counterAccount: number
  referenceType: string
  referenceId: string
  description: string | null
  hash: Buffer
  createdAtMs: number
}

/** A client app's operations live in a namespace of their own, the service's in another that no app can reach. */
export function scopeOf({ kind, counterAccount }: Pick<Operation, 'kind' | 'counterAccount'>) {
  return kind === 'debit' || kind === 'credit' ? counterAccount : SERVICE_SCOPE
}

/** null in both: no limit, and so no running balance. */
export interface AccountState {
  creditLimit: bigint | null
  balance: bigint | null
}
