import type Stripe from 'stripe'
import type { Sandbox } from '../context.ts'
import { createId, nowSeconds } from '../state.ts'

type Entry = {
  type: Stripe.BalanceTransaction.Type
  category: string
  amount: number
  fee: number
  currency: string
  source: string
  description: string
}

/** Records a change of the merchant's balance, including fees. */
export function bookBalance(sandbox: Sandbox, entry: Entry): Stripe.BalanceTransaction {
  const created = nowSeconds()
  const isDispute = entry.category.startsWith('dispute')
  const transaction: Stripe.BalanceTransaction = {
    id: createId('txn'),
    object: 'balance_transaction',
    amount: entry.amount,
    available_on: created + 2 * 86_400,
    balance_type: 'payments',
    created,
    currency: entry.currency,
    description: entry.description,
    exchange_rate: null,
    fee: entry.fee,
    fee_details:
      entry.fee === 0
        ? []
        : [
            {
              amount: entry.fee,
              application: null,
              currency: entry.currency,
              description: isDispute ? 'Dispute fee' : 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: entry.amount - entry.fee,
    reporting_category: entry.category,
    source: entry.source,
    status: 'pending',
    type: entry.type,
  }
  sandbox.state.balanceTransactions.set(transaction.id, transaction)
  return transaction
}

/** 2.9 % + 30 minor units, computed in integers. */
export function feeOf(amount: number): number {
  return Math.round((amount * 29) / 1000) + 30
}
