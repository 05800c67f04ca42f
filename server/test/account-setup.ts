/** How the tests of /account call the service: with a cookie, from our own origin. */
import assert from 'node:assert/strict'
import { changeEmail, logInToAccount, verifyNewEmail } from '@coffer/contract/account/account'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { LightMyRequestResponse } from 'fastify'
import { createServiceUser } from '../identity/create-service-user.ts'
import { link } from '../identity/link.ts'
import { inventEmail, PASSWORD, SAME_ORIGIN } from './sign-in.ts'
import { giveBonus, makeClientApp, type TestApp, type TestUser } from './factories.ts'
import { startHarness, type Harness } from './harness.ts'
import { startMailServer, type MailServer } from './mail-server.ts'
import type { Fields } from './setup.ts'

const GENEROUS = {
  LOG_INS_PER_MINUTE: '10000',
  WIDGET_REQUESTS_PER_SECOND: '10000',
  PASSWORD_HASHES_PER_SECOND: '1000',
}

export interface TestPerson extends TestUser {
  email: string
  /** The Cookie header of a browser in which the person is logged in. */
  cookie: string
}

export interface PersonSetup {
  harness: Harness
  app: TestApp
  /** A person who is linked to the app, has 100.00 and is logged in. */
  person: TestPerson & { serviceUserId: string }
}

export async function openPersonSetup(env: Record<string, string> = {}): Promise<PersonSetup> {
  return addPerson(await startHarness({ ...GENEROUS, ...env }))
}

export async function openPersonSetupWithMail(
  env: Record<string, string> = {},
): Promise<PersonSetup & { mail: MailServer; close: () => Promise<void> }> {
  const mail = await startMailServer()
  const setup = await openPersonSetup({ ...mail.env, ...env })
  return {
    ...setup,
    mail,
    async close() {
      await setup.harness.end()
      await mail.stop()
    },
  }
}

async function addPerson(harness: Harness): Promise<PersonSetup> {
  const app = await makeClientApp(harness.context, { name: 'Corner shop' })
  const person = await makePerson(harness, 100_00n)
  const serviceUserId = await link(harness.context.db, app.id, person.id)
  return { harness, app, person: { ...person, serviceUserId } }
}

export async function makePerson(harness: Harness, balanceMinor = 0n): Promise<TestPerson> {
  const { context } = harness
  const email = inventEmail()
  const passwordHash = await context.passwords.hash(PASSWORD)
  const user = await createServiceUser(context, {
    firstName: 'Ada',
    lastName: 'Example',
    email,
    passwordHash,
    isVerified: true,
  })
  if (balanceMinor > 0n) await giveBonus(context.ledger, user.walletId, balanceMinor)
  return { ...user, email, cookie: await logInAs(harness, email) }
}

/** Returns the Cookie header for later calls. */
export async function logInAs(
  harness: Harness,
  email: string,
  password = PASSWORD,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await ask({ harness }, logInToAccount, { email, password }, headers)
  assert.equal(response.statusCode, 200, response.body)
  return cookieOf(response)
}

/** Changes the email address of a logged-in person, with the code. Returns the new address. */
export async function moveEmail(
  { harness, mail }: { harness: Harness; mail: MailServer },
  person: Pick<TestPerson, 'cookie'>,
  email = inventEmail(),
): Promise<string> {
  const begun = await ask({ harness, person }, changeEmail, { email, password: PASSWORD })
  assert.equal(begun.statusCode, 200, begun.body)
  const { ticket } = begun.json<{ ticket: string }>()
  const fields = { ticket, code: await mail.readCode(email) }
  const verified = await ask({ harness, person }, verifyNewEmail, fields)
  assert.equal(verified.statusCode, 200, verified.body)
  return email
}

export function cookieOf(response: LightMyRequestResponse): string {
  return String(response.headers['set-cookie']).split(';')[0] ?? ''
}

/** Calls like our own page, logged in if the setup has a person; `headers` override the defaults. */
export function ask(
  setup: Pick<PersonSetup, 'harness'> & { person?: Pick<TestPerson, 'cookie'> },
  endpoint: Endpoint,
  fields: Fields = {},
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const cookie: Record<string, string> = setup.person ? { cookie: setup.person.cookie } : {}
  const all = { ...SAME_ORIGIN, ...cookie, ...headers }
  if (endpoint.method === 'POST') {
    return askRaw(setup.harness, endpoint, JSON.stringify(fields), all)
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    const values = Array.isArray(value) ? value : [value]
    for (const each of values) if (each !== undefined) query.append(name, `${each}`)
  }
  return setup.harness.inject({ method: 'GET', url: `${endpoint.path}?${query}`, headers: all })
}

export function askRaw(
  harness: Harness,
  endpoint: Endpoint,
  payload: string,
  headers: Record<string, string>,
): Promise<LightMyRequestResponse> {
  const all = { 'content-type': 'application/json', ...headers }
  return harness.inject({ method: 'POST', url: endpoint.path, payload, headers: all })
}
