import type { AdminEndpoint } from '@coffer/contract/admin/endpoint'
import { ADMIN_ENDPOINTS as endpoints } from '@coffer/contract/admin/endpoints'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as refusals from '../../test/refusals.ts'
import { askAs, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { completeTotals, blockTotals } from '../../test/books-setup.ts'
import { makeClientApp, makeUser, type TestApp } from '../../test/factories.ts'
import { assertRefusal, type Fields } from '../../test/setup.ts'

const DAY_MS = 86_400_000
const dayBack = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

let setup: AdminSetup
/** Ten days ago a debit of 5.00, five days ago a credit of 12.00, yesterday many debits of 0.01. */
let app: TestApp
before(async () => {
  setup = await openAdminSetup({ VERIFY_PERCENT: '0' })
  const { admin, context } = setup.harness
  await blockTotals(admin)
  app = await makeClientApp(context, { name: 'Statement shop' })
  const other = await makeClientApp(context)
  await plant(10, 'debit', [-5_00], app.ledgerAccount)
  await plant(5, 'credit', [12_00], app.ledgerAccount, { description: '=1+1', reference: '@ref' })
  await plant(
    1,
    'debit',
    Array.from({ length: 4_500 }, () => -1),
    app.ledgerAccount,
  )
  await plant(
    1,
    'debit',
    Array.from({ length: 3_000 }, () => -7),
    other.ledgerAccount,
  )
  await admin.query(`update books.progress set totals_up_to = now() - interval '20 days'`)
  await completeTotals(setup.harness)
})
after(() => setup.harness.end())

let seq = 0
/** Operations on an earlier day, several per millisecond, on a few wallets. */
async function plant(
  days: number,
  kind: 'debit' | 'credit',
  amounts: number[],
  account: number,
  words: { description?: string; reference?: string } = {},
) {
  await setup.harness.admin.query(
    `insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at, counter_account, kind,
       reference_type, reference_id, description, hash)
     select 1000 + n % 5, $1 + n, a, 0, $2::timestamptz + make_interval(secs => (n / 4) * 0.001), $3, $4,
       'ORDER', coalesce($5, 'r-' || n), $6, sha256('x')
     from unnest($7::bigint[]) with ordinality as x(a, n)`,
    [
      seq,
      `${dayBack(days)}T12:00:00Z`,
      account,
      kind,
      words.reference ?? null,
      words.description ?? null,
      amounts,
    ],
  )
  seq += amounts.length
}

const period = (from: number, to: number) => ({
  clientId: app.clientId,
  from: dayBack(from),
  to: dayBack(to),
})
const ask = (endpoint: AdminEndpoint, fields: Fields) =>
  askAs(setup, setup.viewer, endpoint, fields)
const FAULTY: [string, unknown][] = [
  ['from', 'yesterday'],
  ['from', '0000-01-01'],
  ['from', undefined],
  ['to', '2026-02-30'],
  ['to', '2019-01-01'],
  ['to', '2099-01-01'],
  ['clientId', 'x'.repeat(65)],
]

describe('GET /api/admin/client-apps/statement', () => {
  const endpoint = endpoints.readStatement
  const fieldsOf = () => period(7, 3)
  const summarize = async (from: number, to: number) => {
    const response = await ask(endpoint, period(from, to))
    assert.equal(response.statusCode, 200, response.body)
    const { until, ...others } = response.json<Record<string, unknown> & { until: string }>()
    return { until, others }
  }

  it('200 returns the opening balance, the totals and the closing balance', async () => {
    const none = { count: 0, amount: 0 }
    const { until, others } = await summarize(7, 3)
    assert.deepEqual(others, {
      currency: 'USD',
      opening: 5,
      debits: none,
      credits: { count: 1, amount: 12 },
      closing: -7,
    })
    assert.equal(until, `${dayBack(2)}T00:00:00.000Z`)
    assert.deepEqual((await summarize(10, 10)).others, {
      currency: 'USD',
      opening: 0,
      debits: { count: 1, amount: 5 },
      credits: none,
      closing: 5,
    })
    assert.deepEqual((await summarize(3, 2)).others, {
      currency: 'USD',
      opening: -7,
      debits: none,
      credits: none,
      closing: -7,
    })
  })

  it('200 the current day ends where the totals end', async () => {
    const { until, others } = await summarize(10, 0)
    assert.equal(others['closing'], 38)
    const ago = Date.now() - Date.parse(until)
    // Long transactions in other databases of the cluster delay the totals.
    assert(ago >= 0 && ago < 600_000, until)
    const future = await ask(endpoint, { ...period(0, 0), from: dayBack(-2), to: dayBack(-3) })
    const { opening, closing } = future.json()
    assert.deepEqual([opening, closing], [38, 38])
  })

  it('404 NOT_FOUND for an unknown client app', async () => {
    const response = await ask(endpoint, { ...fieldsOf(), clientId: 'app_0' })
    assertRefusal(response, endpoint, 'NOT_FOUND')
  })

  it('400 INVALID_REQUEST for invalid fields', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, FAULTY))
})

describe('GET /api/admin/client-apps/statement.csv', () => {
  const endpoint = endpoints.exportStatement
  const fieldsOf = () => period(7, 3)
  const download = async (from: number, to: number) => {
    const response = await ask(endpoint, period(from, to))
    assert.equal(response.statusCode, 200, response.body)
    return { headers: response.headers, lines: response.body.split('\r\n') }
  }

  it('200 exports the opening balance, every operation and the closing balance', async () => {
    const { headers, lines } = await download(7, 3)
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    assert.equal(
      headers['content-disposition'],
      `attachment; filename="statement-${app.clientId}-${dayBack(7)}-${dayBack(3)}.csv"`,
    )
    const id = lines[2]?.split(',').at(-1)
    assert.deepEqual(lines, [
      '\uFEFFTime (UTC),Entry,Debit,Credit,Balance,Owed by,Currency,Reference type,Reference,Description,Transaction id',
      `${dayBack(7)}T00:00:00.000Z,Opening balance,,,5.00,platform,USD,,,,`,
      `${dayBack(5)}T12:00:00.000Z,credit,,12.00,7.00,app,USD,ORDER,'@ref,'=1+1,${id}`,
      `${dayBack(2)}T00:00:00.000Z,Closing balance,,,7.00,app,USD,,,,`,
      '',
    ])
    const opened = setup.harness.context.transactionIds.decode(app.ledgerAccount, id ?? '')
    assert.deepEqual(opened, { walletId: 1001n, seq: 2n })
  })

  it('200 exports every operation once and in order, beyond one page and within one millisecond', async () => {
    const { lines } = await download(1, 1)
    assert.equal(lines.length, 1 + 1 + 4_500 + 1 + 1)
    const ids = new Set(lines.slice(2, -2).map((line) => line.split(',').at(-1)))
    assert.equal(ids.size, 4_500)
    const balances = lines.slice(2, -2).map((line) => {
      const [, , , , balance, owedBy] = line.split(',')
      return Number(balance) * (owedBy === 'app' ? -1 : 1)
    })
    assert.deepEqual(
      balances.map((balance) => Math.round(balance * 100)),
      Array.from({ length: 4_500 }, (_, index) => -700 + index + 1),
    )
    const times = lines.slice(2, -2).map((line) => line.slice(0, 24))
    assert.deepEqual(times, times.toSorted())
    assert.match(lines.at(-2) ?? '', /Closing balance,,,38\.00,platform/)
  })

  it('200 reads a busy hour in parts without losing an operation between them', async () => {
    const { admin } = setup.harness
    // Changes only the totals, to make the hour look busy; the operations stay the same.
    await admin.query('update books.hours set count = count + 10000000 where account <> $1', [
      app.ledgerAccount,
    ])
    const { lines } = await download(1, 1)
    assert.equal(lines.length, 1 + 1 + 4_500 + 1 + 1)
    await admin.query('update books.hours set count = count - 10000000 where account <> $1', [
      app.ledgerAccount,
    ])
  })

  it('aborts and logs a statement that does not add up', async () => {
    const { admin, logLines } = setup.harness
    await admin.query('update books.days set amount = amount - 1 where account = $1 and day = $2', [
      app.ledgerAccount,
      dayBack(1),
    ])
    await assert.rejects(download(1, 1))
    assert(logLines.some((line) => line.includes('statement export aborted')))
    await admin.query('update books.days set amount = amount + 1 where account = $1 and day = $2', [
      app.ledgerAccount,
      dayBack(1),
    ])
    await download(1, 1)
  })

  it('400 INVALID_REQUEST if a part of the period is archived, before the first byte is sent', async () => {
    const { admin } = setup.harness
    const first = `${new Date().toISOString().slice(0, 7)}-01`
    const lastMonth = new Date(Date.parse(first) - DAY_MS).toISOString().slice(0, 10)
    await admin.query(
      `insert into ledger.archived_months (month, operations, manifest_hash)
        values (date_trunc('month', $1::date), 0, sha256('x'))`,
      [lastMonth],
    )
    try {
      const fields = { clientId: app.clientId, to: dayBack(0) }
      const response = await ask(endpoint, { ...fields, from: lastMonth })
      assertRefusal(response, endpoint, 'INVALID_REQUEST', 'from')
      assert.equal((await ask(endpoint, { ...fields, from: first })).statusCode, 200)
    } finally {
      await admin.query('delete from ledger.archived_months')
    }
  })

  it('200 exports two equal balances for an app without operations', async () => {
    const { clientId } = await makeClientApp(setup.harness.context)
    await makeUser(setup.harness.context, 1n)
    const response = await ask(endpoint, { ...fieldsOf(), clientId })
    assert.equal(response.body.split('\r\n').length, 4)
  })

  it('404 NOT_FOUND for an unknown client app', async () => {
    const response = await ask(endpoint, { ...fieldsOf(), clientId: 'app_0' })
    assertRefusal(response, endpoint, 'NOT_FOUND')
  })
})
