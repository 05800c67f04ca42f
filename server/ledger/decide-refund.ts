/** The part of `decide` that only refunds need. */
import assert from 'node:assert/strict'
import type { BatchInput, BatchOutput, DigestedRequest } from './decide-types.ts'
import type { Decision, Refusal, WalletState } from './types.ts'

interface DebitToRefund {
  debited: bigint
  /** How much of it is not refunded yet; 0 if the debit was refused. */
  left: bigint
}

/** The debit or capture of a refund; undefined for other kinds. */
export function debitOf(
  { refund, walletId }: DigestedRequest,
  input: BatchInput,
  { refunds }: BatchOutput,
  fresh: ReadonlyMap<string, Decision>,
): DebitToRefund | undefined {
  if (refund === undefined) return undefined
  const { target } = refund
  const debit = input.decided.get(target) ?? fresh.get(target)
  const isDebit = debit?.kind === 'debit' || debit?.kind === 'capture'
  assert(isDebit && debit.walletId === walletId, 'a refund names a debit of its wallet')
  const debited = debit.amountMinor
  if (debit.refusal !== null) return { debited, left: 0n }
  const last = refunds.findLast((each) => each.debit === target)
  return { debited, left: debited - (last?.refunded ?? input.refunded?.get(target) ?? 0n) }
}

export function recordRefund(
  { refund, digest, walletId }: DigestedRequest,
  decision: Decision,
  { debited, left }: DebitToRefund,
  { refunds }: BatchOutput,
) {
  assert(refund, 'only a refund has a debit')
  const isPosted = decision.refusal === null
  const refundable = isPosted ? left - decision.amountMinor : left
  decision.refund = { ...refund, refundable }
  const refunded = debited - refundable
  if (isPosted) refunds.push({ debit: refund.target, refund: digest, walletId, debited, refunded })
}

export function refuseRefund(amount: bigint, wallet: WalletState, left: bigint): Refusal | null {
  if (wallet.isClosed) return 'WALLET_CLOSED'
  return amount > left || left === 0n ? 'REFUND_EXCEEDS_DEBIT' : null
}
