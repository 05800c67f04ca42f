/** The part of `decide` that only refunds need. */
import assert from 'node:assert/strict'
import type { BatchInput, BatchOutput, DigestedRequest } from './decide-types.ts'
import type { Decision, Refusal, WalletState } from '../types.ts'

interface DebitToRefund {
  debited: bigint
  /** How much of it is not refunded yet; 0 if the debit was refused. */
  left: bigint
  /** When it counted for a spending limit: a capture counts when its hold is placed. */
  takenAtMs: number | undefined
}

/** The debit or capture of a refund; undefined for other kinds. */
export function debitOf(
  { refund, walletId }: DigestedRequest,
  input: BatchInput,
  { refunds, holds }: BatchOutput,
  decidedInBatch: ReadonlyMap<string, Decision>,
): DebitToRefund | undefined {
  if (refund === undefined) return undefined
  const { target } = refund
  const debit = input.decided.get(target) ?? decidedInBatch.get(target)
  const isDebit = debit?.kind === 'debit' || debit?.kind === 'capture'
  assert(isDebit && debit.walletId === walletId, 'a refund names a debit of its wallet')
  const debited = debit.amountMinor
  const { holdChange } = debit
  const hold = holdChange && (holds.get(holdChange.target) ?? input.holds?.get(holdChange.target))
  const takenAtMs = holdChange ? hold?.createdAtMs : debit.decidedAtMs
  if (debit.refusal !== null) return { debited, left: 0n, takenAtMs }
  const last = refunds.findLast((each) => each.debit === target)
  const refunded = last?.refunded ?? input.refunded?.get(target) ?? 0n
  return { debited, left: debited - refunded, takenAtMs }
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

export function findRefundRefusal(
  amount: bigint,
  wallet: WalletState,
  left: bigint,
): Refusal | null {
  if (wallet.isClosed) return 'WALLET_CLOSED'
  return amount > left || left === 0n ? 'REFUND_EXCEEDS_DEBIT' : null
}
