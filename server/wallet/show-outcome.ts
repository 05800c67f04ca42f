/** The responses to each kind: the same for every request with the pair. They throw if the operation was refused. */
import { toWireNumber } from '@coffer/contract/money'
import type { Context } from '../context.ts'
import type { Decision } from '../ledger/types.ts'
import { ServiceError } from '../service-error.ts'

type Tools = Pick<Context, 'transactionIds' | 'config'>

const MESSAGES: Record<string, string> = { debit: 'Debit completed.', credit: 'Credit completed.' }

export function toResponse(
  { transactionIds, config: { currency } }: Tools,
  ledgerAccount: number,
  decision: Decision,
) {
  if (MESSAGES[decision.kind] === undefined) throw new ServiceError('REFERENCE_MISMATCH')
  if (decision.refusal !== null || decision.balanceAfter === null) {
    throw new ServiceError(decision.refusal ?? 'OUTCOME_UNKNOWN')
  }
  return {
    balance: toWireNumber(decision.balanceAfter, currency),
    message: MESSAGES[decision.kind] ?? '',
    currency: currency.code,
    transactionId: transactionIds.encode(ledgerAccount, decision.walletId, decision.seq),
  }
}

export function toRefundResponse(
  { transactionIds, config: { currency } }: Tools,
  ledgerAccount: number,
  { refund, refusal, balanceAfter, amountMinor, walletId, seq }: Decision,
) {
  if (refund === undefined) throw new ServiceError('REFERENCE_MISMATCH')
  if (refusal !== null || balanceAfter === null) {
    throw new ServiceError(refusal ?? 'OUTCOME_UNKNOWN')
  }
  return {
    balance: refund.isBalanceHidden ? null : toWireNumber(balanceAfter, currency),
    message: 'Refund completed.',
    currency: currency.code,
    transactionId: transactionIds.encode(ledgerAccount, walletId, seq),
    refunded: toWireNumber(amountMinor, currency),
    refundable: toWireNumber(refund.refundable, currency),
  }
}

export function toHoldResponse(
  { transactionIds, config: { currency } }: Tools,
  ledgerAccount: number,
  { hold, refusal, balanceAfter, amountMinor, walletId, seq }: Decision,
) {
  if (hold === undefined) throw new ServiceError('REFERENCE_MISMATCH')
  if (refusal !== null || balanceAfter === null) {
    throw new ServiceError(refusal ?? 'OUTCOME_UNKNOWN')
  }
  return {
    balance: toWireNumber(balanceAfter, currency),
    held: toWireNumber(amountMinor, currency),
    expiresAt: new Date(hold.expiresAtMs).toISOString(),
    message: 'Hold placed.',
    currency: currency.code,
    transactionId: transactionIds.encode(ledgerAccount, walletId, seq),
  }
}

export function toCaptureResponse(tools: Tools, ledgerAccount: number, decision: Decision) {
  const common = toCommonResponse(tools, 'capture', ledgerAccount, decision)
  const captured = toWireNumber(decision.amountMinor, tools.config.currency)
  return { ...common, captured, message: 'Capture completed.' }
}

export function toReleaseResponse(tools: Tools, ledgerAccount: number, decision: Decision) {
  const common = toCommonResponse(tools, 'release', ledgerAccount, decision)
  return { ...common, message: 'Hold released.' }
}

function toCommonResponse(
  { transactionIds, config: { currency } }: Tools,
  expected: 'capture' | 'release',
  ledgerAccount: number,
  { kind, holdChange, refusal, balanceAfter, walletId, seq }: Decision,
) {
  if (holdChange === undefined || kind !== expected) throw new ServiceError('REFERENCE_MISMATCH')
  if (refusal !== null || balanceAfter === null) {
    throw new ServiceError(refusal ?? 'OUTCOME_UNKNOWN')
  }
  return {
    balance: holdChange.isBalanceHidden ? null : toWireNumber(balanceAfter, currency),
    released: toWireNumber(holdChange.released, currency),
    held: toWireNumber(holdChange.held, currency),
    currency: currency.code,
    transactionId: transactionIds.encode(ledgerAccount, walletId, seq),
  }
}
