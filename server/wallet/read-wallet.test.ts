import type { Transaction } from '@coffer/contract/shapes'
import { credit, debit, readWallet as endpoint } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { one } from '../database/statement.ts'
import { link, unlink } from '../identity/link.ts'
import { CORRECTION_ACCOUNT } from '../ledger/types.ts'
import { giveBonus, makeClientApp, makeLinkedUser } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, call, openSetup, type Fields, type Setup } from '../test/setup.ts'
import { READ_TRANSACTION_ID_KEY } from './queries.ts'
import { createTransactionIds } from './transaction-id.ts'

interface Page {
  balance: number
  currency: string
  isActive: boolean
  transactions: Transaction[]
  nextCursor: string | null
}

/** Expects exactly these keys and values, ids and times in the format of the contract, and the current time. */
function assertEntries(actual: Transaction[], expected: Omit<Transaction, 'id' | 'createdAt'>[]) {
  const times = actual.map(({ id, createdAt }) => ({ id, createdAt }))
  for (const { id, createdAt } of times) {
    assert.match(id, /^txn_[0-9a-f]{32}$/)
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert(Math.abs(Date.parse(createdAt) - Date.now()) < 10_000)
  }
  assert.deepEqual(
    actual,
    expected.map((entry, index) => ({ ...times[index], ...entry })),
  )
}

describe('GET /api/server/wallet', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  const fieldsOf = ({ user }: Setup) => ({ serviceUserId: user.serviceUserId })

  /** A user of the setup's app with `length` credits of 0.01, 0.02, … */
  async function withHistory(length: number): Promise<Setup> {
    const user = await makeLinkedUser(setup.harness.context, setup.app)
    const shop = { ...setup, user }
    for (let amount = 1; amount <= length; amount++) {
      await post(shop, 'credit', {
        amount: `${amount / 100}`,
        referenceId: `${user.id}-${amount}`,
      })
    }
    return shop
  }

  async function post(shop: Setup, type: 'debit' | 'credit', fields: Fields) {
    const all = { ...fieldsOf(shop), referenceType: 'ORDER', ...fields }
    const response = await call(shop, type === 'debit' ? debit : credit, all)
    assert.equal(response.statusCode, 200)
  }

  async function read(shop: Setup, fields: Fields = {}): Promise<Page> {
    const response = await call(shop, endpoint, { ...fieldsOf(shop), ...fields })
    assert.equal(response.statusCode, 200)
    return response.json<Page>()
  }

  it('200 returns a new wallet as active and empty', async () => {
    assert.deepEqual(await read(await withHistory(0)), {
      balance: 0,
      currency: 'USD',
      isActive: true,
      transactions: [],
      nextCursor: null,
    })
  })

  it('200 returns the entries of this app in full', async () => {
    const shop = await withHistory(0)
    await post(shop, 'credit', { amount: 19.99, referenceId: 'full-1' })
    await post(shop, 'debit', { amount: 0.07, referenceId: 'full-2', description: 'Two stamps' })
    const { balance, transactions } = await read(shop)
    assert.equal(balance, 19.92)
    const own = { currency: 'USD', referenceType: 'ORDER', source: 'this_app' } as const
    const first = { type: 'credit', amount: 19.99, balanceAfter: 19.99 } as const
    const second = { type: 'debit', amount: 0.07, balanceAfter: 19.92 } as const
    assertEntries(transactions, [
      { ...own, ...second, referenceId: 'full-2', description: 'Two stamps' },
      { ...own, ...first, referenceId: 'full-1', description: null },
    ])
  })

  it('200 returns the entries of other apps with amount, direction, time and balance only', async () => {
    const { db, ledger } = setup.harness.context
    const shop = await withHistory(0)
    const { user } = shop
    const app = await makeClientApp(setup.harness.context)
    const serviceUserId = await link(db, app.id, user.id)
    const secret = { amount: 2, referenceType: 'SECRET', description: 'secret' }
    await giveBonus(ledger, user.walletId, 5_00n)
    const theirs = { ...shop, app, user: { ...user, serviceUserId } }
    await post(theirs, 'debit', { ...secret, referenceId: 'secret-1' })
    await post(theirs, 'credit', { ...secret, referenceId: 'secret-2' })
    for (const kind of ['correction_in', 'correction_out'] as const) {
      await ledger.post({
        kind,
        referenceType: 'CORRECTION',
        referenceId: `${kind}-${user.id}`,
        walletId: user.walletId,
        amountMinor: 1_00n,
        counterAccount: CORRECTION_ACCOUNT,
        description: 'secret',
      })
    }
    const { balance, transactions } = await read(shop)
    assert.equal(balance, 5)
    const neutral = { referenceType: null, referenceId: null, description: null, currency: 'USD' }
    assertEntries(transactions, [
      { ...neutral, type: 'debit', amount: 1, balanceAfter: 5, source: 'correction' },
      { ...neutral, type: 'credit', amount: 1, balanceAfter: 6, source: 'correction' },
      { ...neutral, type: 'credit', amount: 2, balanceAfter: 5, source: 'other_app' },
      { ...neutral, type: 'debit', amount: 2, balanceAfter: 3, source: 'other_app' },
      { ...neutral, type: 'credit', amount: 5, balanceAfter: 5, source: 'bonus' },
    ])
  })

  it('200 never returns an entry of an app as a top-up or bonus, whatever its reference', async () => {
    const shop = await withHistory(0)
    const { id } = shop.user
    await post(shop, 'credit', { amount: 1, referenceType: 'TOPUP', referenceId: `pi_${id}` })
    await post(shop, 'credit', { amount: 1, referenceType: 'BONUS', referenceId: `b_${id}` })
    const { transactions } = await read(shop)
    assert.deepEqual(
      transactions.map(({ source }) => source),
      ['this_app', 'this_app'],
    )
  })

  it('200 returns entry ids that are encrypted with the key in the database', async () => {
    const shop = await withHistory(1)
    const { walletId } = shop.user
    const [entry] = (await read(shop)).transactions
    const key = await one(setup.harness.context.db, READ_TRANSACTION_ID_KEY)
    assert.match(String(key), /.{32}/)
    const open = (by: string) =>
      createTransactionIds(by).decode(setup.app.ledgerAccount, entry?.id ?? '')?.walletId
    assert.equal(open(String(key)), walletId)
    assert.notEqual(open(''), walletId)
  })

  it('200 returns every entry once, newest first, when following the cursors', async () => {
    const shop = await withHistory(7)
    const whole = (await read(shop)).transactions
    assert.deepEqual(
      whole.map(({ amount }) => amount),
      [0.07, 0.06, 0.05, 0.04, 0.03, 0.02, 0.01],
    )
    for (const limit of [1, 2, 3, 6, 7, 100]) {
      const pages = [await read(shop, { limit })]
      while (pages.length < Math.ceil(7 / limit)) {
        pages.push(await read(shop, { limit, cursor: pages.at(-1)?.nextCursor }))
      }
      assert.equal(pages.at(-1)?.nextCursor, null)
      assert(pages.slice(0, -1).every(({ transactions }) => transactions.length === limit))
      assert.deepEqual(
        pages.flatMap(({ transactions }) => transactions),
        whole,
      )
    }
  })

  it('200 keeps the position of a cursor while new entries are posted', async () => {
    const shop = await withHistory(3)
    const { nextCursor } = await read(shop, { limit: 2 })
    await post(shop, 'credit', { amount: 9, referenceId: `${shop.user.id}-late` })
    const { transactions, balance } = await read(shop, { limit: 2, cursor: nextCursor })
    assert.deepEqual(
      transactions.map(({ amount }) => amount),
      [0.01],
    )
    assert.equal(balance, 9.06)
  })

  it('200 returns 50 entries by default', async () => {
    const shop = await withHistory(51)
    const { transactions, nextCursor } = await read(shop)
    assert.equal(transactions.length, 50)
    assert.notEqual(nextCursor, null)
    assert.equal((await read(shop, { limit: 51 })).nextCursor, null)
  })

  it('400 INVALID_REQUEST for a limit that is not 1 to 100', () =>
    refusals.refusesFields(
      setup,
      endpoint,
      fieldsOf,
      ['', '0', '101', '1000', '-1', '1.5', '1e1', '01', ' 1', 'abc', ['1', '1']].map((limit) => [
        'limit',
        limit,
      ]),
    ))

  it('400 INVALID_REQUEST for a cursor of another wallet, an invalid cursor, or two cursors', async () => {
    const { nextCursor } = await read(await withHistory(2), { limit: 1 })
    const cursors = [nextCursor, `txn_${'0'.repeat(32)}`, 'txn_', 'x', '', 'x'.repeat(65)]
    await refusals.refusesFields(
      setup,
      endpoint,
      fieldsOf,
      [...cursors, ['a', 'a']].map((cursor) => ['cursor', cursor]),
    )
  })

  it('401 USER_NOT_FOUND for a user who is unknown or has unlinked', async () => {
    const { harness, app } = setup
    const { user: leaver } = await withHistory(1)
    await unlink(harness.context.db, app.id, leaver.id)
    const unknown = { serviceUserId: `su_${'0'.repeat(32)}` }
    for (const { serviceUserId } of [leaver, unknown]) {
      const response = await call(setup, endpoint, { serviceUserId })
      assertRefusal(response, endpoint, 'USER_NOT_FOUND')
    }
  })
})
