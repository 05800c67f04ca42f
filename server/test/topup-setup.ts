/** The service with a card processor: the sandbox, in this process, and people who pay with its test cards. */
import { confirmTopup, createIntent } from '@coffer/contract/widget-api'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { WalletOwner } from '@coffer/contract/shapes'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startSandbox, type RunningSandbox } from '../../sandbox/start-sandbox.ts'
import { clientConfig } from '../database/connect.ts'
import { PROCESSOR_ACCOUNT } from '../ledger/types.ts'
import { verify } from '../ledger/verify.ts'
import { fromStripeAmount } from '../processor/stripe.ts'
import type { TopupTools } from '../topup/topup-tools.ts'
import { sweep } from '../topup/sweep.ts'
import { cloneDatabase } from './database.ts'
import { makeLinkedUser } from './factories.ts'
import { connectAdmin } from './harness.ts'
import { mintSession } from './shop.ts'
import { openStage, type Fields, type Stage } from './setup.ts'
import { stripeEnv } from '../../sandbox/stripe-env.ts'
import { startTcpProxy } from './tcp-proxy.ts'

export interface TopupStage extends Stage {
  sandbox: RunningSandbox
  tools: TopupTools
  /** Every call of this service to the processor, as `GET /v1/events`. */
  calls: string[]
  close(): Promise<void>
}

/** No limit of these bites unless a suite asks for it. */
const GENEROUS = {
  TOPUPS_PER_HOUR: '1000000',
  WIDGET_REQUESTS_PER_SECOND: '1000000',
  SESSIONS_PER_SECOND: '1000000',
}

export function topupEnv(sandbox: RunningSandbox): Record<string, string> {
  return { ...GENEROUS, ...stripeEnv(sandbox) }
}

/** No webhook goes anywhere until `listen`; the sweeper rests until `sweepNow` or `wakeSweeper`. */
export async function openTopupStage(env: Record<string, string> = {}): Promise<TopupStage> {
  const sandbox = await startSandbox({ webhookRetryPausesMs: [50, 100, 200, 400, 800] })
  const stage = await openStage({ ...topupEnv(sandbox), ...env })
  const { context } = stage.harness
  const { processor } = context
  assert(processor !== undefined)
  const calls: string[] = []
  processor.stripe.on('request', ({ method, path }: { method: string; path: string }) => {
    calls.push(`${method} ${path.split('?')[0] ?? ''}`)
  })
  await restSweeper(stage)
  async function close() {
    await stage.harness.end()
    await sandbox.close()
  }
  return { ...stage, sandbox, tools: { ...context, processor }, calls, close }
}

/** Somebody else at the same client app, with an empty wallet unless told otherwise. */
export async function withNewUser(stage: TopupStage, balanceMinor = 0n): Promise<TopupStage> {
  return { ...stage, user: await makeLinkedUser(stage.harness.context, stage.app, balanceMinor) }
}

/** The endpoint as a page with that session calls it. */
export function inSession<Of extends Endpoint>(endpoint: Of, session: string): Of {
  return { ...endpoint, path: `${endpoint.path}?session=${session}` }
}

export function post(
  { harness }: Pick<Stage, 'harness'>,
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

/** As the page does it: with a fresh session. */
export async function begin(stage: Stage, amount = 20): Promise<Intent> {
  const session = await mintSession(stage)
  const response = await post(stage, inSession(createIntent, session), { amount })
  assert.equal(response.statusCode, 200, response.body)
  return { session, ...response.json<Omit<Intent, 'session'>>() }
}

export function confirm(stage: Stage, { session, paymentIntentId }: Intent) {
  return post(stage, inSession(confirmTopup, session), { paymentIntentId })
}

/** Begun and paid with a card; nobody has told the service. */
export async function beginAndPay(stage: TopupStage, amount = 20, card?: string): Promise<Intent> {
  const intent = await begin(stage, amount)
  stage.sandbox.complete(intent.paymentIntentId, card)
  return intent
}

/** Begun, paid and credited. */
export async function topUp(stage: TopupStage, amount = 20, card?: string): Promise<Intent> {
  const intent = await beginAndPay(stage, amount, card)
  const response = await confirm(stage, intent)
  assert.equal(response.json<{ status: string }>().status, 'succeeded', response.body)
  return intent
}

export function chargeOf({ sandbox }: TopupStage, { paymentIntentId }: Intent): string {
  const charge = sandbox.state.paymentIntents.get(paymentIntentId)?.latest_charge
  assert(typeof charge === 'string')
  return charge
}

export async function walletOf({ harness, user }: Pick<Stage, 'harness' | 'user'>) {
  const wallet = await harness.context.ledger.readWallet(user.walletId)
  assert(wallet !== undefined)
  const { balance, debt, isActive } = wallet
  return { balance, debt, isActive }
}

export async function rowOf({ harness }: Pick<Stage, 'harness'>, { paymentIntentId }: Intent) {
  const { rows } = await harness.admin.query<{ id: string; status: string }>(
    'select id, status from directory.topups where intent_id = $1',
    [paymentIntentId],
  )
  assert(rows[0] !== undefined)
  return rows[0]
}

const CHORES = ['poll-events', 'check-topups', 'finish-refunds']

export async function restSweeper({ harness }: Pick<Stage, 'harness'>) {
  await harness.admin.query(
    `insert into directory.turns (name, next_at) select unnest($1::text[]), 'infinity'
      on conflict (name) do update set next_at = 'infinity'`,
    [CHORES],
  )
}

export async function wakeSweeper({ harness }: Pick<Stage, 'harness'>, chores = CHORES) {
  await harness.admin.query(
    'update directory.turns set next_at = now() where name = any($1::text[])',
    [chores],
  )
}

/** Rounds until nothing is due any more. The service's own sweeper may take a part of it. */
export async function sweepNow(stage: TopupStage, chores = CHORES) {
  const { admin } = stage.harness
  await admin.query(`update directory.topups set next_check_at = now() where status = 'open'`)
  await admin.query(`update directory.refunds set next_check_at = now() where status = 'reserved'`)
  for (let due = 1; due > 0;) {
    await wakeSweeper(stage, chores)
    await sweep(stage.tools)
    const { rows } = await admin.query<{ due: number }>(
      `select count(*)::int as due from directory.topups where status = 'open' and next_check_at <= now()`,
    )
    due = chores.includes('check-topups') ? (rows[0]?.due ?? 0) : 0
  }
  await sleep(100)
  await restSweeper(stage)
}

/** The books are sound, and what the processor moved is what the ledger moved against it, to the last unit. */
export async function assertBooks({ harness, sandbox }: TopupStage) {
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

/** A stage whose service loses its database when `cut` is called; `admin` keeps its own way there. */
export async function onFragileTopupStage(
  play: (stage: TopupStage, admin: pg.Client, cut: () => Promise<void>) => Promise<void>,
) {
  const database = await cloneDatabase()
  const proxy = await startTcpProxy(database.url)
  const stage = await openTopupStage({ DATABASE_URL: proxy.url })
  const admin = await connectAdmin(database.url)
  try {
    await play(stage, admin, () => proxy.stop())
  } finally {
    await stage.close()
    await admin.end()
    await database.drop()
  }
}
