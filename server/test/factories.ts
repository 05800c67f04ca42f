/** Creates client apps, linked users and money with the same functions as in production. */
import { hash, randomBytes, randomUUID } from 'node:crypto'
import type { Endpoint, SecretScope } from '@coffer/contract/endpoint'
import type pg from 'pg'
import { createServiceUser } from '../identity/create-service-user.ts'
import { issueLinkCode } from '../identity/exchange-link-code.ts'
import { link } from '../identity/link.ts'
import { createClientApp, type NewClientApp } from '../client-app/create-client-app.ts'
import { rotateSecret } from '../client-app/rotate-secret.ts'
import type { Config } from '../config.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { BONUS_ACCOUNT } from '../ledger/types.ts'

interface Tools {
  db: pg.Pool
  ledger: Ledger
  config: Config
}

export interface TestApp {
  id: bigint
  ledgerAccount: number
  clientId: string
  clientSecret: string
  /** Where a test needs it: a restricted secret with webhooks:manage, which no other secret includes. */
  webhookSecret?: string
}

export function makeClientApp(
  { db, ledger, config }: Tools,
  app: Partial<NewClientApp> = {},
): Promise<TestApp> {
  const tools = { db, ledger, peppers: config.peppers }
  // The setting that the specification describes. Tests of the default register an app as an operator does.
  const plain = { name: 'Test shop', creditLimit: 'unlimited', onMismatch: 'replay' } as const
  return createClientApp(tools, { ...plain, ...app })
}

/** A restricted secret of an app. Processes that know the app accept it within a second. */
export function makeSecret(
  { db, config }: Tools,
  { clientId }: TestApp,
  scopes: readonly SecretScope[],
  networks: string[] = [],
): Promise<string> {
  const name = `s${randomBytes(8).toString('hex')}`
  const restriction = { name, scopes: [...scopes], networks }
  return rotateSecret({ db, peppers: config.peppers }, clientId, { overlap: 'none', restriction })
}

/** The same app with a secret for the calls that need a grant. */
export async function withWebhookSecret(tools: Tools, app: TestApp): Promise<TestApp> {
  return { ...app, webhookSecret: await makeSecret(tools, app, ['webhooks:manage']) }
}

/** What a legitimate caller of the endpoint sends. */
export function credentialsFor(
  { clientId, clientSecret, webhookSecret }: TestApp,
  { requiresRestrictedSecret }: Pick<Endpoint, 'requiresRestrictedSecret'>,
) {
  return { clientId, clientSecret: (requiresRestrictedSecret && webhookSecret) || clientSecret }
}

export interface TestUser {
  id: bigint
  walletId: bigint
}

export async function makeUser(tools: Tools, balanceMinor = 0n): Promise<TestUser> {
  const email = `${randomBytes(8).toString('hex')}@example.com`
  const person = { firstName: 'Ada', lastName: 'Example', email }
  const user = await createServiceUser(tools, person)
  if (balanceMinor > 0n) await giveBonus(tools.ledger, user.walletId, balanceMinor)
  return user
}

export function giveBonus(ledger: Ledger, walletId: bigint, amountMinor: bigint) {
  return ledger.post({
    kind: 'bonus',
    referenceType: 'BONUS',
    referenceId: randomUUID(),
    walletId,
    amountMinor,
    counterAccount: BONUS_ACCOUNT,
    description: null,
  })
}

/** A user with money who is linked to the app. */
export async function makeLinkedUser(tools: Tools, app: TestApp, balanceMinor = 0n) {
  const user = await makeUser(tools, balanceMinor)
  return { ...user, serviceUserId: await link(tools.db, app.id, user.id) }
}

/** What an app creates before it opens the widget: a secret of its session, and the challenge for the page. */
export function createProof() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: hash('sha256', verifier, 'base64url') }
}

/** A code of a linked user with its verifier: the fields of the exchange. */
export async function makeLinkCode({ db }: Pick<Tools, 'db'>, serviceUserId: string) {
  const { verifier, challenge } = createProof()
  return { linkCode: await issueLinkCode(db, serviceUserId, challenge), verifier }
}

/** For tests that read the address; other factories generate a random one. */
export async function setEmail(admin: pg.Client, { id }: TestUser, email: string) {
  await admin.query('update directory.people set email = $2 where service_user_id = $1', [
    id,
    email,
  ])
}
