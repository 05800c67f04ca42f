import { BALANCE_MAX_MINOR } from '@coffer/contract/money'
import {
  credit,
  debit as endpoint,
  findOperation,
  readWallet,
} from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { unlink } from '../identity/link.ts'
import { Ledger } from '../ledger/ledger.ts'
import { giveBonus, makeClientApp, makeLinkedUser } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import {
  assertRefusal,
  assertReplay,
  basicOf,
  call,
  addShop,
  movesNothing,
  openSetup,
  type Fields,
  type Setup,
} from '../test/setup.ts'

describe('POST /api/server/wallet/debit', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  const fieldsOf = ({ user }: Setup) => ({
    serviceUserId: user.serviceUserId,
    amount: 1.5,
    referenceType: 'ORDER',
    referenceId: randomUUID(),
  })

  async function balanceOf({ harness, user }: Setup) {
    return (await harness.context.ledger.readWallet(user.walletId))?.balance
  }

  /** Sends the fields, and the same fields again after `meanwhile`: the outcome is the same and no money moves. */
  async function repeats(shop: Setup, fields: Fields, meanwhile: () => Promise<unknown>) {
    const original = await call(shop, endpoint, fields)
    assert.equal(original.headers['idempotency-replayed'], undefined)
    await meanwhile()
    await movesNothing(shop.harness.admin, async () => {
      assertReplay(await call(shop, endpoint, fields), original)
    })
    return original
  }

  it('200 debits the amount and returns the new balance', async () => {
    const shop = await addShop(setup.harness)
    const response = await call(shop, endpoint, fieldsOf(shop))
    assert.equal(response.statusCode, 200)
    const { serviceUserId } = shop.user
    const wallet = (await call(shop, readWallet, { serviceUserId, limit: 1 })).json()
    assert.deepEqual(response.json(), {
      balance: 98.5,
      message: 'Debit completed.',
      currency: 'USD',
      transactionId: wallet.transactions[0].id,
    })
    assert.equal(response.headers['idempotency-replayed'], undefined)
    assert.equal(await balanceOf(shop), 98_50n)
  })

  it('200 accepts Basic authentication and ignores fields that it does not know', async () => {
    const none = { clientId: undefined, clientSecret: undefined }
    const fields = { ...fieldsOf(setup), ...none, colour: 'blue', isAdmin: true }
    assert.equal((await call(setup, endpoint, fields, basicOf(setup.app))).statusCode, 200)
  })

  it('200 returns the original outcome and balance for a repeat, and debits nothing', async () => {
    const shop = await addShop(setup.harness)
    const { user, harness } = shop
    const bonus = () => giveBonus(harness.context.ledger, user.walletId, 7n)
    const original = await repeats(shop, fieldsOf(shop), bonus)
    assert.equal(original.json().balance, 98.5)
    assert.equal(await balanceOf(shop), 98_57n)
  })

  it('200 returns the original outcome for a repeat that differs, and records the difference', async () => {
    const shop = await addShop(setup.harness)
    const { harness, user, app } = shop
    const other = await makeLinkedUser(harness.context, app, 50_00n)
    const fields = fieldsOf(shop)
    const original = await call(shop, endpoint, fields)
    const { serviceUserId } = other
    const unknown = `su_${'0'.repeat(32)}`
    const mine = user.walletId.toString()
    const theirs = other.walletId.toString()
    const variants = [
      [endpoint, { amount: 2 }, ['amount'], mine, '200'],
      [endpoint, { serviceUserId }, ['serviceUserId'], theirs, '150'],
      [endpoint, { serviceUserId: unknown }, ['serviceUserId'], null, '150'],
      [credit, {}, ['direction'], mine, '150'],
      [
        credit,
        { amount: 3, serviceUserId },
        ['amount', 'serviceUserId', 'direction'],
        theirs,
        '300',
      ],
    ] as const
    for (const [route, change, differs, walletId, amount] of variants) {
      assertReplay(await call(shop, route, { ...fields, ...change }), original, differs.join(', '))
      const { rows } = await harness.admin.query(
        'select differs, wallet_id, kind, amount from ledger.mismatches order by id desc limit 1',
      )
      const kind = route === credit ? 'credit' : 'debit'
      assert.deepEqual(rows, [{ differs, wallet_id: walletId, kind, amount }])
    }
    assert.equal(await balanceOf(shop), 98_50n)
    assert.equal(await balanceOf({ ...shop, user: other }), 50_00n)
  })

  it('200 treats a repeat with another description or other unknown fields as identical', async () => {
    const fields = fieldsOf(setup)
    const original = await call(setup, endpoint, fields)
    const changed = { ...fields, amount: '1.50', description: 'Other words', colour: 'red' }
    assertReplay(await call(setup, endpoint, changed), original)
  })

  it('400 INSUFFICIENT_BALANCE is recorded and stays the outcome after a top-up', async () => {
    const shop = await addShop(setup.harness)
    const { harness, user } = shop
    const fields = { ...fieldsOf(shop), amount: 100.01 }
    const bonus = () => giveBonus(harness.context.ledger, user.walletId, 50_00n)
    const original = await repeats(shop, fields, bonus)
    assertRefusal(original, endpoint, 'INSUFFICIENT_BALANCE')
    const renewed = await call(shop, endpoint, { ...fields, referenceId: randomUUID() })
    assert.equal(renewed.json().balance, 49.99)
  })

  it('400 BALANCE_LIMIT when it repeats a credit with this refusal', async () => {
    const shop = await addShop(setup.harness)
    const { harness, user } = shop
    await giveBonus(harness.context.ledger, user.walletId, BALANCE_MAX_MINOR - 100_00n)
    const fields = fieldsOf(shop)
    const refused = await call(shop, credit, fields)
    const response = await call(shop, endpoint, fields)
    assertReplay(response, refused, 'direction')
    assertRefusal(response, endpoint, 'BALANCE_LIMIT')
  })

  it('403 CREDIT_LIMIT_EXCEEDED when it repeats a credit with this refusal', async () => {
    const { context } = setup.harness
    const app = await makeClientApp(context, { creditLimit: 0n })
    const shop = { ...setup, app, user: await makeLinkedUser(context, app, 100_00n) }
    const fields = fieldsOf(shop)
    const refused = await call(shop, credit, fields)
    const response = await call(shop, endpoint, fields)
    assertReplay(response, refused, 'direction')
    assertRefusal(response, endpoint, 'CREDIT_LIMIT_EXCEEDED')
  })

  it('403 WALLET_INACTIVE is recorded and stays the outcome after the wallet is unfrozen', async () => {
    const shop = await addShop(setup.harness)
    const { ledger } = shop.harness.context
    const { walletId } = shop.user
    await ledger.setWalletActive(walletId, false)
    const fields = { ...fieldsOf(shop), amount: 999 }
    const original = await repeats(shop, fields, () => ledger.setWalletActive(walletId, true))
    assertRefusal(original, endpoint, 'WALLET_INACTIVE')
    assert.equal((await call(shop, endpoint, fieldsOf(shop))).statusCode, 200)
  })

  it('404 USER_NOT_FOUND is not recorded: the pair can be used once the user exists', async () => {
    const shop = await addShop(setup.harness)
    const { harness, app, user } = shop
    const pair = fieldsOf(shop)
    await unlink(harness.context.db, app.id, user.id)
    await movesNothing(harness.admin, async () => {
      for (const serviceUserId of [user.serviceUserId, `su_${'f'.repeat(32)}`, 'nobody']) {
        const response = await call(shop, endpoint, { ...pair, serviceUserId })
        assertRefusal(response, endpoint, 'USER_NOT_FOUND')
      }
    })
    const { serviceUserId } = await makeLinkedUser(harness.context, app, 100_00n)
    const response = await call(shop, endpoint, { ...pair, serviceUserId })
    assert.equal(response.json().balance, 98.5)
  })

  it('400 INVALID_AMOUNT takes precedence over the outcome of a known pair', async () => {
    const fields = fieldsOf(setup)
    await call(setup, endpoint, fields)
    const amounts = [0, -1, 0.001, 1e21, 1_000_000_000, '0', '0.00', '1e2', '', true, null, [1], {}]
    await refusals.refusesFields(
      setup,
      endpoint,
      () => fields,
      [...amounts, undefined].map((amount) => ['amount', amount]),
    )
  })

  it('503 OUTCOME_UNKNOWN when the wallet is locked too long, and a retry returns the outcome', () =>
    refusals.outcomeUnknown(setup, endpoint, fieldsOf))

  it('503 SERVICE_UNAVAILABLE when the queue is full, and the pair can still be used', async () => {
    const { context, databaseUrl, admin } = setup.harness
    const usual = context.ledger
    const full = new Ledger({ databaseUrl, queueCapacity: 0 })
    const fields = fieldsOf(setup)
    await movesNothing(admin, async () => {
      context.ledger = full
      const response = await call(setup, endpoint, fields)
      context.ledger = usual
      assertRefusal(response, endpoint, 'SERVICE_UNAVAILABLE')
    })
    await full.close()
    assertRefusal(await call(setup, findOperation, fields), findOperation, 'OPERATION_NOT_FOUND')
  })
})
