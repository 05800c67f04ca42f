import { readHistory as endpoint } from '@coffer/contract/account/account'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { searchHistory } from '../ledger/read/history-queries.ts'
import { captureHold, placeHold } from '../test/ledger/hold-setup.ts'
import { pairOf, refund as refundDebit } from '../test/ledger/refund-setup.ts'
import { openHistorySetup, payOften, read, WRONG_FILTERS } from '../test/history-setup.ts'
import { giveBonus } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { makePerson, type PersonSetup } from '../test/account-setup.ts'
import { link } from '../identity/link.ts'
import { type Fields } from '../test/setup.ts'

describe('GET /api/account/history', () => {
  let setup: PersonSetup
  before(async () => {
    setup = await openHistorySetup()
  })
  after(() => setup.harness.end())

  const fieldsOf = () => ({})
  const referencesOf = async (fields: Fields) =>
    (await read(setup, fields)).transactions.map(({ referenceId }) => referenceId)

  it('200 returns every entry in full, with the names of the apps', async () => {
    const { transactions, nextCursor } = await read(setup)
    assert.equal(nextCursor, null)
    assert.equal(transactions.length, 6)
    const { id, createdAt, ...rest } = transactions[3] ?? assert.fail()
    assert.match(id, /^txn_[0-9a-f]{32}$/)
    assert.match(createdAt, /Z$/)
    assert.deepEqual(rest, {
      type: 'debit',
      amount: 5.5,
      balanceAfter: 64.5,
      currency: 'USD',
      referenceType: 'ORDER',
      referenceId: 'order-1',
      description: '=HYPERLINK("x")',
      source: 'other_app',
      app: 'Corner shop',
    })
    const seen = transactions.map(({ source, app }) => [source, app])
    assert.deepEqual(seen, [
      ['dispute', null],
      ['topup', null],
      ['other_app', 'Blumen Müller'],
      ['other_app', 'Corner shop'],
      ['other_app', 'Corner shop'],
      ['bonus', null],
    ])
  })

  it('200 finds words in reference, description and app, case-insensitively and literally', async () => {
    assert.deepEqual(await referencesOf({ search: 'ORDER-' }), ['order-2', 'order-1'])
    assert.deepEqual(await referencesOf({ search: 'tEAs' }), ['refund-100%_a'])
    assert.deepEqual(await referencesOf({ search: ' blumen ' }), ['order-2'])
    assert.deepEqual(await referencesOf({ search: '%' }), ['refund-100%_a'])
    assert.deepEqual(await referencesOf({ search: '_a' }), ['refund-100%_a'])
    assert.deepEqual(await referencesOf({ search: '@sum' }), ['order-2'])
    assert.deepEqual(await referencesOf({ search: '\\' }), [])
    assert.deepEqual(await referencesOf({ search: "' or 1=1 --" }), [])
    assert.equal((await referencesOf({ search: '' })).length, 6)
  })

  it('200 shows how much of a captured reservation is refunded, and finds it with its refunds', async () => {
    const { harness, app } = setup
    const person = await makePerson(harness, 50_00n)
    const serviceUserId = await link(harness.context.db, app.id, person.id)
    const own = { ...setup, user: { ...person, serviceUserId } }
    const placed = await placeHold(own, 10)
    const paid = pairOf('CAPTURE')
    assert.equal((await captureHold(own, placed, { ...paid, amount: 6 })).statusCode, 200)
    assert.equal((await refundDebit(own, paid, { amount: 2 })).statusCode, 200)
    const { transactions } = await read(setup, {}, person)
    const shown = transactions.map(({ referenceType, refunded }) => [referenceType, refunded])
    assert.deepEqual(shown.slice(0, 3), [
      ['REFUND', undefined],
      ['CAPTURE', 2],
      ['HOLD', undefined],
    ])
    const { transactions: found } = await read(setup, { search: transactions[1]?.id }, person)
    assert.deepEqual(
      found.map(({ referenceType }) => referenceType),
      ['REFUND', 'CAPTURE'],
    )
  })

  it('200 filters by type, source and day, and by all of them combined', async () => {
    assert.deepEqual(await referencesOf({ type: 'debit', source: 'app' }), ['order-2', 'order-1'])
    assert.deepEqual(await referencesOf({ source: 'topup' }), ['pi_topup'])
    assert.deepEqual(await referencesOf({ source: 'dispute' }), ['pi_seizure'])
    assert.deepEqual(await referencesOf({ type: 'debit', source: 'bonus' }), [])
    assert.equal((await referencesOf({ type: 'credit' })).length, 3)

    const old = await makePerson(setup.harness, 1_00n)
    await setup.harness.admin.query(
      'update ledger.operations set created_at = $2 where wallet_id = $1',
      [old.walletId, '2025-03-31T23:59:59.999Z'],
    )
    const days = async (fields: Fields) => (await read(setup, fields, old)).transactions.length
    assert.equal(await days({ from: '2025-03-31', to: '2025-03-31' }), 1)
    assert.equal(await days({ from: '2025-04-01' }), 0)
    assert.equal(await days({ to: '2025-03-30' }), 0)
    assert.equal(await days({ from: '0001-01-01', to: '9999-12-31' }), 1)
    assert.equal(await days({ from: '9999-12-31', to: '0001-01-01' }), 0)
  })

  it('200 shows an entry at midnight on the day that begins, and on no other', async () => {
    const old = await makePerson(setup.harness, 1_00n)
    await setup.harness.admin.query(
      'update ledger.operations set created_at = $2 where wallet_id = $1',
      [old.walletId, '2025-04-01T00:00:00.000Z'],
    )
    const days = async (fields: Fields) => (await read(setup, fields, old)).transactions.length
    assert.equal(await days({ from: '2025-03-31', to: '2025-03-31' }), 0)
    assert.equal(await days({ from: '2025-04-01', to: '2025-04-01' }), 1)
    assert.equal(await days({ from: '2025-04-02', to: '2025-04-02' }), 0)
  })

  it('200 filters by days of the time zone, which can have 23 hours', async () => {
    const traveller = await makePerson(setup.harness, 1_00n)
    const timeZone = 'America/Los_Angeles'
    const find = async (createdAt: string, fields: Fields) => {
      await setup.harness.admin.query(
        'update ledger.operations set created_at = $2 where wallet_id = $1',
        [traveller.walletId, createdAt],
      )
      return (await read(setup, { ...fields, timeZone }, traveller)).transactions.length
    }
    for (const [createdAt, found] of [
      ['2025-10-29T06:59:59.999Z', 0],
      ['2025-10-29T07:00:00.000Z', 1],
      ['2025-10-30T06:59:59.999Z', 1],
      ['2025-10-30T07:00:00.000Z', 0],
      // Clocks are set forward on this day.
      ['2025-03-10T06:59:59.999Z', 1],
      ['2025-03-10T07:00:00.000Z', 0],
    ] as const) {
      const day = createdAt < '2025-10' ? '2025-03-09' : '2025-10-29'
      assert.equal(await find(createdAt, { from: day, to: day }), found, createdAt)
    }
    assert.equal(await find('2025-10-29T07:00:00.000Z', {}), 1)
    const ever = { from: '0001-01-01', to: '9999-12-31' }
    assert.equal(await find('2025-10-29T07:00:00.000Z', ever), 1)
  })

  it('200 pages through every entry once and in order while new entries arrive', async () => {
    const busy = await makePerson(setup.harness, 1_000_00n)
    await payOften(setup, busy, 120)
    const seen: string[] = []
    const sizes: number[] = []
    let cursor: string | null | undefined
    do {
      const fields = { search: 'N-', cursor }
      const page: Awaited<ReturnType<typeof read>> = await read(setup, fields, busy)
      seen.push(...page.transactions.map(({ referenceId }) => referenceId))
      sizes.push(page.transactions.length)
      cursor = page.nextCursor
      await giveBonus(setup.harness.context.ledger, busy.walletId, 1n)
    } while (cursor !== null)
    assert.deepEqual(sizes, [50, 50, 20])
    const expected = Array.from({ length: 120 }, (_, n) => `n-${119 - n}-${busy.id}`)
    assert.deepEqual(seen, expected)
  })

  it('200 uses the index of the wallet, so other wallets do not slow it down', async () => {
    const { context } = setup.harness
    const { text, values } = searchHistory({
      walletId: 5n,
      upToSeq: 20_000n,
      downToSeq: 1n,
      limit: 51,
      kinds: ['debit'],
      pattern: '%a%',
      accounts: [1000],
    })
    const explain = { text: `explain ${text}`, values: values ?? [] }
    const { rows } = await context.db.query<{ 'QUERY PLAN': string }>(explain)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(plan, /Index Cond: \(\(wallet_id = .*seq >=/)
    assert.doesNotMatch(plan, /Seq Scan|-> +Sort/)
  })

  it('200 returns no entries of another person', async () => {
    const stranger = await makePerson(setup.harness)
    assert.deepEqual(await read(setup, {}, stranger), {
      transactions: [],
      nextCursor: null,
      archivedBefore: null,
    })
    assert.deepEqual((await read(setup, { search: 'order' }, stranger)).transactions, [])
  })

  it('400 INVALID_REQUEST for invalid filters and for cursors of other people', async () => {
    const { transactionIds } = setup.harness.context
    const stranger = await makePerson(setup.harness, 1n)
    await refusals.refusesFields(setup, endpoint, fieldsOf, [
      ...WRONG_FILTERS,
      ['cursor', transactionIds.encode(-1, stranger.walletId, 1n)],
      ['cursor', transactionIds.encode(setup.app.ledgerAccount, setup.person.walletId, 1n)],
      ['timeZone', ''],
      ['timeZone', 'Mars/Olympus'],
      ['cursor', 'nonsense'],
      ['cursor', ''],
    ])
  })
})
