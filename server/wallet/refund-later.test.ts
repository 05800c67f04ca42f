/** Refunds of wallets that changed since the debit, and refunds in batches. */
import { batch } from '@coffer/contract/server/batch'
import { BALANCE_MAX_MINOR } from '@coffer/contract/money'
import {
  credit,
  debit,
  findOperation,
  readWallet,
  refund as endpoint,
} from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inTransaction } from '../database/in-transaction.ts'
import { link, unlink } from '../identity/link.ts'
import { PROCESSOR_ACCOUNT } from '../ledger/types.ts'
import { giveBonus, makeClientApp } from '../test/factories.ts'
import { captureHold, placeHold } from '../test/ledger/hold-setup.ts'
import { balanceOf, pairOf, pay, refund } from '../test/ledger/refund-setup.ts'
import * as refusals from '../test/refusals.ts'
import { assertReplay, call, addShop, openSetup, type Fields, type Setup } from '../test/setup.ts'

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

describe('POST /api/server/wallet/refund', () => {
  it('works on a frozen wallet and pays debt first', async () => {
    const shop = await addShop(setup.harness)
    const paid = await pay(shop, 60)
    const { ledger } = shop.harness.context
    await ledger.setWalletActive(shop.user.walletId, false)
    await ledger.post({
      kind: 'seizure',
      ...pairOf('DISPUTE'),
      walletId: shop.user.walletId,
      amountMinor: 50_00n,
      counterAccount: PROCESSOR_ACCOUNT,
      description: null,
    })
    const response = (await refund(shop, paid)).json()
    assert.deepEqual([response.balance, response.refunded], [50, 60])
    const wallet = await ledger.readWallet(shop.user.walletId)
    assert.deepEqual([wallet?.balance, wallet?.debt], [50_00n, 0n])
  })

  it('works after the user has unlinked the app, without the balance, also when replayed after relinking', async () => {
    const shop = await addShop(setup.harness)
    const paid = await pay(shop, 10)
    const { context } = shop.harness
    const shown = pairOf('REFUND')
    const first = await refund(shop, paid, { ...shown, amount: 1 })
    await unlink(context.db, shop.app.id, shop.user.id)
    assertReplay(await refund(shop, paid, { ...shown, amount: 1 }), first)
    const hidden = pairOf('REFUND')
    const response = await refund(shop, paid, { ...hidden, amount: 2 })
    assert.deepEqual([response.json().balance, response.json().refunded], [null, 2])
    await link(context.db, shop.app.id, shop.user.id)
    assertReplay(await refund(shop, paid, { ...hidden, amount: 2 }), response)
    const found = (await call(shop, findOperation, { ...hidden })).json()
    assert.deepEqual([found.status, found.balance, found.type], ['posted', null, 'credit'])
    assert.equal((await refund(shop, paid)).json().balance, 100)
  })

  it('shows the debit in the history of the app only, not in those of others', async () => {
    const shop = await addShop(setup.harness)
    const { context } = shop.harness
    const stranger = await makeClientApp(context)
    const serviceUserId = await link(context.db, stranger.id, shop.user.id)
    await refund(shop, await pay(shop, 10), { amount: 4 })
    const placed = await placeHold(shop, 5)
    await captureHold(shop, placed, { amount: 3 })
    const readAs = async (who: Pick<Setup, 'harness' | 'app'>, id: string) => {
      const response = await call(who, readWallet, { serviceUserId: id, limit: 4 })
      return response.json().transactions.map((each: Fields) => 'refundOf' in each)
    }
    assert.deepEqual(await readAs(shop, shop.user.serviceUserId), [false, false, true, false])
    const shown = await readAs({ ...shop, app: stranger }, serviceUserId)
    assert.deepEqual(shown, [false, false, false, false])
  })

  it('409 WALLET_CLOSED is recorded after the account was deleted; a wallet with money is not closed', async () => {
    const shop = await addShop(setup.harness)
    const { db, ledger } = shop.harness.context
    const close = () => inTransaction(db, (tx) => ledger.closeWallet(shop.user.walletId, tx))
    const paid = await pay(shop, 40)
    assert.equal(await close(), false)
    await pay(shop, 60)
    assert.equal(await close(), true)
    const pair = pairOf('REFUND')
    const response = await refund(shop, paid, pair)
    assert.deepEqual([response.statusCode, response.json().code], [409, 'WALLET_CLOSED'])
    assertReplay(await refund(shop, paid, pair), response)
    assert.equal(await balanceOf(shop), 0n)
  })

  it('403 CREDIT_LIMIT_EXCEEDED also limits refunds', async () => {
    const shop = await addShop(setup.harness)
    const app = await makeClientApp(shop.harness.context, { creditLimit: 5_00n })
    const serviceUserId = await link(shop.harness.context.db, app.id, shop.user.id)
    const mine = { ...shop, app, user: { ...shop.user, serviceUserId } }
    const paid = await pay(mine, 20)
    const given = { serviceUserId, amount: 20, ...pairOf('BONUS') }
    assert.equal((await call(mine, credit, given)).statusCode, 200)
    const response = await refund(mine, paid, { amount: 5.01 })
    assert.deepEqual([response.statusCode, response.json().code], [403, 'CREDIT_LIMIT_EXCEEDED'])
    assert.equal((await refund(mine, paid, { amount: 5 })).statusCode, 200)
  })

  it('400 BALANCE_LIMIT is recorded', async () => {
    const shop = await addShop(setup.harness)
    const paid = await pay(shop, 10)
    const { ledger } = shop.harness.context
    await giveBonus(ledger, shop.user.walletId, BALANCE_MAX_MINOR - 95_00n)
    const pair = pairOf('REFUND')
    const response = await refund(shop, paid, pair)
    assert.deepEqual([response.statusCode, response.json().code], [400, 'BALANCE_LIMIT'])
    assertReplay(await refund(shop, paid, pair), response)
    assert.equal((await refund(shop, paid, { amount: 5 })).statusCode, 200)
  })

  it('503 OUTCOME_UNKNOWN when the wallet is locked too long, and a retry returns the outcome', async () => {
    const paid = await pay(setup, 2)
    await refusals.outcomeUnknown(setup, endpoint, () => ({ debit: paid, ...pairOf('REFUND') }))
  })

  it('409 REFERENCE_MISMATCH for the reference of a debit', async () => {
    const shop = await addShop(setup.harness)
    const paid = await pay(shop, 10)
    const response = await refund(shop, paid, { ...paid })
    assert.deepEqual([response.statusCode, response.json().code], [409, 'REFERENCE_MISMATCH'])
    assert.equal(await balanceOf(shop), 90_00n)
  })
})

async function reuseRefund(to: typeof debit | typeof credit) {
  const shop = await addShop(setup.harness)
  const paid = await pay(shop, 10)
  const pair = pairOf('REFUND')
  await refund(shop, paid, { ...pair, amount: 1 })
  const { serviceUserId } = shop.user
  const response = await call(shop, to, { serviceUserId, amount: 1, ...pair })
  assert.deepEqual([response.statusCode, response.json().code], [409, 'REFERENCE_MISMATCH'])
  assert.equal(await balanceOf(shop), 91_00n)
}

describe('POST /api/server/wallet/debit', () => {
  it('409 REFERENCE_MISMATCH for the reference of a refund', () => reuseRefund(debit))
})

describe('POST /api/server/wallet/credit', () => {
  it('409 REFERENCE_MISMATCH for the reference of a refund', () => reuseRefund(credit))
})

describe('a refund in a batch', () => {
  it('can name a debit that is before it in the batch, and gets the response of the single call', async () => {
    const shop = await addShop(setup.harness)
    const paid = pairOf('ORDER')
    const { serviceUserId } = shop.user
    const refunded = pairOf('REFUND')
    const operations = [
      { type: 'debit', serviceUserId, amount: 10, ...paid },
      { type: 'refund', debit: paid, amount: 4, ...refunded },
      { type: 'refund', debit: paid, ...pairOf('REFUND') },
      { type: 'refund', debit: paid, ...pairOf('REFUND') },
      { type: 'refund', debit: pairOf('ORDER'), ...pairOf('REFUND') },
    ]
    const { results } = (await call(shop, batch, { operations })).json()
    assert.deepEqual(
      results.map(({ status, code, refunded: amount }: Fields) => [status, code ?? amount]),
      [
        [200, undefined],
        [200, 4],
        [200, 6],
        [409, 'REFUND_EXCEEDS_DEBIT'],
        [404, 'OPERATION_NOT_FOUND'],
      ],
    )
    const single = await refund(shop, paid, { ...refunded, amount: 4 })
    const { status: _, ...body } = results[1]
    assert.deepEqual(single.json(), body)
    assert.equal(await balanceOf(shop), 100_00n)
  })

  it('names nothing if the debit before it cannot be executed, because the user has unlinked the app', async () => {
    const shop = await addShop(setup.harness)
    await unlink(shop.harness.context.db, shop.app.id, shop.user.id)
    const paid = pairOf('ORDER')
    const { serviceUserId } = shop.user
    const operations = [
      { type: 'debit', serviceUserId, amount: 10, ...paid },
      { type: 'refund', debit: paid, ...pairOf('REFUND') },
    ]
    const { results } = (await call(shop, batch, { operations })).json()
    assert.deepEqual(
      results.map(({ status, code }: Fields) => [status, code]),
      [
        [404, 'USER_NOT_FOUND'],
        [404, 'OPERATION_NOT_FOUND'],
      ],
    )
    assert.equal(await balanceOf(shop), 100_00n)
  })
})
