/** Single requests for `decide`, and a wallet with a balance of 100. */
import { decide } from '../../ledger/post/decide.ts'
import type { BatchInput, BatchOutput, DigestedRequest } from '../../ledger/post/decide-types.ts'
import { digestPair, GENESIS_HASH } from '../../ledger/digest.ts'
import { scopeOf, type Decision, type Kind, type WalletState } from '../../ledger/types.ts'

export const ACCOUNT = 9
export const NOW_MS = 1_700_000_000_123

const WALLET = {
  id: 1n,
  balance: 100n,
  debt: 0n,
  held: 0n,
  seq: 4n,
  nextExpiryMs: null,
  isActive: true,
  isClosed: false,
  hasSpendLimits: false,
  headHash: GENESIS_HASH,
}
/** A debit of 80 that can be refunded. */
export const DEBIT: Decision = {
  digest: digestPair(ACCOUNT, 'ORDER', 'order-0'),
  walletId: 1n,
  seq: 3n,
  kind: 'debit',
  amountMinor: 80n,
  balanceAfter: 100n,
  refusal: null,
  decidedAtMs: NOW_MS - 1,
}
const TERMS = { target: DEBIT.digest, isAmountOmitted: false, isBalanceHidden: false }
export const walletOf = (state: Partial<WalletState> = {}): WalletState => ({ ...WALLET, ...state })

export function requestOf(
  kind: Kind,
  amountMinor: bigint,
  about: Partial<DigestedRequest> = {},
): DigestedRequest {
  const scope = scopeOf({ kind, counterAccount: ACCOUNT })
  const reference = { referenceType: 'ORDER', referenceId: 'order-1', ...about }
  return {
    kind,
    amountMinor,
    scope,
    walletId: 1n,
    counterAccount: ACCOUNT,
    description: 'words',
    digest: digestPair(scope, reference.referenceType, reference.referenceId),
    ...(kind === 'refund' && { refund: TERMS }),
    ...reference,
  }
}

export function run(
  requests: DigestedRequest[],
  wallet: WalletState = walletOf(),
  input: Partial<BatchInput> = {},
): BatchOutput {
  const wallets = new Map([[wallet.id, wallet]])
  const known = { decided: new Map([[DEBIT.digest, DEBIT]]), runningBalances: new Map() }
  return decide({ wallets, ...known, requests, nowMs: NOW_MS, ...input })
}
