import { toWireNumber } from '@coffer/contract/money'
import assert from 'node:assert/strict'
import type { Context } from '../context.ts'
import { readOwner } from '../identity/read-owner.ts'
import type { Payer } from './topup-tools.ts'

/** What a person sees before paying: the balance, and whose wallet it is. */
export async function readPayerWallet(
  { db, ledger, config }: Pick<Context, 'db' | 'ledger' | 'config'>,
  { userId, walletId }: Payer,
) {
  const [wallet, user] = await Promise.all([ledger.readWallet(walletId), readOwner(db, userId)])
  assert(wallet, 'a person has a wallet')
  const { currency } = config
  const balance = toWireNumber(wallet.balance, currency)
  return { balance, currency: currency.code, isActive: wallet.isActive, user }
}
