import { setAlerts } from '@coffer/contract/account/alerts'
import { readHistory } from '@coffer/contract/account/account'
import { exportAccount as endpoint, setLanguage } from '@coffer/contract/account/safety'
import { setSpendLimit } from '@coffer/contract/account/spend-limit'
import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  ask,
  makePerson,
  openPersonSetup,
  type PersonSetup,
  type TestPerson,
} from '../test/account-setup.ts'
import { payOften } from '../test/history-setup.ts'
import { call } from '../test/setup.ts'
import { EXPORTED, LEFT_OUT } from '../test/tables/own-data.ts'

type Json = Record<string, unknown>

/** Every column of a table about people: tables with their ids, and those that refer to one of these tables. */
const COLUMNS = `with recursive owned (id) as (
    select attrelid from pg_attribute where attname in ('service_user_id', 'wallet_id') and attnum > 0
    union select oid from pg_class
      where oid in ('directory.service_users'::regclass, 'ledger.wallets'::regclass)
    union select conrelid from pg_constraint join owned on confrelid = owned.id where contype = 'f'
  )
  select distinct n.nspname || '.' || c.relname as "table", a.attname as column
  from owned join pg_class c on c.oid = owned.id join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind in ('r', 'p') and not c.relispartition order by 1, 2`

let setup: PersonSetup
before(async () => {
  setup = await openPersonSetup()
  await addShop(setup)
})
after(() => setup.harness.end())

/** Gives the person one of everything that is stored about people. */
async function addShop({ harness, app, person }: PersonSetup) {
  const { id, walletId, serviceUserId } = person
  const { admin } = harness
  await ask(setup, setLanguage, { language: 'es' })
  await ask(setup, setAlerts, { paymentMin: '50', balanceMin: '7.5' })
  const limits = { singleMax: '5', dayMax: '10', weekMax: '20', monthMax: '30' }
  const terms = { ...limits, lastDay: '2999-12-31', timeZone: 'Europe/Berlin' }
  await ask(setup, setSpendLimit, { clientId: app.clientId, ...terms })
  const order = { referenceType: 'ORDER', referenceId: 'order-1', description: 'Two "teas"' }
  const paid = await call({ harness, app }, debit, { serviceUserId, amount: 4.5, ...order })
  assert.equal(paid.statusCode, 200, paid.body)
  await admin.query(
    'update directory.people set password_changed_at = now() where service_user_id = $1',
    [id],
  )
  await admin.query(
    'update directory.links set agreed_at = now(), ended_at = now() where service_user_id = $1',
    [id],
  )
  await admin.query(
    `insert into directory.passkeys (service_user_id, credential_id, public_key, sign_count, transports, name,
       last_used_at, copied_at) values ($1, $2, $2, 0, '{}', 'My phone', now(), now())`,
    [id, randomBytes(16)],
  )
  await admin.query(
    `insert into directory.undo_links (ticket_hash, service_user_id, email, expires_at)
     values ($1, $2, 'previous@example.com', now() + interval '1 day')`,
    [randomBytes(32), id],
  )
  const { rows } = await admin.query<{ id: string }>(
    `insert into directory.topups (service_user_id, wallet_id, client_app_id, amount, intent_id, status, ended_at,
       has_refund, has_dispute, failures, failed_at)
     values ($1, $2, $3, 2500, 'pi_1', 'credited', now(), true, true, 1, now()) returning id`,
    [id, walletId, app.id],
  )
  await admin.query(
    `insert into directory.automatic_topups (service_user_id, threshold, amount, month_max, time_zone, card_id, card_name,
       consent, failures, suspended_for)
     values ($1, 1000, 2000, 10000, 'UTC', 'pm_1', 'visa 4242', 'Yes.', 1, 'card')`,
    [id],
  )
  await admin.query(
    `insert into directory.refunds (topup_id, amount, status, created_at)
     values ($1, 500, 'sent', now() - interval '1 hour')`,
    [rows[0]?.id],
  )
  await admin.query(
    `insert into directory.disputes (id, topup_id, amount, status, reason, opened_at, withdrawals, reinstatements, asked_at)
     values ('dp_1', $1, 2000, 'lost', 'fraudulent', now(), '{}', '{}', now())`,
    [rows[0]?.id],
  )
}

async function download(person: TestPerson): Promise<Json> {
  const response = await ask({ harness: setup.harness, person }, endpoint)
  assert.equal(response.statusCode, 200, response.body)
  return response.json<Json>()
}

function valueAt(document: unknown, path: string): unknown {
  return path.split('.').reduce((value, key) => (value as Json | undefined)?.[key], document)
}

describe('GET /api/account/data.json', () => {
  it('200 is a file that nobody stores on the way', async () => {
    const { headers, body } = await ask(setup, endpoint)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    const today = new Date().toISOString().slice(0, 10)
    const name = `attachment; filename="wallet-data-${today}.json"`
    assert.equal(headers['content-disposition'], name)
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(body, /^\{\n {2}"exportedAt": "/)
    assert.match(body, /\}\n {2}\]\n\}\n$/)
  })

  it('200 has the values that are stored', async () => {
    const { exportedAt, ...data } = await download(setup.person)
    assert(typeof exportedAt === 'string')
    assert.deepEqual(Object.keys(data), [
      'account',
      'settings',
      'wallet',
      'apps',
      'passkeys',
      'logIns',
      'topups',
      'history',
    ])
    const { consentedAt, ...automaticTopup } = valueAt(data, 'settings.automaticTopup') as Json
    assert(typeof consentedAt === 'string')
    assert.deepEqual(automaticTopup, {
      threshold: 10,
      amount: 20,
      monthMax: 100,
      timeZone: 'UTC',
      card: 'visa 4242',
      consent: 'Yes.',
      failures: 1,
      suspendedFor: 'card',
    })
    assert.equal(valueAt(data, 'settings.language'), 'es')
    assert.equal(valueAt(data, 'settings.wantsReceipts'), true)
    const alerts = valueAt(data, 'settings.alerts') as Json[]
    assert.deepEqual(
      alerts.map(({ kind, threshold }) => [kind, threshold]),
      [
        ['payment', 50],
        ['balance', 7.5],
      ],
    )
    assert.deepEqual(data['wallet'], {
      balance: 95.5,
      debt: 0,
      held: 0,
      currency: 'USD',
      isActive: true,
    })
    const [topup] = data['topups'] as { amount: number; reversals: Json[] }[]
    assert.equal(topup?.amount, 25)
    assert.deepEqual(
      topup.reversals.map(({ kind, amount }) => [kind, amount]),
      [
        ['refund', 5],
        ['dispute', 20],
      ],
    )
    const { transactions } = (await ask(setup, readHistory)).json<{ transactions: Json[] }>()
    assert.deepEqual(data['history'], transactions)
  })

  it('200 has no secret and nothing of somebody else', async () => {
    const stranger = await makePerson(setup.harness, 7_77n)
    const text = JSON.stringify(await download(setup.person))
    assert.doesNotMatch(text, new RegExp(stranger.email))
    const { rows } = await setup.harness.admin.query<{ secret: string }>(
      `select password_hash as secret from directory.people where service_user_id = $1
       union all select encode(token_hash, 'hex') from directory.log_ins where service_user_id = $1`,
      [setup.person.id],
    )
    assert(rows.length > 1)
    for (const { secret } of rows) assert(!text.includes(secret))
    assert(!text.includes(setup.person.serviceUserId))
    const theirs = await download(stranger)
    const lists = ['apps', 'passkeys', 'topups'].map((name) => theirs[name])
    assert.deepEqual(lists, [[], [], []])
    assert.equal((theirs['history'] as Json[]).length, 1)
  })

  it('200 exports more than one page of top-ups and history without a gap', async () => {
    const busy = await makePerson(setup.harness, 1_000_00n)
    await payOften(setup, busy, 1_100)
    await setup.harness.admin.query(
      `insert into directory.topups (service_user_id, wallet_id, amount, status)
       select $1, $2, n, 'ended' from generate_series(1, 2000) n`,
      [busy.id, busy.walletId],
    )
    const { topups, history } = (await download(busy)) as Record<string, { amount: number }[]>
    const amounts = topups?.map(({ amount }) => Math.round(amount * 100)).toSorted((a, b) => a - b)
    assert.deepEqual(
      amounts,
      Array.from({ length: 2_000 }, (_, n) => n + 1),
    )
    assert.equal(history?.length, 1_101)
  })
})

describe('the export of the own data', () => {
  it('contains every column about a person, or there is a reason why not', async () => {
    const { rows } = await setup.harness.admin.query<{ table: string; column: string }>(COLUMNS)
    const names = rows.map(({ table, column }) => `${table}.${column}`)
    assert(names.includes('directory.people.email') && names.includes('directory.refunds.amount'))
    const isLeftOut = (name: string) => name in LEFT_OUT || name.replace(/\.\w+$/, '.*') in LEFT_OUT
    const missing = names.filter((name) => !(name in EXPORTED) && !isLeftOut(name))
    assert.deepEqual(missing, [])
    const twice = names.filter((name) => name in EXPORTED && isLeftOut(name))
    assert.deepEqual(twice, [])
    const tables = new Set(rows.map(({ table }) => `${table}.*`))
    const gone = [...Object.keys(EXPORTED), ...Object.keys(LEFT_OUT)].filter(
      (name) => !names.includes(name) && !tables.has(name),
    )
    assert.deepEqual(gone, [])
  })

  it('has a value wherever the table says that a column is', async () => {
    const data = await download(setup.person)
    const empty = Object.entries(EXPORTED).filter(
      ([, path]) => (valueAt(data, path) ?? null) === null,
    )
    assert.deepEqual(empty, [])
  })
})
