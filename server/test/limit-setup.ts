/** Client apps in the admin area: operators register and change them, and their contacts get email. */
import { changeClientApp, createClientApp, readClientApp } from '@coffer/contract/admin/client-apps'
import { listGrants } from '@coffer/contract/admin/grants'
import { credit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import {
  ADMIN_ENV,
  askAs,
  openAdminSetup,
  type AdminSetup,
  type TestOperator,
} from './admin-setup.ts'
import { makeClientApp, makeLinkedUser, type TestApp } from './factories.ts'
import type { Listed } from './grant-setup.ts'
import { startMailServer, type MailServer } from './mail-server.ts'
import { call } from './setup.ts'
import { inventEmail } from './sign-in.ts'

type ReadySetup = Pick<AdminSetup, 'harness'>
type ShownApp = z.output<typeof readClientApp.response>

export interface LimitOutcome {
  creditLimitWaits: boolean
  approvers: string[]
}

export const SETTINGS = {
  name: 'New shop',
  scopes: ['wallet:read', 'wallet:write'],
  allowedOrigins: [],
  allowedIframeParents: [],
  accentColor: null,
}

export async function register(
  setup: ReadySetup,
  who: Pick<TestOperator, 'cookie'>,
  creditLimit: string,
): Promise<TestApp & LimitOutcome> {
  const response = await askAs(setup, who, createClientApp, { ...SETTINGS, creditLimit })
  assert.equal(response.statusCode, 200, response.body)
  const made = response.json<LimitOutcome & { clientId: string; clientSecret: string }>()
  const found = await setup.harness.context.clientApps.find(made.clientId)
  assert(found)
  return { ...made, id: found.id, ledgerAccount: found.ledgerAccount }
}

export function askForLimit(
  setup: ReadySetup,
  who: Pick<TestOperator, 'cookie'>,
  { clientId }: Pick<TestApp, 'clientId'>,
  creditLimit: string,
) {
  return askAs(setup, who, changeClientApp, { ...SETTINGS, clientId, creditLimit })
}

/** Returns whether the new limit waits for a second operator. */
export async function changeLimit(
  setup: ReadySetup,
  who: Pick<TestOperator, 'cookie'>,
  app: Pick<TestApp, 'clientId'>,
  creditLimit: string,
): Promise<boolean> {
  const response = await askForLimit(setup, who, app, creditLimit)
  assert.equal(response.statusCode, 200, response.body)
  return response.json<LimitOutcome>().creditLimitWaits
}

export async function readApp(
  setup: AdminSetup,
  { clientId }: Pick<TestApp, 'clientId'>,
): Promise<ShownApp> {
  const response = await askAs(setup, setup.viewer, readClientApp, { clientId })
  return response.json<ShownApp>()
}

/** The credit limits that wait for this app, newest first, as this operator sees them. */
export async function waitingOf(
  setup: ReadySetup,
  who: Pick<TestOperator, 'cookie'>,
  { clientId }: Pick<TestApp, 'clientId'>,
): Promise<Listed[]> {
  const response = await askAs(setup, who, listGrants, { state: 'waiting' })
  assert.equal(response.statusCode, 200, response.body)
  const { grants } = response.json<{ grants: Listed[] }>()
  return grants.filter((each) => each.clientApp?.clientId === clientId)
}

/** The app credits a linked user; returns 200 or the code of the refusal. */
export async function creditWith(
  setup: ReadySetup,
  app: TestApp,
  amount: number,
): Promise<unknown> {
  const { harness } = setup
  const user = await makeLinkedUser(harness.context, app)
  const reference = { referenceType: 'GIFT', referenceId: randomUUID() }
  const fields = { serviceUserId: user.serviceUserId, amount, ...reference }
  const response = await call({ harness, app, user }, credit, fields)
  return response.statusCode === 200 ? 200 : response.json<{ code: string }>().code
}

export interface AuthoritySetup extends AdminSetup {
  mail: MailServer
  close(): Promise<void>
}

const PUBLIC_URL = 'http://localhost:8080'

export async function openAuthoritySetup(): Promise<AuthoritySetup> {
  const mail = await startMailServer()
  const setup = await openAdminSetup({ ...ADMIN_ENV, ...mail.env, PUBLIC_URL })
  async function close() {
    await setup.harness.end()
    await mail.stop()
  }
  return { ...setup, mail, close }
}

let number = 0

export function nextOrigin(): string {
  return `https://shop${++number}.authority.example`
}

export interface UsedApp extends TestApp {
  origin: string
  contact: string
}

/** An app with a contact that a person has linked, unless it is new. */
export async function makeUsedApp(
  { harness }: Pick<AdminSetup, 'harness'>,
  isUsed = true,
): Promise<UsedApp> {
  const origin = nextOrigin()
  const contact = inventEmail()
  const app = await makeClientApp(harness.context, {
    name: 'Used shop',
    scopes: ['wallet:read'],
    allowedOrigins: [origin],
    allowedIframeParents: [origin],
    contactEmails: [contact],
    creditLimit: 100_00n,
  })
  if (isUsed) await makeLinkedUser(harness.context, app)
  return { ...app, origin, contact }
}
