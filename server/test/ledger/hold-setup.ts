/** Holds of one user, through the API, and time that passes for them. */
import { capture, hold, release } from '@coffer/contract/server/holds'
import assert from 'node:assert/strict'
import { call, type Fields, type Setup } from '../setup.ts'
import { pairOf, type Pair } from './refund-setup.ts'

export function holdFields({ user }: Setup, amount: number, fields: Fields = {}): Fields {
  return { serviceUserId: user.serviceUserId, amount, ...pairOf('HOLD'), ...fields }
}

export async function placeHold(shop: Setup, amount: number, fields: Fields = {}): Promise<Pair> {
  const pair = pairOf('HOLD')
  const response = await call(shop, hold, holdFields(shop, amount, { ...pair, ...fields }))
  assert.equal(response.statusCode, 200, response.body)
  return pair
}

export function captureHold(shop: Setup, placed: Pair, fields: Fields = {}) {
  return call(shop, capture, { hold: placed, ...pairOf('CAPTURE'), ...fields })
}

export function releaseHold(shop: Setup, placed: Pair, fields: Fields = {}) {
  return call(shop, release, { hold: placed, ...pairOf('RELEASE'), ...fields })
}

/** Balance, held amount and debt. */
export async function readMoney({ harness, user }: Pick<Setup, 'harness' | 'user'>) {
  const wallet = await harness.context.ledger.readWallet(user.walletId)
  return [wallet?.balance, wallet?.held, wallet?.debt]
}

/** Makes all holds of the user expire now, as if they had been placed earlier. */
export async function expireHoldsNow({ harness, user }: Pick<Setup, 'harness' | 'user'>) {
  const { walletId } = user
  await harness.admin.query(`begin;
    select from ledger.wallets where id = ${walletId} for update;
    update ledger.holds set expires_at = created_at + interval '1 ms' where wallet_id = ${walletId};
    update ledger.operation_keys k set expires_at = h.expires_at from ledger.holds h
      where h.digest = k.digest and h.wallet_id = ${walletId};
    update ledger.wallets set next_expiry = (
      select min(expires_at) from ledger.holds where wallet_id = ${walletId} and remaining > 0
    ) where id = ${walletId};
    commit`)
}
