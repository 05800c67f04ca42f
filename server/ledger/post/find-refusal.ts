/** The refusals that depend only on the wallet and on limits. */
import { BALANCE_MAX_MINOR } from '@coffer/contract/money'
import type { RunningBalance, Kind, Refusal, WalletState } from '../types.ts'
import type { WalletChange } from './change-wallet.ts'

/** How much a client app may still credit; undefined if it has no limit. */
export function headroomOf(
  runningBalance: RunningBalance | undefined,
  accountChange: bigint,
): bigint | undefined {
  return runningBalance && runningBalance.balance + accountChange + runningBalance.creditLimit
}

/** No value: no limit. */
interface Limits {
  /** How much the client app may still credit. */
  headroom: bigint | undefined
  /** How much the person lets the client app take. */
  spendable: bigint | null | undefined
}

/** What a closed wallet accepts: money that the card processor returns or takes back, and moving it on. */
const KINDS_OF_CLOSED: ReadonlySet<Kind> = new Set([
  'topup',
  'reversal',
  'card_refund',
  'seizure',
  'correction_out',
])

/** Checks in the contract's order: wallet state, limits, balance. */
export function findRefusal(
  kind: Kind,
  amount: bigint,
  wallet: WalletState,
  change: WalletChange,
  { headroom, spendable }: Limits,
): Refusal | null {
  if (wallet.isClosed && !KINDS_OF_CLOSED.has(kind)) return 'WALLET_CLOSED'
  const isPayment = kind === 'debit' || kind === 'hold'
  if (isPayment && !wallet.isActive) return 'WALLET_INACTIVE'
  if (isPayment && typeof spendable === 'bigint' && amount > spendable)
    return 'SPEND_LIMIT_EXCEEDED'
  const isCredit = kind === 'credit' || kind === 'refund'
  if (isCredit && headroom !== undefined && amount > headroom) return 'CREDIT_LIMIT_EXCEEDED'
  const balance = wallet.balance + change.balance
  if (balance + wallet.held + change.held > BALANCE_MAX_MINOR) return 'BALANCE_LIMIT'
  return balance < 0n ? 'INSUFFICIENT_BALANCE' : null
}
