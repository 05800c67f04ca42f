/**
 * Every kind of operation in every view. Each view reads the same wallet, which has one operation of each kind. A new
 * kind fails here until it has a row.
 */
import { exportHistory, readHistory } from '@coffer/contract/account/account'
import { exportStatement, readStatement } from '@coffer/contract/admin/client-app-statements'
import { lookUpOperation } from '@coffer/contract/admin/operations'
import { readOverview } from '@coffer/contract/admin/overview'
import { exportPersonHistory, readPersonHistory } from '@coffer/contract/admin/people'
import { WIDGET_TRANSACTIONS } from '@coffer/contract/limits'
import { findOperation, readWallet } from '@coffer/contract/server/wallet'
import { readWidgetWallet } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { link } from '../../identity/link.ts'
import type { Kind } from '../../ledger/types.ts'
import { ask, makePerson, type TestPerson } from '../account-setup.ts'
import { askAs, openAdminSetup, type AdminSetup } from '../admin-setup.ts'
import { recomputeTotals, blockTotals } from '../books-setup.ts'
import { makeClientApp, type TestApp } from '../factories.ts'
import { call, type Fields } from '../setup.ts'
import { KINDS, OF_APPS, pairOf, requestOf, ROWS, type Row } from '../tables/kind-rows.ts'
import { mintSession } from '../shop.ts'

interface Shown {
  type: string
  amount: number
  source: string
  referenceId: string | null
}

let setup: AdminSetup
let other: TestApp
let person: TestPerson

before(async () => {
  setup = await openAdminSetup({ VERIFY_PERCENT: '0' })
  await blockTotals(setup.harness.admin)
  const { context } = setup.harness
  other = await makeClientApp(context, { name: 'Another shop' })
  person = await makePerson(setup.harness)
  for (const row of ROWS) {
    const { decision } = await post(person, row)
    assert.equal(decision.refusal, null, row.kind)
  }
})
after(() => setup.harness.end())

function post({ walletId }: TestPerson, row: Row) {
  return setup.harness.context.ledger.post(requestOf(row, setup.app.ledgerAccount, walletId))
}

/** Newest first, as views show it. */
function expectedOf(sourceOfApps: string, rows: readonly Row[] = ROWS) {
  return rows.toReversed().map(({ type, amount, shown = amount, source }) => {
    return { type, amount: shown, source: source === 'app' ? sourceOfApps : source }
  })
}

const strip = (transactions: readonly Shown[]) =>
  transactions.map(({ type, amount, source }) => ({ type, amount, source }))

async function readAs(app: TestApp, of: TestPerson = person): Promise<Shown[]> {
  const { harness } = setup
  const serviceUserId = await link(harness.context.db, app.id, of.id)
  const response = await call({ harness, app }, readWallet, { serviceUserId })
  return response.json<{ transactions: Shown[] }>().transactions
}

async function readInWidget(of: TestPerson = person): Promise<Shown[]> {
  const { harness, app } = setup
  const serviceUserId = await link(harness.context.db, app.id, of.id)
  const session = await mintSession({ harness, app, user: { ...of, serviceUserId } })
  const url = `${readWidgetWallet.path}?session=${session}`
  const response = await harness.inject({ method: 'GET', url })
  return response.json<{ transactions: Shown[] }>().transactions
}

async function readInAccount(fields: Fields = {}, of: TestPerson = person): Promise<Shown[]> {
  const response = await ask({ harness: setup.harness, person: of }, readHistory, fields)
  return response.json<{ transactions: Shown[] }>().transactions
}

async function readInAdmin(fields: Fields = {}, of: TestPerson = person) {
  const all = { id: String(of.id), ...fields }
  const response = await askAs(setup, setup.viewer, readPersonHistory, all)
  return response.json<{ transactions: (Shown & { kind: Kind })[] }>().transactions
}

/** The rows of a CSV file by the names of its columns. */
function readCsv(body: string): Record<string, string>[] {
  const [header = '', ...lines] = body
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')
  const names = header.split(',')
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell])),
  )
}

const toEntry = (row: Record<string, string>) => ({
  type: row['Type'],
  amount: Number(row['Amount']),
  source: row['Source'],
})

describe('every kind of operation', () => {
  it('has a row here, and is known to the ledger, the database and the contract', async () => {
    const { rows } = await setup.harness.admin.query<{ kind: string }>(
      'select unnest(enum_range(null::ledger.kind))::text as kind',
    )
    const ours = KINDS.toSorted()
    assert.deepEqual(rows.map(({ kind }) => kind).toSorted(), ours)
    assert.deepEqual(readPersonHistory.input.shape.kind.unwrap().options.toSorted(), ours)
    const { kind } = lookUpOperation.response.shape.decision.unwrap().shape
    assert.deepEqual(kind.options.toSorted(), ours)
  })

  it('is shown to the app that posted it, to another app, in the widget and in the account', async () => {
    assert.deepEqual(strip(await readAs(setup.app)), expectedOf('this_app'))
    assert.deepEqual(strip(await readAs(other)), expectedOf('other_app'))
    const newest = expectedOf('this_app').slice(0, WIDGET_TRANSACTIONS)
    assert.deepEqual(strip(await readInWidget()), newest)
    assert.deepEqual(strip(await readInAccount()), expectedOf('other_app'))
  })

  it('is shown in the admin area with its kind', async () => {
    const entries = await readInAdmin()
    assert.deepEqual(strip(entries), expectedOf('other_app'))
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ROWS.map(({ kind }) => kind).toReversed(),
    )
  })

  it('is exported in the files of the user and of the operator', async () => {
    const own = await ask({ harness: setup.harness, person }, exportHistory)
    assert.deepEqual(readCsv(own.body).map(toEntry), expectedOf('app'))
    const id = String(person.id)
    const admin = await askAs(setup, setup.viewer, exportPersonHistory, { id })
    const rows = readCsv(admin.body)
    assert.deepEqual(rows.map(toEntry), expectedOf('app'))
    assert.deepEqual(
      rows.map((row) => row['Kind']),
      ROWS.map(({ kind }) => kind).toReversed(),
    )
  })

  it('is found by the filters that match it, and by no others', async () => {
    for (const type of ['debit', 'credit'] as const) {
      const rows = ROWS.filter((row) => row.type === type)
      const expected = expectedOf('other_app', rows)
      assert.deepEqual(strip(await readInAccount({ type })), expected)
      assert.deepEqual(strip(await readInAdmin({ type })), expected)
    }
    for (const source of readHistory.input.shape.source.unwrap().options) {
      const rows = ROWS.filter((row) => row.source === source)
      assert.deepEqual(strip(await readInAccount({ source })), expectedOf('other_app', rows))
    }
    for (const kind of KINDS) {
      const rows = ROWS.filter((row) => row.kind === kind)
      assert.deepEqual(strip(await readInAdmin({ kind })), expectedOf('other_app', rows))
    }
  })

  it('is found by its reference: by operators, and by the app that posted it', async () => {
    const { clientId } = setup.app
    for (const row of ROWS) {
      const { kind, amount } = row
      const pair = pairOf(row, setup.app.ledgerAccount, person.walletId)
      // A capture pays the app.
      const type = kind === 'capture' ? 'debit' : row.type
      const fields = OF_APPS.includes(row) ? { ...pair, clientId } : pair
      const response = await askAs(setup, setup.viewer, lookUpOperation, fields)
      const { decision } = response.json<{ decision: { kind: Kind; amount: number } }>()
      assert.deepEqual([decision.kind, decision.amount], [kind, amount])
      const found = await call({ harness: setup.harness, app: setup.app }, findOperation, pair)
      if (OF_APPS.includes(row)) {
        const own = found.json<Shown>()
        assert.deepEqual([own.type, own.amount], [type, amount])
      } else {
        assert.equal(found.json<{ code: string }>().code, 'OPERATION_NOT_FOUND', kind)
      }
    }
  })

  it('is counted in the overview', async () => {
    type Movement = { kind: string; count: number; amount: number }
    type Slot = Record<'debits' | 'credits' | 'topups', Movement>
    const response = await askAs(setup, setup.viewer, readOverview, { period: '24h' })
    const { slots, others } = response.json<{ slots: Slot[]; others: Movement[] }>()
    const main = { debit: 'debits', credit: 'credits', topup: 'topups' } as const
    const counted = Object.entries(main).map(([kind, name]) => {
      const movements = slots.map((slot) => slot[name]).filter(({ count }) => count > 0)
      assert.equal(movements.length, 1, kind)
      return { ...movements[0], kind }
    })
    const expected = KINDS.map((kind) => {
      const amounts = ROWS.filter((row) => row.kind === kind).map(({ amount }) => amount)
      return { count: amounts.length, amount: amounts.reduce((sum, each) => sum + each, 0), kind }
    })
    const byKind = (a: { kind: string }, b: { kind: string }) => (a.kind < b.kind ? -1 : 1)
    assert.deepEqual([...counted, ...others].toSorted(byKind), expected.toSorted(byKind))
  })

  it('of an app is listed in the right column of its statement', async () => {
    await recomputeTotals(setup.harness.admin)
    const day = (offset: number) => new Date(Date.now() + offset).toISOString().slice(0, 10)
    const period = { from: day(-86_400_000), to: day(86_400_000) }
    const { clientId } = setup.app
    const { body } = await askAs(setup, setup.viewer, exportStatement, { clientId, ...period })
    const entries = readCsv(body).map((row) => [row['Entry'], row['Debit'], row['Credit']])
    const statement = await askAs(setup, setup.viewer, readStatement, { clientId, ...period })
    const { opening, debits, credits, closing } = statement.json()
    assert.equal(closing, opening + debits.amount - credits.amount)
    assert.deepEqual(entries, [
      ['Opening balance', '', ''],
      ...OF_APPS.filter(({ kind }) => kind !== 'hold' && kind !== 'release').map((row) => {
        const amount = row.amount.toFixed(2)
        const isDebit = row.kind === 'debit' || row.kind === 'capture'
        return isDebit ? [row.kind, amount, ''] : [row.kind, '', amount]
      }),
      ['Closing balance', '', ''],
    ])
  })

  it('that debits an empty wallet is still outgoing, with the amount 0', async () => {
    const poor = await makePerson(setup.harness)
    await post(poor, ROWS.at(-1) as Row)
    const expected = [{ type: 'debit', amount: 0, source: 'dispute' }]
    assert.deepEqual(strip(await readAs(setup.app, poor)), expected)
    assert.deepEqual(strip(await readInWidget(poor)), expected)
    assert.deepEqual(strip(await readInAccount({}, poor)), expected)
    assert.deepEqual(strip(await readInAccount({ type: 'debit' }, poor)), expected)
    assert.deepEqual(strip(await readInAdmin({}, poor)), expected)
    const { body } = await ask({ harness: setup.harness, person: poor }, exportHistory)
    assert.deepEqual(readCsv(body).map(toEntry), expected)
  })
})
