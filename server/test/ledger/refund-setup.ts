/** Payments and refunds of one user, through the API. */
import { debit, refund as endpoint } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { call, type Fields, type Setup } from '../setup.ts'

export type Pair = Record<'referenceType' | 'referenceId', string>

export const pairOf = (referenceType: string): Pair => ({
  referenceType,
  referenceId: randomUUID(),
})

export async function pay(shop: Setup, amount: number): Promise<Pair> {
  const pair = pairOf('ORDER')
  const { serviceUserId } = shop.user
  assert.equal((await call(shop, debit, { serviceUserId, amount, ...pair })).statusCode, 200)
  return pair
}

export function refund(shop: Setup, paid: Pair, fields: Fields = {}) {
  return call(shop, endpoint, { debit: paid, ...pairOf('REFUND'), ...fields })
}

export async function balanceOf({ harness, user }: Setup) {
  return (await harness.context.ledger.readWallet(user.walletId))?.balance
}
