import { BALANCE_MAX_MINOR } from '@coffer/contract/money'
import { credit as endpoint, debit, readWallet } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { unlink } from '../identity/link.ts'
import { giveBonus, makeClientApp, makeLinkedUser } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import {
  assertRefusal,
  assertReplay,
  basicOf,
  call,
  callRaw,
  addShop,
  movesNothing,
  openSetup,
  type Setup,
} from '../test/setup.ts'

describe('POST /api/server/wallet/credit', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  const fieldsOf = ({ user }: Setup) => ({
    serviceUserId: user.serviceUserId,
    amount: 1.5,
    referenceType: 'REFUND',
    referenceId: randomUUID(),
  })

  async function balanceOf({ harness, user }: Setup) {
    return (await harness.context.ledger.readWallet(user.walletId))?.balance
  }

  /** A client app with a credit limit and a user with 100.00. */
  async function limitedTo(creditLimit: bigint): Promise<Setup> {
    const { context } = setup.harness
    const app = await makeClientApp(context, { creditLimit })
    return { ...setup, app, user: await makeLinkedUser(context, app, 100_00n) }
  }

  it('200 credits the amount and returns the new balance', async () => {
    const shop = await addShop(setup.harness)
    const response = await call(shop, endpoint, fieldsOf(shop))
    assert.equal(response.statusCode, 200)
    const { serviceUserId } = shop.user
    const wallet = (await call(shop, readWallet, { serviceUserId, limit: 1 })).json()
    const transactionId = wallet.transactions[0].id
    const expected = { balance: 101.5, message: 'Credit completed.', currency: 'USD' }
    assert.deepEqual(response.json(), { ...expected, transactionId })
    assert.equal(response.headers['idempotency-replayed'], undefined)
    assert.equal(await balanceOf(shop), 101_50n)
  })

  it('200 credits a frozen wallet', async () => {
    const shop = await addShop(setup.harness)
    await shop.harness.context.ledger.setWalletActive(shop.user.walletId, false)
    const response = await call(shop, endpoint, fieldsOf(shop))
    assert.equal(response.json().balance, 101.5)
  })

  it('200 returns the original outcome for a repeat, also after the user unlinks', async () => {
    const shop = await addShop(setup.harness)
    const { harness, app, user } = shop
    const fields = fieldsOf(shop)
    const original = await call(shop, endpoint, fields)
    await giveBonus(harness.context.ledger, user.walletId, 7n)
    await movesNothing(harness.admin, async () => {
      assertReplay(await call(shop, endpoint, fields), original)
      await unlink(harness.context.db, app.id, user.id)
      assertReplay(await call(shop, endpoint, fields), original)
    })
    assertReplay(await call(shop, endpoint, { ...fields, amount: 9 }), original, 'amount')
    assert.equal(await balanceOf(shop), 101_57n)
  })

  it('200 executes the same pair once for each of two apps', async () => {
    const [here, shop] = [await addShop(setup.harness), await addShop(setup.harness)]
    const { referenceId } = fieldsOf(here)
    for (const each of [here, shop]) {
      const response = await call(each, endpoint, { ...fieldsOf(each), referenceId })
      assert.equal(response.headers['idempotency-replayed'], undefined)
      assert.equal(response.json().balance, 101.5)
    }
  })

  it('200 executes a pair that the service itself uses for a bonus or a top-up', async () => {
    const shop = await addShop(setup.harness)
    const { harness, user } = shop
    const { rows } = await harness.admin.query<{ reference_id: string }>(
      `select reference_id from ledger.operations where wallet_id = $1 and kind = 'bonus'`,
      [user.walletId],
    )
    const referenceId = rows[0]?.reference_id ?? ''
    for (const referenceType of ['BONUS', 'TOPUP']) {
      const fields = { ...fieldsOf(shop), referenceType, referenceId }
      const response = await call(shop, endpoint, fields)
      assert.equal(response.statusCode, 200)
      assert.equal(response.headers['idempotency-replayed'], undefined)
    }
    const topup = { kind: 'topup', scope: 0, counterAccount: 1, amountMinor: 5n } as const
    const pair = { referenceType: 'TOPUP', referenceId, description: null }
    const { walletId } = user
    const outcome = await harness.context.ledger.post({ ...topup, ...pair, walletId })
    assert.equal(outcome.replayed, false)
    assert.equal(await balanceOf(shop), 103_05n)
  })

  it('200 returns texts of the maximum length, counted in characters, unchanged', async () => {
    const shop = await addShop(setup.harness)
    const referenceId = `${randomUUID()}${'é'.repeat(219)}`
    const text = { referenceType: '😀'.repeat(64), referenceId, description: '𝒳'.repeat(500) }
    const response = await call(shop, endpoint, { ...fieldsOf(shop), ...text })
    assert.equal(response.statusCode, 200)
    const { serviceUserId } = shop.user
    const wallet = await call(shop, readWallet, { serviceUserId, limit: 1 })
    const [entry] = wallet.json().transactions
    const { referenceType, description } = entry
    assert.deepEqual({ referenceType, referenceId: entry.referenceId, description }, text)
  })

  it('400 INVALID_REQUEST for a text that is missing, too long or not a string', () => {
    const never = [null, 5, true, [], ['a'], {}] as const
    return refusals.refusesFields(setup, endpoint, fieldsOf, [
      ...['serviceUserId', 'referenceType', 'referenceId'].flatMap((field) =>
        [...never, undefined, ''].map((value): [string, unknown] => [field, value]),
      ),
      ...never.map((value): [string, unknown] => ['description', value]),
      ['referenceType', '😀'.repeat(65)],
      ['referenceId', 'x'.repeat(256)],
      ['description', '𝒳'.repeat(501)],
      ['serviceUserId', 'x'.repeat(256)],
    ])
  })

  it('400 INVALID_REQUEST for control characters and lone surrogates', () => {
    const bad = ['\u0000', '\n', '\u001f', '\u007f', '\u0085', '\u009f', '\ud800', '\udfff']
    const texts = [...bad, ...bad.map((each) => `a${each}b`), '\ude00\ud83d', 'a\n']
    const fields = ['serviceUserId', 'referenceType', 'referenceId', 'description']
    return refusals.refusesFields(
      setup,
      endpoint,
      fieldsOf,
      fields.flatMap((field) => texts.map((text): [string, unknown] => [field, text])),
    )
  })

  it('400 INVALID_REQUEST for a lone surrogate in the raw text of the body', async () => {
    const raw = JSON.stringify({ ...fieldsOf(setup), referenceId: 'HERE' })
    const body = raw.replace('HERE', String.raw`\ud800`)
    const response = await callRaw(setup, endpoint, body, basicOf(setup.app))
    assertRefusal(response, endpoint, 'INVALID_REQUEST', 'referenceId')
  })

  it('400 INVALID_REQUEST for bytes that are not UTF-8', async () => {
    const raw = JSON.stringify({ ...fieldsOf(setup), referenceId: 'HERE' })
    const body = Buffer.from(raw.replace('HERE', '\u00ff'), 'latin1')
    const response = await callRaw(setup, endpoint, body, basicOf(setup.app))
    assertRefusal(response, endpoint, 'INVALID_REQUEST')
  })

  it('400 INVALID_AMOUNT for anything but a plain decimal above 0', () =>
    refusals.refusesFields(
      setup,
      endpoint,
      fieldsOf,
      [0, -1, 0.001, 1e21, 1_000_000_000, '0.00', '1e2', '', null, [1], {}, undefined].map(
        (amount) => ['amount', amount],
      ),
    ))

  it('400 BALANCE_LIMIT is recorded, and exactly the largest balance is allowed', async () => {
    const shop = await addShop(setup.harness)
    const { harness, user } = shop
    await giveBonus(harness.context.ledger, user.walletId, BALANCE_MAX_MINOR - 101_00n)
    const fields = fieldsOf(shop)
    const refused = await call(shop, endpoint, fields)
    assertRefusal(refused, endpoint, 'BALANCE_LIMIT')
    await call(shop, debit, { ...fieldsOf(shop), amount: 0.5 })
    assertReplay(await call(shop, endpoint, fields), refused)
    const last = await call(shop, endpoint, fieldsOf(shop))
    assert.equal(last.json().balance, 9_999_999_999_999.99)
    assert.equal(await balanceOf(shop), BALANCE_MAX_MINOR)
  })

  it('403 CREDIT_LIMIT_EXCEEDED is recorded, and a debit makes room again', async () => {
    const shop = await limitedTo(10_00n)
    const over = { ...fieldsOf(shop), amount: 10.01 }
    const refused = await call(shop, endpoint, over)
    assertRefusal(refused, endpoint, 'CREDIT_LIMIT_EXCEEDED')
    const last = await call(shop, endpoint, { ...fieldsOf(shop), amount: 10 })
    assert.equal(last.json().balance, 110)
    const more = await call(shop, endpoint, { ...fieldsOf(shop), amount: 0.01 })
    assertRefusal(more, endpoint, 'CREDIT_LIMIT_EXCEEDED')
    await call(shop, debit, { ...fieldsOf(shop), amount: 20 })
    assertReplay(await call(shop, endpoint, over), refused)
    const renewed = { ...over, referenceId: randomUUID() }
    assert.equal((await call(shop, endpoint, renewed)).json().balance, 100.01)
  })

  it('400 INSUFFICIENT_BALANCE when it repeats a debit with this refusal', async () => {
    const fields = { ...fieldsOf(setup), amount: 999_999 }
    const refused = await call(setup, debit, fields)
    const response = await call(setup, endpoint, fields)
    assertReplay(response, refused, 'direction')
    assertRefusal(response, endpoint, 'INSUFFICIENT_BALANCE')
  })

  it('403 WALLET_INACTIVE when it repeats a debit with this refusal', async () => {
    const shop = await addShop(setup.harness)
    await shop.harness.context.ledger.setWalletActive(shop.user.walletId, false)
    const fields = fieldsOf(shop)
    const refused = await call(shop, debit, fields)
    const response = await call(shop, endpoint, fields)
    assertReplay(response, refused, 'direction')
    assertRefusal(response, endpoint, 'WALLET_INACTIVE')
  })

  it('404 USER_NOT_FOUND for a user who is unknown or has unlinked', async () => {
    const shop = await addShop(setup.harness)
    const { harness, app, user } = shop
    await unlink(harness.context.db, app.id, user.id)
    await movesNothing(harness.admin, async () => {
      for (const serviceUserId of [user.serviceUserId, `su_${'f'.repeat(32)}`, 'nobody']) {
        const response = await call(shop, endpoint, { ...fieldsOf(shop), serviceUserId })
        assertRefusal(response, endpoint, 'USER_NOT_FOUND')
      }
    })
  })

  it('503 OUTCOME_UNKNOWN when the wallet is locked too long, and a retry returns the outcome', () =>
    refusals.outcomeUnknown(setup, endpoint, fieldsOf))
})
