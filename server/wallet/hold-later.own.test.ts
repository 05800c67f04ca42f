/** Holds on wallets that change, and holds whose time is over. */
import { checkBalance, credit, debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { clientConfig } from '../database/connect.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { PROCESSOR_ACCOUNT } from '../ledger/types.ts'
import { verify } from '../ledger/verify/verify.ts'
import {
  captureHold,
  holdFields,
  expireHoldsNow,
  placeHold,
  readMoney,
} from '../test/ledger/hold-setup.ts'
import { pairOf } from '../test/ledger/refund-setup.ts'
import { assertReplay, call, addShop, openSetup, type Setup } from '../test/setup.ts'
import { expireHolds } from './expire-holds.ts'

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

function seize({ harness, user }: Setup, amountMinor: bigint) {
  return harness.context.ledger.post({
    kind: 'seizure',
    ...pairOf('DISPUTE'),
    walletId: user.walletId,
    amountMinor,
    counterAccount: PROCESSOR_ACCOUNT,
    description: null,
  })
}

async function countExpiries({ harness, user }: Setup): Promise<number> {
  const { rows } = await harness.admin.query(
    `select from ledger.operations where wallet_id = $1 and kind = 'expiry'`,
    [user.walletId],
  )
  return rows.length
}

describe('a hold whose time is over', () => {
  it('is balance for check-balance, and for the next debit, which books it', async () => {
    const shop = await addShop(setup.harness)
    await placeHold(shop, 60)
    await placeHold(shop, 30)
    const { serviceUserId } = shop.user
    const check = async () =>
      (await call(shop, checkBalance, { serviceUserId, requiredAmount: '100' })).json()
    assert.deepEqual([(await check()).balance, (await check()).hasSufficientBalance], [10, false])
    await expireHoldsNow(shop)
    assert.deepEqual([(await check()).balance, (await check()).hasSufficientBalance], [100, true])
    assert.equal(await countExpiries(shop), 0)
    assert.equal((await call(shop, debit, holdFields(shop, 100))).statusCode, 200)
    assert.deepEqual(await readMoney(shop), [0n, 0n, 0n])
    assert.equal(await countExpiries(shop), 2)
  })

  it('pays only a part of a larger debt, and the balance that check-balance shows stays', async () => {
    const shop = await addShop(setup.harness)
    await placeHold(shop, 60)
    await seize(shop, 110_00n)
    assert.equal((await call(shop, credit, holdFields(shop, 10))).statusCode, 200)
    assert.deepEqual(await readMoney(shop), [10_00n, 60_00n, 70_00n])
    await expireHoldsNow(shop)
    const fields = { serviceUserId: shop.user.serviceUserId, requiredAmount: '10' }
    const { balance, hasSufficientBalance } = (await call(shop, checkBalance, fields)).json()
    assert.deepEqual([balance, hasSufficientBalance], [10, true])
    await expireHolds(shop.harness.context)
    assert.deepEqual(await readMoney(shop), [10_00n, 0n, 10_00n])
  })

  it('waits while writes are paused, and a replay does not book it', async () => {
    const shop = await addShop(setup.harness)
    const paid = holdFields(shop, 1)
    const original = await call(shop, debit, paid)
    await placeHold(shop, 10)
    await expireHoldsNow(shop)
    const { ledger } = shop.harness.context
    await ledger.setPause({ by: 'test', reason: 'test' })
    try {
      await expireHolds(shop.harness.context)
      assertReplay(await call(shop, debit, paid), original)
      assert.equal(await countExpiries(shop), 0)
    } finally {
      await ledger.setPause(null)
    }
    assertReplay(await call(shop, debit, paid), original)
    assert.equal(await countExpiries(shop), 0)
    await expireHolds(shop.harness.context)
    assert.equal(await countExpiries(shop), 1)
  })

  it('expires once, however many sweepers and requests come at the same time', async () => {
    const shop = await addShop(setup.harness)
    for (let count = 0; count < 5; count++) await placeHold(shop, 10)
    await expireHoldsNow(shop)
    await Promise.all([
      expireHolds(shop.harness.context),
      call(shop, debit, holdFields(shop, 1)),
      expireHolds(shop.harness.context),
      call(shop, debit, holdFields(shop, 1)),
    ])
    assert.equal(await countExpiries(shop), 5)
    assert.deepEqual(await readMoney(shop), [98_00n, 0n, 0n])
  })
})

describe('a hold on a wallet that changes', () => {
  it('keeps the wallet from being closed', async () => {
    const shop = await addShop(setup.harness)
    const { db, ledger } = shop.harness.context
    const close = () => inTransaction(db, (tx) => ledger.closeWallet(shop.user.walletId, tx))
    const placed = await placeHold(shop, 100)
    assert.equal(await close(), false)
    await captureHold(shop, placed)
    assert.equal(await close(), true)
  })

  it('leaves correct books', async () => {
    const client = new pg.Client(clientConfig(setup.harness.databaseUrl))
    await client.connect()
    const { fault } = await verify(client, {})
    await client.end()
    assert.equal(fault, undefined)
  })
})
