/** How an operation changes a wallet. */
import type { Kind, WalletState } from '../types.ts'

export interface WalletChange {
  balance: bigint
  debt: bigint
  held: bigint
}

/** The change of the person's position (balance + held − debt); the counter account changes by the opposite amount. */
export function netOf(change: WalletChange): bigint {
  return change.balance + change.held - change.debt
}

/** `released`: what a capture returns of its hold. */
export function changeOf(
  kind: Kind,
  amount: bigint,
  wallet: WalletState,
  released = 0n,
): WalletChange {
  switch (kind) {
    case 'debit':
    case 'card_refund':
    case 'correction_out':
      return { balance: -amount, debt: 0n, held: 0n }
    case 'credit':
    case 'bonus':
    case 'correction_in':
      return { balance: amount, debt: 0n, held: 0n }
    case 'topup':
    case 'reversal':
    case 'refund':
      return { ...payDebt(amount, wallet), held: 0n }
    case 'seizure': {
      const taken = smaller(wallet.balance, amount)
      return { balance: -taken, debt: amount - taken, held: 0n }
    }
    case 'hold':
      return { balance: -amount, debt: 0n, held: amount }
    case 'capture':
      return { ...payDebt(released, wallet), held: -amount - released }
    case 'release':
    case 'expiry':
      return { ...payDebt(amount, wallet), held: -amount }
  }
}

/** Money that arrives pays debt first, the rest goes to the balance. */
function payDebt(amount: bigint, wallet: WalletState) {
  const collected = smaller(wallet.debt, amount)
  return { balance: amount - collected, debt: -collected }
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
