import { listOperations as endpoint, lookUpOperation } from '@coffer/contract/admin/operations'
import { readPerson } from '@coffer/contract/admin/people'
import { credit, debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { z } from 'zod'
import { PROCESSOR_ACCOUNT } from '../../ledger/types.ts'
import { askAs, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { makeClientApp, makeLinkedUser } from '../../test/factories.ts'
import { bonusOf, OLD, openArchiveSetup, RECENT } from '../../test/ledger/archive-setup.ts'
import { expireHoldsNow, placeHold } from '../../test/ledger/hold-setup.ts'
import * as refusals from '../../test/refusals.ts'
import { assertRefusal, call, movesNothing, type Setup } from '../../test/setup.ts'

type Page = z.output<typeof endpoint.response>
type Row = Page['operations'][number]

describe('GET /api/admin/operations/recent', () => {
  let setup: AdminSetup
  let shop: Setup
  before(async () => {
    setup = await openAdminSetup()
    const { harness, app } = setup
    shop = { harness, app, user: await makeLinkedUser(harness.context, app, 50_00n) }
  })
  after(() => setup.harness.end())

  const read = async (fields: Record<string, string | undefined> = {}): Promise<Page> => {
    const response = await askAs(setup, setup.viewer, endpoint, fields)
    assert.equal(response.statusCode, 200, response.body)
    return response.json<Page>()
  }
  /** The last page, with the operations of all pages. A busy machine may need several. */
  async function readToEnd(fields: Record<string, string> = {}): Promise<Page> {
    const operations: Row[] = []
    let cursor: string | null = null
    for (;;) {
      const page: Page = await read({ ...fields, ...(cursor && { cursor }) })
      assert(page.operations.length <= 50)
      assert.equal(page.nextCursor === null, page.searchedFrom === null)
      operations.push(...page.operations)
      cursor = page.nextCursor
      if (cursor === null) return { ...page, operations }
    }
  }
  const readAll = async (fields: Record<string, string> = {}) =>
    (await readToEnd(fields)).operations
  async function post(where: Setup, which: typeof debit | typeof credit, amount: number) {
    const referenceId = randomUUID()
    const { serviceUserId } = where.user
    const fields = { serviceUserId, amount, referenceType: 'ORDER', referenceId }
    const response = await call(where, which, fields)
    assert.equal(response.statusCode, 200, response.body)
    return referenceId
  }
  const toReferences = (rows: readonly Row[]) => rows.map(({ referenceId }) => referenceId)

  it('200 lists operations of all kinds, newest first, with app, person and the reference to look up', async () => {
    const first = await post(shop, debit, 12)
    const second = await post(shop, credit, 3)
    const { ledger } = setup.harness.context
    const seizure = {
      kind: 'seizure',
      walletId: shop.user.walletId,
      amountMinor: 60_00n,
      counterAccount: PROCESSOR_ACCOUNT,
      referenceType: 'DISPUTE',
      referenceId: 'dp_1',
      description: null,
    } as const
    await ledger.post(seizure)
    let page: Page | undefined
    await movesNothing(setup.harness.admin, async () => {
      page = await readToEnd()
    })
    const { clientId } = shop.app
    const person = { id: String(shop.user.id), name: 'Ada Example' }
    const clientApp = { clientId, name: 'Corner shop' }
    const { operations = [], ...others } = page ?? {}
    assert.deepEqual(others, {
      currency: 'USD',
      nextCursor: null,
      searchedFrom: null,
      archivedBefore: null,
    })
    const order = { referenceType: 'ORDER', clientApp, person, debtChange: 0 }
    assert.deepEqual(
      operations.slice(0, 3).map((each) => {
        const { id: _id, createdAt: _createdAt, ...rest } = each
        return rest
      }),
      [
        {
          kind: 'seizure',
          type: 'debit',
          amount: 41,
          debtChange: 19,
          clientApp: null,
          person,
          referenceType: 'DISPUTE',
          referenceId: 'dp_1',
        },
        { ...order, kind: 'credit', type: 'credit', amount: 3, referenceId: second },
        { ...order, kind: 'debit', type: 'debit', amount: 12, referenceId: first },
      ],
    )
    for (const { id, clientApp: app, referenceType, referenceId } of operations) {
      const pair = { clientId: app?.clientId, referenceType, referenceId }
      const byPair = await askAs(setup, setup.viewer, lookUpOperation, pair)
      const byId = await askAs(setup, setup.viewer, lookUpOperation, { transactionId: id })
      assert.equal(byPair.json().decision.status, 'posted')
      assert.deepEqual(byId.json(), byPair.json())
    }
  })

  it('200 filters by client app, direction, kind and amount', async () => {
    const { harness } = setup
    const app = await makeClientApp(harness.context, { name: 'Tea house' })
    const user = await makeLinkedUser(harness.context, app, 900_00n)
    const tea: Setup = { harness, app, user }
    const small = await post(tea, debit, 1.99)
    const large = await post(tea, debit, 2)
    const back = await post(tea, credit, 2)
    const { clientId } = app
    const find = async (fields: Record<string, string>) => toReferences(await readAll(fields))
    assert.deepEqual(await find({ clientId }), [back, large, small])
    assert.deepEqual(await find({ clientId, type: 'debit' }), [large, small])
    assert.deepEqual(await find({ clientId, kind: 'credit' }), [back])
    assert.deepEqual(await find({ clientId, kind: 'credit', type: 'debit' }), [])
    assert.deepEqual(await find({ clientId, minAmount: '2' }), [back, large])
    assert.deepEqual(await find({ clientId, minAmount: '2.01' }), [])
    assert.deepEqual(await find({ clientId, kind: 'topup' }), [])
    assert.deepEqual(await find({ referenceId: large }), [large])
    assert.deepEqual(await find({ clientId: shop.app.clientId, referenceId: large }), [])
    assert.deepEqual(await find({ referenceId: large.slice(0, 8) }), [])
    const bonuses = await readAll({ kind: 'bonus', minAmount: '900' })
    assert.deepEqual(
      bonuses.map(({ amount, clientApp, person }) => [amount, clientApp, person.id]),
      [[900, null, String(user.id)]],
    )
    // A debt counts as money that moved, although the balance did not change by it.
    assert.deepEqual(await find({ minAmount: '60', type: 'debit' }), ['dp_1'])
  })

  it('200 finds the expiry of a hold by its kind', async () => {
    const { harness } = setup
    const app = await makeClientApp(harness.context)
    const other = { harness, app, user: await makeLinkedUser(harness.context, app, 50_00n) }
    await placeHold(other, 7)
    await expireHoldsNow(other)
    // The next operation of the wallet books the expiry.
    await post(other, debit, 1)
    const rows = await readAll({ kind: 'expiry' })
    assert.deepEqual(
      rows.map(({ kind, amount, person }) => [kind, amount, person.id]),
      [['expiry', 7, String(other.user.id)]],
    )
  })

  it('200 pages through many operations of the same moment, and through the months, without a gap', async () => {
    const { admin } = setup.harness
    const at = new Date(Date.now() - 3_600_000)
    await admin.query(
      `insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at, counter_account, kind,
         reference_type, reference_id, hash)
       select $1, 1000 + n, 1, 1, $2::timestamptz - (n / 60) * interval '1 millisecond', 2, 'bonus', 'MANY', n::text,
         sha256('x') from generate_series(1, 119) n`,
      [shop.user.walletId, at],
    )
    await admin.query(
      `insert into books.hours values (date_trunc('hour', $1::timestamptz, 'UTC'), 2, 'bonus', 119, 119, 0)
         on conflict (hour, account, kind) do update set count = hours.count + 119;
       insert into books.days values (($1::timestamptz at time zone 'UTC')::date, 2, 'bonus', 119, 119, 0)
         on conflict (day, account, kind) do update set count = days.count + 119`.replaceAll(
        '$1',
        `'${at.toISOString()}'`,
      ),
    )
    const rows = await readAll()
    const many = rows.filter(({ referenceType }) => referenceType === 'MANY')
    const numbers = Array.from({ length: 119 }, (_, index) => index + 1)
    const expected = numbers.toSorted((a, b) => {
      return Math.floor(a / 60) - Math.floor(b / 60) || b - a
    })
    assert.deepEqual(toReferences(many), expected.map(String))
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
    const minute = (ms: number) => new Date(ms).toISOString().slice(0, 16)
    const then = { from: minute(at.getTime() - 1_000), to: minute(at.getTime()) }
    assert.equal((await readAll(then)).length, 119)
    const later = minute(at.getTime() + 60_000)
    assert.equal((await readAll({ from: later })).length, rows.length - 119)
    assert.deepEqual(await readAll({ to: minute(at.getTime() - 120_000) }), [])
  })

  it('200 lists past months, and says which ones are archived', async () => {
    const archive = await openArchiveSetup(setup.harness)
    try {
      const { id, walletId } = await makeLinkedUser(setup.harness.context, shop.app)
      const large = (months: number) =>
        archive.post(months, [{ ...bonusOf(walletId, 777_00n), referenceId: `${months} ago` }])
      await large(4)
      await large(3)
      await large(2)
      const filter = { minAmount: '777', kind: 'bonus' }
      const found = ['2 ago', '3 ago', '4 ago']
      assert.deepEqual(
        toReferences(await readAll(filter)).filter((each) => each.endsWith('ago')),
        found,
      )
      await archive.archive(RECENT)
      const page = await readToEnd(filter)
      assert.deepEqual(
        toReferences(page.operations).filter((each) => each.endsWith('ago')),
        ['2 ago'],
      )
      assert.equal(page.archivedBefore, `${RECENT}-01T00:00:00.000Z`)
      const newer = await readToEnd({ ...filter, from: `${RECENT}-01T00:00` })
      assert.equal(newer.archivedBefore, null)
      const older = await readToEnd({ ...filter, to: `${OLD}-28T00:00` })
      assert.deepEqual([older.operations, older.nextCursor], [[], null])
      assert.equal(older.archivedBefore, page.archivedBefore)
      const person = (await askAs(setup, setup.viewer, readPerson, { id: String(id) })).json()
      assert.deepEqual([person.entries, person.archivedBefore], [3, `${RECENT}-01`])
    } finally {
      await archive.end()
    }
  })

  it('404 NOT_FOUND for an unknown app', async () => {
    const unknown = { clientId: `app_${'0'.repeat(24)}` }
    assertRefusal(await askAs(setup, setup.viewer, endpoint, unknown), endpoint, 'NOT_FOUND')
  })

  it('400 INVALID_REQUEST for invalid fields', () =>
    refusals.refusesValues(setup, endpoint, () => ({}), {
      clientId: ['x', ''],
      type: ['topup'],
      kind: ['nothing'],
      referenceId: ['', 'x'.repeat(256)],
      minAmount: ['x', '-1', '1.001', '1e3', ''],
      from: ['2026-02-30T00:00', '2026-02-28', '2026-02-28T00:00Z', '0000-01-01T00:00'],
      to: ['2026-02-28T24:00', '2026-02-28T00:00:00'],
      cursor: ['x', '1.txn_1', '-1', '123456789012345', `1.${'0'.repeat(36)}`],
    }))
})
