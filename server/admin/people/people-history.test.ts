import * as endpoints from '@coffer/contract/admin/people'
import { credit, debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { exportHistory, readHistory } from '@coffer/contract/account/account'
import { link } from '../../identity/link.ts'
import * as refusals from '../../test/refusals.ts'
import { askAs, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { makeClientApp, makeUser, type TestApp } from '../../test/factories.ts'
import { payOften, WRONG_FILTERS } from '../../test/history-setup.ts'
import { ask, makePerson, type TestPerson } from '../../test/account-setup.ts'
import { assertRefusal, call, type Fields } from '../../test/setup.ts'

interface Entry {
  id: string
  referenceId: string
  kind: string
  app: string | null
  debtChange: number
}

let setup: AdminSetup
let other: TestApp
let person: TestPerson

/** A bonus, a refund and an order in one shop, an order in another, a seizure that leaves a debt, a top-up that pays it. */
before(async () => {
  setup = await openAdminSetup()
  const { harness, app } = setup
  const { context } = harness
  other = await makeClientApp(context, { name: 'Blumen Müller' })
  person = await makePerson(harness, 50_00n)
  async function move(by: TestApp, endpoint: typeof credit | typeof debit, fields: Fields) {
    const serviceUserId = await link(context.db, by.id, person.id)
    const user = { ...person, serviceUserId }
    const all = { serviceUserId, referenceType: 'ORDER', ...fields }
    const response = await call({ harness, app: by, user }, endpoint, all)
    assert.equal(response.statusCode, 200, response.body)
  }
  await move(app, credit, { amount: 20, referenceId: 'refund-1', description: 'Two teas' })
  await move(app, debit, { amount: 5.5, referenceId: 'order-1', description: '=HYPERLINK("x")' })
  await move(other, debit, { amount: 1, referenceType: '@SUM', referenceId: 'order-2' })
  for (const [kind, amountMinor] of [
    ['seizure', 66_00n],
    ['topup', 3_00n],
  ] as const) {
    await context.ledger.post({
      kind,
      referenceType: kind.toUpperCase(),
      referenceId: `pi_${kind}`,
      walletId: person.walletId,
      amountMinor,
      counterAccount: 1,
      description: null,
    })
  }
})
after(() => setup.harness.end())

const ALL = ['pi_topup', 'pi_seizure', 'order-2', 'order-1', 'refund-1']
const FAULTY: readonly [string, unknown][] = [
  ...WRONG_FILTERS.filter(([field]) => field !== 'source'),
  ['kind', 'gift'],
  ['clientId', 'x'.repeat(65)],
  ['id', undefined],
  ['id', 'su_1'],
]
const fieldsOf = async ({ harness }: AdminSetup) => ({
  id: String((await makeUser(harness.context)).id),
})

describe('GET /api/admin/people/history', () => {
  const endpoint = endpoints.readPersonHistory
  const read = async (fields: Fields = {}, of: { id: bigint } = person) => {
    const response = await askAs(setup, setup.viewer, endpoint, { id: String(of.id), ...fields })
    assert.equal(response.statusCode, 200, response.body)
    return response.json<{ transactions: Entry[]; nextCursor: string | null }>()
  }
  const find = async (fields: Fields) =>
    (await read(fields)).transactions
      .filter(({ kind }) => kind !== 'bonus')
      .map(({ referenceId }) => referenceId)

  it('200 returns every entry of every app in full, with its kind and its change of the debt', async () => {
    const { transactions, nextCursor } = await read()
    assert.equal(nextCursor, null)
    assert.deepEqual(
      transactions.map(({ kind, app, debtChange }) => [kind, app, debtChange]),
      [
        ['topup', null, -2.5],
        ['seizure', null, 2.5],
        ['debit', 'Blumen Müller', 0],
        ['debit', 'Corner shop', 0],
        ['credit', 'Corner shop', 0],
        ['bonus', null, 0],
      ],
    )
    const { id, createdAt, ...rest } = transactions[3] as unknown as Record<string, unknown>
    assert.match(String(id), /^txn_[0-9a-f]{32}$/)
    assert.match(String(createdAt), /Z$/)
    assert.deepEqual(rest, {
      kind: 'debit',
      type: 'debit',
      amount: 5.5,
      balanceAfter: 64.5,
      debtChange: 0,
      currency: 'USD',
      referenceType: 'ORDER',
      referenceId: 'order-1',
      description: '=HYPERLINK("x")',
      source: 'other_app',
      app: 'Corner shop',
      appTransactionId: rest['appTransactionId'],
      grant: null,
    })
  })

  it('200 returns the same ids that the person sees', async () => {
    const own = await ask({ harness: setup.harness, person }, readHistory)
    const idsOf = (entries: Entry[]) => entries.map(({ id }) => id)
    assert.deepEqual(
      idsOf((await read()).transactions),
      idsOf(own.json<{ transactions: Entry[] }>().transactions),
    )
  })

  it('200 filters by direction, kind, client app, words and days, and by all of them combined', async () => {
    const today = new Date().toISOString().slice(0, 10)
    assert.deepEqual(await find({ type: 'debit' }), ['pi_seizure', 'order-2', 'order-1'])
    assert.deepEqual(await find({ kind: 'topup' }), ['pi_topup'])
    assert.deepEqual(await find({ clientId: setup.app.clientId }), ['order-1', 'refund-1'])
    assert.deepEqual(await find({ clientId: other.clientId }), ['order-2'])
    assert.deepEqual(await find({ clientId: 'app_000000000000000000000000' }), [])
    assert.deepEqual(await find({ clientId: setup.app.clientId, kind: 'topup' }), [])
    assert.deepEqual(await find({ search: 'two TEAS' }), ['refund-1'])
    assert.deepEqual(await find({ search: 'order-', clientId: other.clientId }), ['order-2'])
    assert.deepEqual(await find({ search: 'blumen' }), ['order-2'])
    assert.deepEqual(await find({ from: today, to: today }), ALL)
    assert.deepEqual(await find({ to: '2020-01-01' }), [])
    assert.deepEqual(await find({ type: 'debit', kind: 'debit', from: today, search: 'order-1' }), [
      'order-1',
    ])
  })

  it('404 NOT_FOUND for an unknown person', async () => {
    const response = await askAs(setup, setup.viewer, endpoint, { id: '999999999' })
    assertRefusal(response, endpoint, 'NOT_FOUND')
  })

  it('400 INVALID_REQUEST for invalid fields and for a cursor of another wallet', async () => {
    const busy = await makePerson(setup.harness, 1_000_00n)
    await payOften({ ...setup, person: { ...busy, serviceUserId: '' } }, busy, 60)
    const { nextCursor } = await read({}, busy)
    assert(nextCursor)
    await refusals.refusesFields(setup, endpoint, fieldsOf, [
      ...FAULTY,
      ['cursor', 'next'],
      ['cursor', nextCursor],
    ])
  })
})

describe('GET /api/admin/people/history.csv', () => {
  const endpoint = endpoints.exportPersonHistory
  const download = (fields: Fields) => askAs(setup, setup.viewer, endpoint, fields)

  it('200 exports the columns of the account page, and kind and debt of each entry', async () => {
    const id = String(person.id)
    const response = await download({ id })
    assert.equal(response.headers['content-type'], 'text/csv; charset=utf-8')
    assert.match(
      String(response.headers['content-disposition']),
      new RegExp(`^attachment; filename="person-${id}-history-\\d{4}-\\d\\d-\\d\\d\\.csv"$`),
    )
    const own = await ask({ harness: setup.harness, person }, exportHistory)
    const extra = [
      'topup,0.00',
      'seizure,2.50',
      ...['debit', 'debit', 'credit', 'bonus'].map((kind) => `${kind},0.00`),
    ]
    const ends = ['Kind,Debt after', ...extra]
    const lines = own.body
      .split('\r\n')
      .map((line, at) => (ends[at] ? `${line},${ends[at]}` : line))
    assert.deepEqual(response.body.split('\r\n'), lines)
    assert(response.body.includes(`"'=HYPERLINK(""x"")"`))
    assert(response.body.includes(`,'@SUM,order-2,`))
  })

  it('200 applies the filters of the page', async () => {
    const { body } = await download({
      id: String(person.id),
      clientId: setup.app.clientId,
      type: 'debit',
    })
    const lines = body.split('\r\n')
    assert.equal(lines.length, 3)
    assert.match(lines[1] ?? '', /,order-1,/)
  })

  it('404 NOT_FOUND for an unknown person', async () => {
    assertRefusal(await download({ id: '999999999' }), endpoint, 'NOT_FOUND')
  })
})
