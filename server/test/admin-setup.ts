/** How the admin tests call the service: as operators with a cookie and an authenticator. */
import assert from 'node:assert/strict'
import type { AdminEndpoint, Role } from '@coffer/contract/admin/endpoint'
import { finishAdminLogIn, logInToAdmin } from '@coffer/contract/admin/sign-in'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { ErrorBody } from '@coffer/contract/errors'
import type { LightMyRequestResponse } from 'fastify'
import { TOTP, URI } from 'otpauth'
import { createOperator } from '../admin/operators/create-operator.ts'
import { inventEmail } from './sign-in.ts'
import { makeClientApp, type TestApp } from './factories.ts'
import { startHarness, TEST_ADMIN_KEY, type Harness } from './harness.ts'
import { ask, cookieOf } from './account-setup.ts'
import type { Fields } from './setup.ts'

export const ADMIN_ENV = {
  ADMIN_KEYS: TEST_ADMIN_KEY,
  LOG_INS_PER_MINUTE: '10000',
  WIDGET_REQUESTS_PER_SECOND: '10000',
  PASSWORD_HASHES_PER_SECOND: '1000',
}

export interface TestOperator {
  id: bigint
  email: string
  password: string
  totp: TOTP
  recoveryCodes: string[]
  /** The Cookie header of a browser in which the operator is logged in. */
  cookie: string
}

export interface AdminSetup {
  harness: Harness
  owner: TestOperator
  operator: TestOperator
  viewer: TestOperator
  app: TestApp
}

export async function openAdminSetup(env: Record<string, string> = {}): Promise<AdminSetup> {
  return addOperators(await startHarness({ ...ADMIN_ENV, ...env }))
}

async function addOperators(harness: Harness): Promise<AdminSetup> {
  return {
    harness,
    owner: await makeOperator(harness, 'owner'),
    operator: await makeOperator(harness, 'operator'),
    viewer: await makeOperator(harness, 'viewer'),
    app: await makeClientApp(harness.context, { name: 'Corner shop', creditLimit: 100_00n }),
  }
}

/** An operator who has not set up an authenticator. */
export async function makeNewOperator(harness: Harness, role: Role) {
  const by = { actor: 'test', actorId: null, address: null }
  const email = inventEmail()
  const made = await createOperator(harness.context, by, { email, name: 'Olga Test', role })
  return { ...made, email }
}

export async function makeOperator(harness: Harness, role: Role): Promise<TestOperator> {
  const made = await makeNewOperator(harness, role)
  const { ticket, totp } = await beginEnrolling(harness, made)
  const response = await ask({ harness }, finishAdminLogIn, { ticket, code: totp.generate() })
  assert.equal(response.statusCode, 200, response.body)
  const { recoveryCodes } = response.json<{ recoveryCodes: string[] }>()
  return { ...made, totp, recoveryCodes, cookie: cookieOf(response) }
}

export async function beginEnrolling(
  harness: Harness,
  { email, password }: { email: string; password: string },
): Promise<{ ticket: string; totp: TOTP }> {
  const response = await ask({ harness }, logInToAdmin, { email, password })
  assert.equal(response.statusCode, 200, response.body)
  const body = response.json<{ step: string; ticket: string; totpUri: string }>()
  assert.equal(body.step, 'enroll')
  const totp = URI.parse(body.totpUri)
  assert(totp instanceof TOTP)
  return { ticket: body.ticket, totp }
}

/** The ticket of an operator who has an authenticator. */
export async function beginLogIn(
  harness: Harness,
  { email, password }: Pick<TestOperator, 'email' | 'password'>,
): Promise<string> {
  const response = await ask({ harness }, logInToAdmin, { email, password })
  assert.equal(response.statusCode, 200, response.body)
  const { step, ticket } = response.json<{ step: string; ticket: string }>()
  assert.equal(step, 'code')
  return ticket
}

/** Logs in from another browser. */
export async function logInAgain(
  { harness }: Pick<AdminSetup, 'harness'>,
  someone: TestOperator,
  headers: Record<string, string> = {},
): Promise<Pick<TestOperator, 'cookie'>> {
  const ticket = await beginLogIn(harness, someone)
  const fields = { ticket, code: await freshCode(harness, someone) }
  const response = await ask({ harness }, finishAdminLogIn, fields, headers)
  assert.equal(response.statusCode, 200, response.body)
  return { cookie: cookieOf(response) }
}

/** A code that works. Without the update, 30 seconds would have to pass between two codes. */
export async function freshCode(harness: Harness, { id, totp }: TestOperator): Promise<string> {
  await harness.admin.query('update admin.operators set totp_step = 0 where id = $1', [id])
  return totp.generate()
}

/** Calls like our own page, logged in as this operator. */
export function askAs(
  { harness }: Pick<AdminSetup, 'harness'>,
  who: Pick<TestOperator, 'cookie'>,
  endpoint: Endpoint,
  fields: Fields = {},
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  return ask({ harness, person: who }, endpoint, fields, headers)
}

/** The operator with the lowest role that may call it. */
export function actorOf(setup: AdminSetup, { role }: AdminEndpoint): TestOperator {
  return setup[role]
}

/** Every row that the admin area can change, as text, without the times of the last request. */
export async function dumpAdmin({ harness }: Pick<AdminSetup, 'harness'>): Promise<string> {
  const tables = [
    'admin.operators',
    'admin.log_ins',
    'admin.tickets',
    'admin.audit',
    'admin.passkeys',
    'admin.passkey_challenges',
    'admin.grants',
  ]
  const lines: string[] = []
  for (const table of [
    ...tables,
    'directory.client_apps',
    'directory.client_secrets',
    'ledger.pause',
  ]) {
    const { rows } = await harness.admin.query<{ row: string }>(
      `select (to_jsonb(t) - 'last_seen_at')::text as row from ${table} t order by 1`,
    )
    lines.push(table, ...rows.map(({ row }) => row))
  }
  return lines.join('\n')
}

/** The codes of the refusals and the statuses of the other responses, in alphabetical order. */
export function outcomesOf(responses: readonly LightMyRequestResponse[]): string[] {
  const outcomes = responses.map((response) =>
    response.statusCode < 400
      ? String(response.statusCode)
      : (response.json<ErrorBody>().code ?? String(response.statusCode)),
  )
  return outcomes.toSorted()
}

/** The audit entries about a subject, oldest first. */
export async function auditOf({ harness }: Pick<AdminSetup, 'harness'>, subject: string) {
  const { rows } = await harness.admin.query(
    'select actor, action, address, before, after from admin.audit where subject = $1 order by id',
    [subject],
  )
  return rows as { actor: string; action: string; address: string; before: object; after: object }[]
}
