/** The service with a card processor: the sandbox, in this process, and people who pay with its test cards. */
import { createOwnIntent } from '@coffer/contract/account/topup'
import { confirmTopup, createIntent } from '@coffer/contract/widget/widget'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { WalletOwner } from '@coffer/contract/shapes'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import pg from 'pg'
import { startSandbox, type RunningSandbox } from '../../sandbox/start-sandbox.ts'
import { clientConfig } from '../database/connect.ts'
import { PROCESSOR_ACCOUNT } from '../ledger/types.ts'
import { verify } from '../ledger/verify/verify.ts'
import { fromStripeAmount } from '../processor/stripe.ts'
import type { TopupTools } from '../topup/topup-tools.ts'
import { SWEEPER_JOBS, runSweeperJob } from '../topup/sweep.ts'
import { ask, type PersonSetup, type TestPerson } from './account-setup.ts'
import { cloneDatabase } from './database.ts'
import { makeLinkedUser } from './factories.ts'
import { connectAdmin, startOwnHarness } from './harness.ts'
import { unblockJobs, blockJobs } from './leases.ts'
import { mintSession } from './shop.ts'
import { addShop, openSetup, type Fields, type Setup } from './setup.ts'
import { stripeEnv } from '../../sandbox/stripe-env.ts'
import { startDatabaseProxy } from './database-proxy.ts'

export interface TopupSetup extends Setup {
  sandbox: RunningSandbox
  tools: TopupTools
  /** Every request of this service to the processor, such as `GET /v1/events`. */
  calls: string[]
  close(): Promise<void>
}

/** Limits that no test reaches, unless it sets its own. */
const GENEROUS = {
  TOPUPS_PER_HOUR: '1000000',
  TOPUP_MAX_PER_DAY: '999999999',
  WIDGET_REQUESTS_PER_SECOND: '1000000',
  SESSIONS_PER_SECOND: '1000000',
  STRIPE_CALLS_PER_SECOND: '1000000',
}

export function topupEnv(sandbox: RunningSandbox): Record<string, string> {
  return { ...GENEROUS, ...stripeEnv(sandbox) }
}

/** No webhook is delivered before `listen`; the sweeper does nothing before `sweepNow` or `resumeSweeper`. */
export async function openTopupSetup(
  env: Record<string, string> = {},
  { runsJobs = true } = {},
): Promise<TopupSetup> {
  const sandbox = await startSandbox({ webhookRetryDelaysMs: [50, 100, 200, 400, 800] })
  const settings = { ...topupEnv(sandbox), ...env }
  const setup = runsJobs
    ? await openSetup(settings)
    : await addShop(await startOwnHarness(settings, undefined, { runsJobs }))
  const { context } = setup.harness
  const { processor } = context
  assert(processor !== undefined)
  const calls: string[] = []
  processor.stripe.on('request', ({ method, path }: { method: string; path: string }) => {
    calls.push(`${method} ${path.split('?')[0] ?? ''}`)
  })
  await stopSweeper(setup)
  async function close() {
    await setup.harness.end()
    await sandbox.close()
  }
  return { ...setup, sandbox, tools: { ...context, processor }, calls, close }
}

/** Another user of the same client app, with an empty wallet by default. */
export async function withNewUser(setup: TopupSetup, balanceMinor = 0n): Promise<TopupSetup> {
  return { ...setup, user: await makeLinkedUser(setup.harness.context, setup.app, balanceMinor) }
}

/** The endpoint as a page with that session calls it. */
export function inSession<Of extends Endpoint>(endpoint: Of, session: string): Of {
  return { ...endpoint, path: `${endpoint.path}?session=${session}` }
}

export function post(
  { harness }: Pick<Setup, 'harness'>,
  { path }: Pick<Endpoint, 'path'>,
  fields: Fields,
): Promise<LightMyRequestResponse> {
  return harness.inject({ method: 'POST', url: path, payload: fields })
}

export interface Intent {
  session: string
  paymentIntentId: string
  clientSecret: string
  publishableKey: string
  amount: number
  currency: string
  status: string
  user: WalletOwner
}

/** Starts a top-up like the page, with a new session. */
export async function begin(setup: Setup, amount = 20): Promise<Intent> {
  const session = await mintSession(setup)
  const response = await post(setup, inSession(createIntent, session), { amount })
  assert.equal(response.statusCode, 200, response.body)
  return { session, ...response.json<Omit<Intent, 'session'>>() }
}

/** Starts a top-up like the page at /account, with the person's own login. */
export async function beginOwn(
  setup: Pick<PersonSetup, 'harness'> & { person: Pick<TestPerson, 'cookie'> },
  amount = 20,
): Promise<Omit<Intent, 'session'>> {
  const response = await ask(setup, createOwnIntent, { amount })
  assert.equal(response.statusCode, 200, response.body)
  return response.json<Omit<Intent, 'session'>>()
}

export function confirm(setup: Setup, { session, paymentIntentId }: Intent) {
  return post(setup, inSession(confirmTopup, session), { paymentIntentId })
}

/** Started and paid with a card; the service has not been notified. */
export async function beginAndPay(setup: TopupSetup, amount = 20, card?: string): Promise<Intent> {
  const intent = await begin(setup, amount)
  setup.sandbox.complete(intent.paymentIntentId, card)
  return intent
}

/** Started, paid and credited. */
export async function topUp(setup: TopupSetup, amount = 20, card?: string): Promise<Intent> {
  const intent = await beginAndPay(setup, amount, card)
  const response = await confirm(setup, intent)
  assert.equal(response.json<{ status: string }>().status, 'succeeded', response.body)
  return intent
}

export function chargeOf(
  { sandbox }: TopupSetup,
  { paymentIntentId }: Pick<Intent, 'paymentIntentId'>,
): string {
  const charge = sandbox.state.paymentIntents.get(paymentIntentId)?.latest_charge
  assert(typeof charge === 'string')
  return charge
}

export async function walletOf({ harness, user }: Pick<Setup, 'harness' | 'user'>) {
  const wallet = await harness.context.ledger.readWallet(user.walletId)
  assert(wallet !== undefined)
  const { balance, debt, isActive } = wallet
  return { balance, debt, isActive }
}

export async function rowOf(
  { harness }: Pick<Setup, 'harness'>,
  { paymentIntentId }: Pick<Intent, 'paymentIntentId'>,
) {
  const { rows } = await harness.admin.query<{ id: string; status: string }>(
    'select id, status from directory.topups where intent_id = $1',
    [paymentIntentId],
  )
  assert(rows[0] !== undefined)
  return rows[0]
}

const JOBS = SWEEPER_JOBS.map(({ name }) => name)

/** From now on, only the test sweeps. */
export async function stopSweeper({ harness }: Pick<Setup, 'harness'>) {
  await blockJobs(harness.admin, JOBS)
}

/** Within seconds, the service's own sweeper works again. */
export async function resumeSweeper({ harness }: Pick<Setup, 'harness'>) {
  await unblockJobs(harness.admin, JOBS)
}

/** One round of each of these jobs, also of those after one that fails. */
export async function sweep(tools: TopupTools, jobs = JOBS) {
  for (const job of SWEEPER_JOBS.filter(({ name }) => jobs.includes(name))) {
    await runSweeperJob(tools, job).catch((error: unknown) => {
      tools.log.error({ err: error, job: job.name }, 'a job failed')
    })
  }
}

/** Sweeps until nothing is due. */
export async function sweepNow(setup: TopupSetup, jobs = JOBS) {
  const { admin } = setup.harness
  await admin.query(`update directory.topups set next_check_at = now() where status = 'open'`)
  await admin.query(`update directory.refunds set next_check_at = now() where status = 'reserved'`)
  for (let due = 1; due > 0;) {
    await sweep(setup.tools, jobs)
    const { rows } = await admin.query<{ due: number }>(
      `select count(*)::int as due from directory.topups where status = 'open' and next_check_at <= now()`,
    )
    due = jobs.includes('check-topups') ? (rows[0]?.due ?? 0) : 0
  }
}

/** The ledger verifies, and its entries against the processor equal what the processor moved, to the minor unit. */
export async function assertBooks({ harness, sandbox }: TopupSetup) {
  const client = new pg.Client(clientConfig(harness.databaseUrl))
  await client.connect()
  const report = await verify(client, {})
  await client.end()
  assert.equal(report.fault, undefined)
  const { rows } = await harness.admin.query<{ moved: string }>(
    `select coalesce(sum(amount - coalesce(debt_change, 0)), 0) as moved from ledger.operations where counter_account = $1`,
    [PROCESSOR_ACCOUNT],
  )
  const entries = [...sandbox.state.balanceTransactions.values()]
  const atProcessor = entries.reduce((sum, { amount }) => sum + amount, 0)
  const { currency } = harness.context.config
  assert.equal(BigInt(rows[0]?.moved ?? 0), fromStripeAmount(atProcessor, currency))
}

/** A setup whose service loses its database when `cut` is called; `admin` stays connected. */
export async function withCuttableTopupSetup(
  runTest: (setup: TopupSetup, admin: pg.Client, cut: () => Promise<void>) => Promise<void>,
) {
  const database = await cloneDatabase()
  const proxy = await startDatabaseProxy(database.url)
  const setup = await openTopupSetup({ DATABASE_URL: proxy.url })
  const admin = await connectAdmin(database.url)
  try {
    await runTest(setup, admin, () => proxy.stop())
  } finally {
    await setup.close()
    await admin.end()
    await database.drop()
  }
}
