/** How the suites of the widget's door speak to the service: as our own page does, with people who have passwords. */
import type { Endpoint } from '@coffer/contract/endpoint'
import type { ErrorBody, ErrorCode } from '@coffer/contract/errors'
import type { AuthStep } from '@coffer/contract/widget-api'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServiceUser } from '../identity/create-service-user.ts'
import { startMailServer, type MailServer } from './mail-server.ts'
import { openStage, type Fields, type Stage } from './setup.ts'

export const PASSWORD = 'a sound passphrase'
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

/** No limit of these bites unless a suite asks for it. */
const GENEROUS = {
  SIGN_UPS_PER_HOUR: '100000',
  LOG_INS_PER_MINUTE: '100000',
  PASSWORD_HASHES_PER_SECOND: '1000',
}

export function openDoor(env: Record<string, string> = {}): Promise<Stage> {
  return openStage({ ...GENEROUS, ...env })
}

export async function openDoorWithMail(
  env: Record<string, string> = {},
): Promise<Stage & { mail: MailServer; close: () => Promise<void> }> {
  const mail = await startMailServer()
  const stage = await openDoor({ ...mail.env, ...env })
  return {
    ...stage,
    mail,
    async close() {
      await stage.harness.end()
      await mail.stop()
    },
  }
}

export function callPage(
  { harness }: Pick<Stage, 'harness'>,
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

/** Calls, and demands success. */
export async function step(
  stage: Pick<Stage, 'harness'>,
  endpoint: Endpoint,
  fields: Fields,
): Promise<AuthStep> {
  const response = await callPage(stage, endpoint, fields)
  assert.equal(response.statusCode, 200, response.body)
  return response.json<AuthStep>()
}

export function inventEmail(): string {
  return `${randomBytes(8).toString('hex')}@example.com`
}

/** What somebody new fills in. */
export function newcomer({ app }: Pick<Stage, 'app'>) {
  const name = { firstName: 'Grace', lastName: 'Newcomer' }
  return { clientId: app.clientId, ...name, email: inventEmail(), password: PASSWORD }
}

export interface TestPerson {
  id: bigint
  email: string
  password: string
}

/** Somebody who has an account already and is linked to nothing. */
export async function makePerson(
  { harness }: Pick<Stage, 'harness'>,
  about: { email?: string; password?: string; isVerified?: boolean } = {},
): Promise<TestPerson> {
  const { context } = harness
  const { email = inventEmail(), password = PASSWORD, isVerified = true } = about
  const passwordHash = await context.passwords.hash(password)
  const name = { firstName: 'Ada', lastName: 'Example' }
  const { id } = await createServiceUser(context, { ...name, email, passwordHash, isVerified })
  return { id, email, password }
}

/** Refused because of too many tries, with a pause that is told. */
export function assertPause(response: LightMyRequestResponse, least: number, most: number) {
  assert.equal(response.statusCode, 429, response.body)
  assert.equal(response.json<ErrorBody>().code, 'RATE_LIMITED' satisfies ErrorCode)
  const seconds = Number(response.headers['retry-after'])
  assert(seconds >= least && seconds <= most, `a pause of ${seconds} s`)
}

/** Asks until a pause is imposed; returns how often it was answered. The sixth answer imposes the first pause. */
export async function untilPaused(ask: () => Promise<LightMyRequestResponse>): Promise<number> {
  for (let answered = 0; ; answered++) {
    const response = await ask()
    if (response.statusCode !== 429) continue
    // A slow machine may sit out the first pauses, which are short.
    assert(answered >= 6 && answered <= 9, `${answered} were answered`)
    assertPause(response, 1, 8)
    return answered
  }
}

/** Every row of every table that the door writes to, as text. */
export async function dumpDirectory({ harness }: Pick<Stage, 'harness'>): Promise<string> {
  const tables = ['people', 'links', 'link_codes', 'tickets', 'log_in_failures', 'log_ins']
  const lines: string[] = []
  for (const table of [...tables, 'widget_sessions', 'service_users']) {
    const { rows } = await harness.admin.query<{ row: string }>(
      `select t::text as row from directory.${table} t order by 1`,
    )
    lines.push(table, ...rows.map(({ row }) => row))
  }
  return lines.join('\n')
}
