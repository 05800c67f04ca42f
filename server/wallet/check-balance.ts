import { toWireNumber } from '@coffer/contract/money'
import type { ClientApp } from '../client-app/client-app-cache.ts'
import type { Context } from '../context.ts'
import { readAmountOrZero } from '../read-amount.ts'
import { findWallet } from './find-wallet.ts'

export async function checkBalance(
  context: Context,
  clientApp: ClientApp,
  input: { serviceUserId: string; requiredAmount: string },
) {
  const { currency } = context.config
  const required = readAmountOrZero('requiredAmount', input.requiredAmount, currency)
  const wallet = await findWallet(context, clientApp, input.serviceUserId)
  const { holds, spendLimits } = context.ledger
  const balance = await holds.readSpendable(wallet)
  const spendable = await spendLimits.readSpendable(wallet, clientApp.ledgerAccount, balance)
  return {
    balance: toWireNumber(balance, currency),
    requiredAmount: toWireNumber(required, currency),
    hasSufficientBalance: balance >= required,
    spendable: toWireNumber(spendable, currency),
    currency: currency.code,
  }
}
