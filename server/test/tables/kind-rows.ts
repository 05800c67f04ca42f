/** One operation of each kind, for tests that show every kind. */
import { digestPair } from '../../ledger/digest.ts'
import {
  BONUS_ACCOUNT,
  CORRECTION_ACCOUNT,
  isOfApp,
  PROCESSOR_ACCOUNT,
  type Kind,
  type LedgerRequest,
} from '../../ledger/types.ts'

export interface Row {
  kind: Kind
  /** Major units; different for each row, so that an entry can be recognized where it has no reference. */
  amount: number
  /** What histories show, if it is not the amount: what changed the balance. */
  shown?: number
  /** The direction from the user's point of view. */
  type: 'debit' | 'credit'
  source: 'app' | 'topup' | 'bonus' | 'dispute' | 'correction' | 'hold'
  account: number
}

/** In this order, so that the balance is always high enough. A capture, release or expiry ends the hold before it. */
export const ROWS: readonly Row[] = [
  { kind: 'bonus', amount: 100, type: 'credit', source: 'bonus', account: BONUS_ACCOUNT },
  { kind: 'topup', amount: 20, type: 'credit', source: 'topup', account: PROCESSOR_ACCOUNT },
  { kind: 'credit', amount: 10, type: 'credit', source: 'app', account: 0 },
  {
    kind: 'correction_in',
    amount: 5,
    type: 'credit',
    source: 'correction',
    account: CORRECTION_ACCOUNT,
  },
  { kind: 'reversal', amount: 4, type: 'credit', source: 'dispute', account: PROCESSOR_ACCOUNT },
  { kind: 'debit', amount: 3, type: 'debit', source: 'app', account: 0 },
  { kind: 'card_refund', amount: 2, type: 'debit', source: 'topup', account: PROCESSOR_ACCOUNT },
  {
    kind: 'correction_out',
    amount: 1,
    type: 'debit',
    source: 'correction',
    account: CORRECTION_ACCOUNT,
  },
  { kind: 'refund', amount: 2.5, type: 'credit', source: 'app', account: 0 },
  { kind: 'hold', amount: 8, type: 'debit', source: 'hold', account: 0 },
  { kind: 'capture', amount: 3.5, shown: 4.5, type: 'credit', source: 'hold', account: 0 },
  { kind: 'hold', amount: 7, type: 'debit', source: 'hold', account: 0 },
  { kind: 'release', amount: 7, type: 'credit', source: 'hold', account: 0 },
  { kind: 'hold', amount: 9, type: 'debit', source: 'hold', account: 0 },
  { kind: 'expiry', amount: 9, type: 'credit', source: 'hold', account: 0 },
  { kind: 'seizure', amount: 6, type: 'debit', source: 'dispute', account: PROCESSOR_ACCOUNT },
]
export const KINDS = [...new Set(ROWS.map(({ kind }) => kind))]
export const OF_APPS = ROWS.filter(({ kind }) => isOfApp(kind))

/** The pair of a row, in the scope of the app or of the service. */
export function pairOf({ kind, amount }: Row, app: number, walletId: bigint) {
  if (kind === 'expiry')
    return { referenceType: 'HOLD_EXPIRY', referenceId: holdOf(9, app, walletId) }
  return { referenceType: 'KIND', referenceId: `${kind}-${amount}-${walletId}` }
}

function holdOf(amount: number, app: number, walletId: bigint): string {
  return digestPair(app, 'KIND', `hold-${amount}-${walletId}`)
}

const HOLDS: Partial<Record<Kind, number>> = { capture: 8, release: 7, expiry: 9 }

/** `app`: the ledger account of the app that posts it. */
export function requestOf(row: Row, app: number, walletId: bigint): LedgerRequest {
  const { kind, amount, account } = row
  const isAmountOmitted = kind === 'release' || kind === 'expiry'
  const held = HOLDS[kind]
  const terms = { isAmountOmitted, isBalanceHidden: false }
  return {
    kind,
    ...pairOf(row, app, walletId),
    walletId,
    amountMinor: isAmountOmitted ? 0n : BigInt(amount * 100),
    counterAccount: account || app,
    description: null,
    ...(kind === 'refund' && {
      refund: { ...terms, target: digestPair(app, 'KIND', `debit-3-${walletId}`) },
    }),
    // The time of the last one is over at once.
    ...(kind === 'hold' && { hold: { expiresInMs: amount === 9 ? 0 : 60_000 } }),
    ...(held !== undefined && {
      holdChange: { ...terms, target: holdOf(held, app, walletId), isFinal: true },
    }),
  }
}
