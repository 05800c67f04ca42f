import { DISPUTE_OPERATIONS } from './disputes/operate-disputes.ts'
import type { Operation } from './http/mount-api.ts'
import { CHARGE_OPERATIONS } from './payments/operate-charges.ts'
import { CUSTOMER_OPERATIONS } from './payments/operate-customers.ts'
import { PAYMENT_INTENT_OPERATIONS } from './payments/operate-payment-intents.ts'
import { REFUND_OPERATIONS } from './refunds/operate-refunds.ts'
import { WEBHOOK_OPERATIONS } from './webhooks/operate-webhooks.ts'

/** All operations of the API. */
export const OPERATIONS: Operation[] = [
  ...PAYMENT_INTENT_OPERATIONS,
  ...CHARGE_OPERATIONS,
  ...CUSTOMER_OPERATIONS,
  ...REFUND_OPERATIONS,
  ...DISPUTE_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
]
