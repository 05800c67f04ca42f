import type { ErrorCode } from './errors.ts'

/** The refusals of the ledger: recorded as the outcome of a reference, and returned again for every repeat. */
export const RECORDED_REFUSALS = [
  'INSUFFICIENT_BALANCE',
  'WALLET_INACTIVE',
  'CREDIT_LIMIT_EXCEEDED',
  'BALANCE_LIMIT',
  'REFUND_EXCEEDS_DEBIT',
  'WALLET_CLOSED',
  'CAPTURE_EXCEEDS_HOLD',
  'HOLD_EXPIRED',
  'HOLD_CLOSED',
  'SPEND_LIMIT_EXCEEDED',
] as const satisfies readonly ErrorCode[]
