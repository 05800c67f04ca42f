/** How the tests of the server API call the service and check its responses. */
import assert from 'node:assert/strict'
import type { Endpoint } from '@coffer/contract/endpoint'
import { type ErrorBody, type ErrorCode, type ErrorEntry, ERRORS } from '@coffer/contract/errors'
import type { LightMyRequestResponse } from 'fastify'
import type pg from 'pg'
import { cloneDatabase } from './database.ts'
import {
  credentialsFor,
  makeClientApp,
  makeLinkedUser,
  type TestApp,
  type TestUser,
} from './factories.ts'
import { connectAdmin, type Harness, startHarness } from './harness.ts'
import { startDatabaseProxy } from './database-proxy.ts'

/** A running service with one client app and one user who is linked to it and has 100.00. */
export interface Setup {
  harness: Harness
  app: TestApp
  user: TestUser & { serviceUserId: string }
}
/** A field that is undefined is not sent; an array is sent as a parameter given several times. */
export type Fields = Record<string, unknown>
/** Fields that the endpoint accepts on this setup. */
export type MakeFields = (setup: Setup) => Fields | Promise<Fields>

export async function openSetup(env: Record<string, string> = {}): Promise<Setup> {
  return addShop(await startHarness(env))
}

/** Another client app with a linked user on the same service. */
export async function addShop(harness: Harness): Promise<Setup> {
  const app = await makeClientApp(harness.context)
  return { harness, app, user: await makeLinkedUser(harness.context, app, 100_00n) }
}

/** Calls an endpoint with the credentials of the setup's app, unless the fields contain others. */
export function call(
  setup: Pick<Setup, 'harness' | 'app'> & Partial<Setup>,
  endpoint: Endpoint,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const all: Fields = { ...credentialsFor(setup.app, endpoint), ...fields }
  if (endpoint.method === 'POST') return callRaw(setup, endpoint, JSON.stringify(all), headers)
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(all)) {
    const values = Array.isArray(value) ? value : [value]
    for (const each of values) if (each !== undefined) query.append(name, `${each}`)
  }
  return setup.harness.inject({ method: 'GET', url: `${endpoint.path}?${query}`, headers })
}

export function callRaw(
  { harness }: Pick<Setup, 'harness'>,
  endpoint: Endpoint,
  payload: string | Buffer,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const all = { 'content-type': 'application/json', ...headers }
  return harness.inject({ method: 'POST', url: endpoint.path, payload, headers: all })
}

export function basicOf({ clientId, clientSecret }: Pick<TestApp, 'clientId' | 'clientSecret'>) {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  return { authorization: `Basic ${credentials}` }
}

/** The response is exactly what the contract defines for this code on this endpoint. */
export function assertRefusal(
  response: LightMyRequestResponse,
  endpoint: Pick<Endpoint, 'errors'>,
  code: ErrorCode,
  field?: string,
  waitSeconds: number | undefined = (ERRORS[code] as ErrorEntry).retryAfterSeconds,
) {
  const entry: ErrorEntry = { ...ERRORS[code], ...endpoint.errors[code] }
  const expected: ErrorBody = { error: entry.text, code }
  if (entry.requiresAuth) expected.requiresAuth = true
  const body = response.json<ErrorBody>()
  if (code === 'INVALID_REQUEST') {
    const isServerApi = 'INVALID_CLIENT' in endpoint.errors
    assert.match(body.error, explanationOf(field, isServerApi))
    expected.error = body.error
  }
  // Without credentials, the text says how to send them.
  if (code === 'INVALID_CLIENT' && body.error !== entry.text) {
    assert.match(body.error, /^(No credentials were sent|The \w+ was not sent)\. Use HTTP Basic /)
    expected.error = body.error
  }
  if (code === 'INVALID_AMOUNT') {
    assert.match(body.error, /^Invalid amount\. The .+\.$/)
    assert.match(String(body.field), /^(amount|requiredAmount|creditLimit|above)$/)
    Object.assign(expected, { error: body.error, field: body.field })
  }
  if (field !== undefined) expected.field = field
  assert.deepEqual(body, expected)
  assert.equal(response.statusCode, entry.status)
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  assert.match(String(response.headers['x-request-id']), /^[0-9a-f-]{36}$/)
  assert.equal(response.headers['retry-after'], waitSeconds?.toString())
}

/** The server API always says what a field must be. */
function explanationOf(field: string | undefined, isServerApi: boolean): RegExp {
  const reason = `The field ${field} (is missing\\. It )?must .+\\.`
  const hint = `Check the field ${field}\\.`
  const fault = isServerApi ? reason : `(${reason}|${hint})`
  const body = '( The body is not valid (JSON|UTF-8)\\.| The body must be a JSON object\\.)?'
  return new RegExp(`^Invalid request\\.${field === undefined ? body : ` ${fault}`}$`)
}

/** Same status and same bytes, marked as a replay; `differs` is the value of Idempotency-Mismatch. */
export function assertReplay(
  repeat: LightMyRequestResponse,
  original: LightMyRequestResponse,
  differs?: string,
) {
  assert.equal(repeat.body, original.body)
  assert.equal(repeat.statusCode, original.statusCode)
  assert.equal(repeat.headers['idempotency-replayed'], 'true')
  assert.equal(repeat.headers['idempotency-mismatch'], differs)
}

/** Asserts that `act` changes no wallet, ledger account, operation, key or mismatch. */
export async function movesNothing(admin: pg.ClientBase, act: () => Promise<void>) {
  const before = await readBooks(admin)
  await act()
  assert.deepEqual(await readBooks(admin), before)
}

async function readBooks(admin: pg.ClientBase) {
  const { rows } = await admin.query(`select
    (select array_agg(concat_ws(' ', id, balance, debt, seq, is_active) order by id) from ledger.wallets) as wallets,
    (select array_agg(concat_ws(' ', id, balance) order by id) from ledger.accounts) as accounts,
    (select count(*) from ledger.operations) as operations,
    (select count(*) from ledger.operation_keys) as keys,
    (select count(*) from ledger.mismatches) as mismatches`)
  return rows[0] as unknown
}

/** Tables that background jobs change at any time. */
const CHANGED_BY_JOBS = [
  'admin.audit_tasks',
  'admin.traffic',
  'admin.app_activity',
  'admin.secret_uses',
  'directory.leases',
  'directory.polled_events',
  'directory.processor_events',
  'ledger.clock',
]

/** Asserts that `act` changes no row of any table, except the times at which a caller was last seen. */
export async function changesNothing(
  { harness }: Pick<Setup, 'harness'>,
  act: () => Promise<void>,
  except: readonly string[] = [],
) {
  assert.deepEqual(await findChanges({ harness }, act, except), [])
}

/** The tables in which `act` changes a row. */
export async function findChanges(
  { harness }: Pick<Setup, 'harness'>,
  act: () => Promise<void>,
  except: readonly string[] = [],
): Promise<string[]> {
  const before = await readTables(harness.admin)
  await act()
  const after = await readTables(harness.admin)
  const names = Object.keys(after).filter((name) => !except.includes(name))
  return names.filter((name) => after[name] !== before[name])
}

async function readTables(admin: pg.ClientBase): Promise<Record<string, string>> {
  const tables = await admin.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where relkind in ('r', 'p') and not relispartition and (nspname in ('ledger', 'directory', 'admin')
       or nspname = 'events' and relname in ('webhooks', 'deliveries'))
     order by 1`,
  )
  const names = tables.rows
    .map(({ name }) => name)
    .filter((name) => !CHANGED_BY_JOBS.includes(name))
  assert(names.length > 25)
  const reads = names.map(
    (
      name,
    ) => `select '${name}' as name, count(*) || ' ' || coalesce(md5(string_agg(row, ',' order by row)), '') as state
       from (select (to_jsonb(t) - 'last_seen_at' - 'last_used_at')::text as row from ${name} t) as all_rows`,
  )
  // Planning it takes as long as reading the few rows.
  const statement = { name: `read ${names.length} tables`, text: reads.join(' union all ') }
  const { rows } = await admin.query<{ name: string; state: string }>(statement)
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]))
}

/** A setup whose service loses its database when `cut` is called; `admin` stays connected. */
export async function withCuttableDatabase(
  runTest: (setup: Setup, admin: pg.Client, cut: () => Promise<void>) => Promise<void>,
) {
  const database = await cloneDatabase()
  const proxy = await startDatabaseProxy(database.url)
  const harness = await startHarness({ DATABASE_URL: proxy.url })
  const admin = await connectAdmin(database.url)
  try {
    await runTest(await addShop(harness), admin, () => proxy.stop())
  } finally {
    await harness.end()
    await admin.end()
    await database.drop()
  }
}
