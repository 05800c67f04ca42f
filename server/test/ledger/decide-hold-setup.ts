/** Requests about a hold of 80 on a wallet that has 100 beside it. */
import type { BatchInput, DigestedRequest } from '../../ledger/post/decide-types.ts'
import { digestPair } from '../../ledger/digest.ts'
import type { Hold, HoldChangeTerms, WalletState } from '../../ledger/types.ts'
import { ACCOUNT, NOW_MS, requestOf, run, walletOf } from './decide-setup.ts'

export const HOLD: Hold = {
  digest: digestPair(ACCOUNT, 'ORDER', 'hold-0'),
  walletId: 1n,
  account: ACCOUNT,
  amount: 80n,
  captured: 0n,
  remaining: 80n,
  createdAtMs: NOW_MS - 2000,
  expiresAtMs: NOW_MS + 1000,
  closedBy: null,
  referenceType: 'ORDER',
  referenceId: 'hold-0',
}
export const TERMS: HoldChangeTerms = {
  target: HOLD.digest,
  isAmountOmitted: false,
  isFinal: true,
  isBalanceHidden: false,
}
export const OMITTED = { ...TERMS, isAmountOmitted: true }

export function changeOf(
  kind: 'capture' | 'release',
  amount: bigint | undefined,
  terms: Partial<HoldChangeTerms> = {},
  referenceId = 'change-1',
): DigestedRequest {
  return requestOf(kind, amount ?? 0n, {
    holdChange: { ...(amount === undefined ? OMITTED : TERMS), ...terms },
    referenceId,
    digest: digestPair(ACCOUNT, 'ORDER', referenceId),
  })
}

export function holdOf(
  amount: bigint,
  expiresInMs = 60_000,
  referenceId = 'hold-1',
): DigestedRequest {
  const digest = digestPair(ACCOUNT, 'ORDER', referenceId)
  return requestOf('hold', amount, { hold: { expiresInMs }, referenceId, digest })
}

export function runOn(
  requests: DigestedRequest[],
  hold: Partial<Hold> = {},
  state: Partial<WalletState> = {},
  input: Partial<BatchInput> = {},
) {
  const known = { ...HOLD, ...hold }
  const wallet = walletOf({ held: known.remaining, nextExpiryMs: known.expiresAtMs, ...state })
  return run(requests, wallet, { holds: new Map([[known.digest, known]]), ...input })
}
