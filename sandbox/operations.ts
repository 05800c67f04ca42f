import { DISPUTE_OPERATIONS } from './disputes/dispute-operations.ts'
import type { Operation } from './http/mount-api.ts'
import { CHARGE_OPERATIONS } from './payments/charge-operations.ts'
import { CUSTOMER_OPERATIONS } from './payments/customer-operations.ts'
import { PAYMENT_INTENT_OPERATIONS } from './payments/payment-intent-operations.ts'
import { REFUND_OPERATIONS } from './refunds/refund-operations.ts'
import { WEBHOOK_OPERATIONS } from './webhooks/webhook-operations.ts'

/** All operations of the API. */
export const OPERATIONS: Operation[] = [
  ...PAYMENT_INTENT_OPERATIONS,
  ...CHARGE_OPERATIONS,
  ...CUSTOMER_OPERATIONS,
  ...REFUND_OPERATIONS,
  ...DISPUTE_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
]
