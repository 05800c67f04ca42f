/** How the audit log describes a credit limit. */
import { formatAmount, type Currency } from '@coffer/contract/money'
import type { NewLimit } from './limit-queries.ts'

type Limit = Pick<NewLimit, 'id' | 'creditLimit' | 'amount' | 'reason'>

export function describeLimit({ id, amount, reason, creditLimit }: Limit, currency: Currency) {
  const raise = amount === null ? {} : { amount: formatAmount(amount, currency) }
  return {
    grant: id,
    kind: 'credit_limit',
    ...raise,
    creditLimit: formatLimit(creditLimit, currency),
    reason,
  }
}

/** null: unlimited. */
export function formatLimit(limit: bigint | null, currency: Currency): string {
  return limit === null ? 'unlimited' : formatAmount(limit, currency)
}
