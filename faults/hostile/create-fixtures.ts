/** The targets of hostile requests: client apps, people, operators and their secrets, some of which the callers know. */
import { randomBytes } from 'node:crypto'
import type { RunningSandbox } from '../../sandbox/start-sandbox.ts'
import { makeOperator } from '../../server/test/admin-setup.ts'
import { makeClientApp, makeLinkedUser, type TestApp } from '../../server/test/factories.ts'
import { startHarness, type Harness } from '../../server/test/harness.ts'
import { makePerson } from '../../server/test/account-setup.ts'
import { mintSession } from '../../server/test/shop.ts'
import { stripeEnv } from '../../sandbox/stripe-env.ts'

export interface Fixtures {
  /** The environment of a service process. */
  env: Record<string, string>
  /** May write, and no caller knows any of its users. */
  writer: Credentials
  /** May only read; it has one user, whom callers know. */
  reader: Credentials & { serviceUserId: string }
  sessions: { live: string; frozen: string; expired: string }
  cookies: { person: string; owner: string; viewer: string }
  takenEmail: string
  parent: string
  webhookSecret: string
  /** All existing ids and names, in lower case. */
  real: string[]
  /** Must not appear in any response or log line. */
  secrets: string[]
  /** Only operators may see these. */
  operatorsOnly: string[]
}

export interface Credentials {
  clientId: string
  clientSecret: string
}

/** Raises limits that would keep requests from the parsers; passwords are rarely hashed, to save CPU time. */
const LIMITS = {
  APP_REQUESTS_PER_SECOND: '1000000',
  SESSIONS_PER_SECOND: '1000000',
  WIDGET_REQUESTS_PER_SECOND: '1000000',
  LOG_INS_PER_MINUTE: '1000000',
  SIGN_UPS_PER_HOUR: '1000000',
  TOPUPS_PER_HOUR: '1000000',
  STRIPE_CALLS_PER_SECOND: '1000000',
  PASSWORD_HASHES_PER_SECOND: '1',
}
export const PUBLIC_URL = 'https://wallet.example'
const PUBLIC = { PUBLIC_URL, ALLOW_UNVERIFIED_EMAIL: 'true' }
/** At the start all ids are below 100; numbering starts at 1. */
const SMALL_IDS = Array.from({ length: 100 }, (_, id) => String(id))

export async function createFixtures(
  sandbox: RunningSandbox,
): Promise<{ harness: Harness; fixtures: Fixtures }> {
  const keys = [randomKey(), randomKey()] as const
  const secretEnv = { SECRET_PEPPERS: `hostile:${keys[0]}`, ADMIN_KEYS: `hostile:${keys[1]}` }
  const env = { ...LIMITS, ...PUBLIC, ...secretEnv, ...stripeEnv(sandbox) }
  const harness = await startHarness({ ...env, PASSWORD_HASHES_PER_SECOND: '10' })
  const fixtures = await createRecords(harness)
  const databaseUrl = new URL(harness.databaseUrl)
  databaseUrl.password = randomBytes(12).toString('hex')
  const secrets = [...keys, databaseUrl.password, sandbox.secretKey, sandbox.webhookSecret]
  return {
    harness,
    fixtures: {
      ...fixtures,
      env: { ...env, DATABASE_URL: databaseUrl.href, LOG_LEVEL: 'info' },
      webhookSecret: sandbox.webhookSecret,
      secrets: [...secrets, ...fixtures.secrets],
    },
  }
}

async function createRecords(harness: Harness): Promise<Omit<Fixtures, 'env' | 'webhookSecret'>> {
  const { context, admin } = harness
  const parent = 'https://shop.example'
  const writer = await makeClientApp(context, { name: 'Till' })
  const scopes = ['wallet:read'] as const
  const about = { name: 'Reader', scopes, allowedIframeParents: [parent] }
  const reader = await makeClientApp(context, about)
  const hidden = await makeLinkedUser(context, writer, 100_00n)
  const hiddenPerson = await makePerson(harness, 50_00n)
  const known = await makeLinkedUser(context, reader, 100_00n)
  const frozen = await makeLinkedUser(context, reader, 100_00n)
  await context.ledger.setWalletActive(frozen.walletId, false)
  const mint = (app: TestApp, user: typeof known) => mintSession({ harness, app, user })
  const sessions = {
    live: await mint(reader, known),
    frozen: await mint(reader, frozen),
    expired: await mint(reader, hidden).catch(() => mint(writer, hidden)),
  }
  await keepSessions(harness, frozen.serviceUserId, known.serviceUserId)
  const person = await makePerson(harness, 100_00n)
  const owner = await makeOperator(harness, 'owner')
  const viewer = await makeOperator(harness, 'viewer')
  // Operators do not have to confirm again during the test.
  await admin.query(`update admin.log_ins set confirmed_at = now() + interval '1 day'`)
  // The events of the apps contain the ids of their own users. Without them, every such id in a response is a fault.
  await admin.query('delete from events.outbox; delete from events.events')
  const secretHashes = await admin.query<{ text: string }>(
    `select password_hash as text from admin.operators
     union all select password_hash from directory.people where password_hash is not null
     union all select encode(hmac, 'hex') from directory.client_secrets`,
  )
  const cookies = { person: person.cookie, owner: owner.cookie, viewer: viewer.cookie }
  return {
    writer: credentialsOf(writer),
    reader: { ...credentialsOf(reader), serviceUserId: known.serviceUserId },
    sessions,
    cookies,
    takenEmail: person.email,
    parent,
    real: [...SMALL_IDS, ...(await listIds(harness))],
    secrets: [
      writer.clientSecret,
      reader.clientSecret,
      ...Object.values(sessions),
      ...Object.values(cookies).map((cookie) => cookie.split('=')[1] ?? ''),
      owner.password,
      viewer.password,
      ...owner.recoveryCodes,
      ...secretHashes.rows.map(({ text }) => text),
    ],
    operatorsOnly: [hidden.serviceUserId, frozen.serviceUserId, hiddenPerson.email],
  }
}

/** Two sessions stay active, the third has expired. */
async function keepSessions({ admin }: Harness, ...serviceUserIds: string[]) {
  await admin.query(
    `update directory.widget_sessions set expires_at = case
       when 'su_' || replace(link_public_id::text, '-', '') = any($1)
       then now() + interval '1 day' else now() - interval '1 minute' end`,
    [serviceUserIds],
  )
}

async function listIds({ admin }: Harness): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(
    `select client_id as id from directory.client_apps
     union all select 'su_' || replace(public_id::text, '-', '') from directory.links
     union all select id::text from directory.log_ins
     union all select id::text from admin.log_ins
     union all select lower(email) from directory.people
     union all select lower(email) from admin.operators`,
  )
  return rows.map(({ id }) => id)
}

function credentialsOf({ clientId, clientSecret }: TestApp): Credentials {
  return { clientId, clientSecret }
}

function randomKey(): string {
  return randomBytes(32).toString('base64')
}
