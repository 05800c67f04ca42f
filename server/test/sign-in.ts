/** How the tests of the widget's sign-in call the service: like our own page, for people with passwords. */
import type { Endpoint } from '@coffer/contract/endpoint'
import type { ErrorBody, ErrorCode } from '@coffer/contract/errors'
import type { AuthStep } from '@coffer/contract/widget/widget'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServiceUser } from '../identity/create-service-user.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { type Fields, openSetup, type Setup } from './setup.ts'

export const PASSWORD = 'a sound passphrase'
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

/** Limits that no test reaches, unless it sets its own. */
const GENEROUS = {
  SIGN_UPS_PER_HOUR: '100000',
  LOG_INS_PER_MINUTE: '100000',
  PASSWORD_HASHES_PER_SECOND: '1000',
}

export function openSignIn(env: Record<string, string> = {}): Promise<Setup> {
  return openSetup({ ...GENEROUS, ...env })
}

export async function openSignInWithMail(
  env: Record<string, string> = {},
): Promise<Setup & { mail: MailServer; close: () => Promise<void> }> {
  const mail = await startMailServer()
  const setup = await openSignIn({ ...mail.env, ...env })
  return {
    ...setup,
    mail,
    async close() {
      await setup.harness.end()
      await mail.stop()
    },
  }
}

export function callPage(
  { harness }: Pick<Setup, 'harness'>,
  endpoint: Endpoint,
  fields: Fields,
  address?: string,
): Promise<LightMyRequestResponse> {
  return harness.inject({
    method: 'POST',
    url: endpoint.path,
    payload: JSON.stringify(fields),
    headers: { 'content-type': 'application/json', ...SAME_ORIGIN },
    ...(address !== undefined && { remoteAddress: address }),
  })
}

/** Calls the endpoint and asserts success. */
export async function step(
  setup: Pick<Setup, 'harness'>,
  endpoint: Endpoint,
  fields: Fields,
): Promise<AuthStep> {
  const response = await callPage(setup, endpoint, fields)
  assert.equal(response.statusCode, 200, response.body)
  return response.json<AuthStep>()
}

export function inventEmail(): string {
  return `${randomBytes(8).toString('hex')}@example.com`
}

/** The fields of a new person's sign-up at /account. */
export function newAccount() {
  const name = { firstName: 'Grace', lastName: 'Newcomer' }
  return { ...name, email: inventEmail(), password: PASSWORD }
}

/** The fields of a new person's sign-up in the widget. */
export function newcomer({ app }: Pick<Setup, 'app'>) {
  return { clientId: app.clientId, ...newAccount() }
}

export interface TestPerson {
  id: bigint
  email: string
  password: string
}

/** A person with an account and no linked app. */
export async function makePerson(
  { harness }: Pick<Setup, 'harness'>,
  about: { email?: string; password?: string; isVerified?: boolean } = {},
): Promise<TestPerson> {
  const { context } = harness
  const { email = inventEmail(), password = PASSWORD, isVerified = true } = about
  const passwordHash = await context.passwords.hash(password)
  const name = { firstName: 'Ada', lastName: 'Example' }
  const { id } = await createServiceUser(context, { ...name, email, passwordHash, isVerified })
  return { id, email, password }
}

/** Refused because of too many attempts, with a Retry-After in this range. */
export function assertRateLimited(response: LightMyRequestResponse, least: number, most: number) {
  assert.equal(response.statusCode, 429, response.body)
  assert.equal(response.json<ErrorBody>().code, 'RATE_LIMITED' satisfies ErrorCode)
  const seconds = Number(response.headers['retry-after'])
  assert(seconds >= least && seconds <= most, `Retry-After: ${seconds}`)
}

/** Repeats the request until it gets a 429; returns the number of responses before it. The sixth starts a wait. */
export async function untilRateLimited(
  ask: () => Promise<LightMyRequestResponse>,
): Promise<number> {
  // On a slow machine the first, short waits may already be over.
  for (let answered = 0; answered <= 9; answered++) {
    const response = await ask()
    if (response.statusCode !== 429) continue
    assert(answered >= 6, `429 after ${answered} responses`)
    assertRateLimited(response, 1, 8)
    return answered
  }
  return assert.fail('no request was refused')
}

/** Every row of every table that the sign-in writes to, as text. */
export async function dumpDirectory({ harness }: Pick<Setup, 'harness'>): Promise<string> {
  const steps = ['people', 'links', 'link_codes', 'tickets', 'undo_links', 'warning_links']
  const logIns = ['log_in_failures', 'log_ins', 'passkeys', 'passkey_challenges']
  const lines: string[] = []
  for (const table of [...steps, ...logIns, 'widget_sessions', 'service_users']) {
    const { rows } = await harness.admin.query<{ row: string }>(
      `select t::text as row from directory.${table} t order by 1`,
    )
    lines.push(table, ...rows.map(({ row }) => row))
  }
  return lines.join('\n')
}
