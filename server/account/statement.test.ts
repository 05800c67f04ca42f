import { readOwnStatement as endpoint } from '@coffer/contract/account/statement'
import { readHistory } from '@coffer/contract/account/account'
import { STATEMENT_ENTRIES_MAX } from '@coffer/contract/limits'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ask, makePerson, openPersonSetup, type PersonSetup } from '../test/account-setup.ts'
import { giveBonus } from '../test/factories.ts'
import { payOften } from '../test/history-setup.ts'
import {
  bonusOf,
  monthAgo,
  openArchiveSetup,
  type ArchiveSetup,
} from '../test/ledger/archive-setup.ts'
import { assertRefusal, type Fields } from '../test/setup.ts'
import { requestOf, ROWS } from '../test/tables/kind-rows.ts'

interface Shown {
  from: string
  before: string
  opening: number
  totalIn: number
  totalOut: number
  closing: number
  transactions: { type: string; amount: number; balanceAfter: number; createdAt: string }[]
}

const THIS_MONTH = monthAgo(0)
const toCents = (amount: number) => Math.round(amount * 100)

describe('GET /api/account/statement', () => {
  let setup: PersonSetup
  let archive: ArchiveSetup
  before(async () => {
    setup = await openPersonSetup({ VERIFY_PERCENT: '0' })
    archive = await openArchiveSetup(setup.harness)
  })
  after(async () => {
    await archive.end()
    await setup.harness.end()
  })

  const newPerson = async (balance = 0n) => ({
    harness: setup.harness,
    person: await makePerson(setup.harness, balance),
  })
  type There = Awaited<ReturnType<typeof newPerson>>

  /** The statement, in which the numbers fit together. */
  async function read(shop: There, fields: Fields = {}): Promise<Shown> {
    const input = { month: THIS_MONTH, timeZone: 'UTC', ...fields }
    const response = await ask(shop, endpoint, input)
    assert.equal(response.statusCode, 200, response.body)
    const shown = response.json<Shown>()
    const { opening, totalIn, totalOut, closing, transactions } = shown
    assert.equal(toCents(opening) + toCents(totalIn) - toCents(totalOut), toCents(closing))
    let balance = toCents(opening)
    for (const { type, amount, balanceAfter, createdAt } of transactions) {
      balance += toCents(type === 'credit' ? amount : -amount)
      assert.equal(toCents(balanceAfter), balance)
      assert(createdAt >= shown.from && createdAt < shown.before)
    }
    assert.equal(balance, toCents(closing))
    return shown
  }

  async function moveEntry({ person }: There, seq: number, at: string) {
    await setup.harness.admin.query(
      'update ledger.operations set created_at = $3 where wallet_id = $1 and seq = $2',
      [person.walletId, seq, at],
    )
  }

  it('400 INVALID_REQUEST for an archived month; the next one begins with its balance', async () => {
    const shop = await newPerson()
    const { walletId } = shop.person
    await archive.post(4, [bonusOf(walletId, 7_00n)])
    await archive.archive(monthAgo(2))
    const input = { month: monthAgo(3), timeZone: 'UTC' }
    const response = await ask(shop, endpoint, input)
    assertRefusal(response, endpoint, 'INVALID_REQUEST', 'month')
    for (const month of [monthAgo(2), monthAgo(1)]) {
      const { opening, closing } = await read(shop, { month })
      assert.deepEqual([opening, closing], [7, 7])
    }
  })

  it('200 adds up every kind of entry, oldest first, as the history shows it', async () => {
    const shop = await newPerson()
    for (const row of ROWS) {
      const request = requestOf(row, setup.app.ledgerAccount, shop.person.walletId)
      await setup.harness.context.ledger.post(request)
    }
    const { opening, transactions } = await read(shop)
    assert.equal(opening, 0)
    const history = await ask(shop, readHistory)
    const { transactions: all } = history.json<{ transactions: Fields[] }>()
    const withoutRefunds = all.map(({ refundOf: _of, refunded: _by, ...entry }) => entry)
    assert.deepEqual(transactions, withoutRefunds.toReversed())
  })

  it('200 has the bounds of the time zone, to the millisecond', async () => {
    const shop = await newPerson()
    for (const amount of [1_00n, 2_00n, 4_00n, 8_00n]) {
      await giveBonus(setup.harness.context.ledger, shop.person.walletId, amount)
    }
    // Berlin has summer time in October until the last Sunday, and New York until November.
    await moveEntry(shop, 1, '2025-09-30T21:59:59.999Z')
    await moveEntry(shop, 2, '2025-09-30T22:00:00.000Z')
    await moveEntry(shop, 3, '2025-10-31T22:59:59.999Z')
    await moveEntry(shop, 4, '2025-10-31T23:00:00.000Z')
    const inZone = async (timeZone: string) => {
      const shown = await read(shop, { month: '2025-10', timeZone })
      return [shown.from, shown.before, shown.opening, shown.closing]
    }
    assert.deepEqual(await inZone('Europe/Berlin'), [
      '2025-09-30T22:00:00.000Z',
      '2025-10-31T23:00:00.000Z',
      1,
      7,
    ])
    assert.deepEqual((await inZone('UTC')).slice(2), [3, 15])
    assert.deepEqual((await inZone('America/New_York')).slice(2), [3, 15])
    assert.deepEqual((await inZone('Pacific/Kiritimati')).slice(2), [0, 3])
  })

  it('400 INVALID_REQUEST for an invalid month or time zone', async () => {
    const shop = await newPerson()
    const input = { month: '2026-01', timeZone: 'UTC' }
    for (const month of ['', '2026', '2026-00', '2026-13', '2026-1', '1999-12', '2026-01-01']) {
      assertRefusal(
        await ask(shop, endpoint, { ...input, month }),
        endpoint,
        'INVALID_REQUEST',
        'month',
      )
    }
    for (const timeZone of ['', 'Mars/Olympus', 'UTC\u0000', '+01:00']) {
      const response = await ask(shop, endpoint, { ...input, timeZone })
      assertRefusal(response, endpoint, 'INVALID_REQUEST', 'timeZone')
    }
  })

  it('400 INVALID_REQUEST for a month with too many entries', async () => {
    const shop = await newPerson(100_00n)
    await payOften(setup, shop.person, STATEMENT_ENTRIES_MAX - 1)
    assert.equal((await read(shop)).transactions.length, STATEMENT_ENTRIES_MAX)
    await giveBonus(setup.harness.context.ledger, shop.person.walletId, 1n)
    const response = await ask(shop, endpoint, { month: THIS_MONTH, timeZone: 'UTC' })
    assertRefusal(response, endpoint, 'INVALID_REQUEST', 'month')
  })
})
