/** Operators who give money, and how they are related. */
import type { Role } from '@coffer/contract/admin/endpoint'
import { approveGrant, listGrants, proposeGrant } from '@coffer/contract/admin/grants'
import { changeOperator, createOperator } from '@coffer/contract/admin/operators'
import { finishAdminLogIn } from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { z } from 'zod'
import { insertGrant } from '../admin/grants/queries.ts'
import { clientConfig } from '../database/connect.ts'
import { verify } from '../ledger/verify/verify.ts'
import {
  askAs,
  beginEnrolling,
  makeNewOperator,
  type AdminSetup,
  type TestOperator,
} from './admin-setup.ts'
import { inventEmail } from './sign-in.ts'
import { makeClientApp, makeLinkedUser, makeUser, type TestUser } from './factories.ts'
import type { Harness } from './harness.ts'
import { ask, cookieOf } from './account-setup.ts'
import type { Fields, Setup } from './setup.ts'

type WithHarness = Pick<AdminSetup, 'harness'>
export type Listed = z.output<typeof listGrants.response>['grants'][number]

export async function grantFields({ harness }: WithHarness, fields: Fields = {}): Promise<Fields> {
  const personId = String((await makeUser(harness.context, 50_00n)).id)
  const reason = 'Paid twice, ticket 4711'
  return { id: randomUUID(), personId, kind: 'bonus', amount: '20.00', reason, ...fields }
}

/** A hold of a new app, of a user with 100.00, unless they are given. */
export async function makeHold(
  { harness }: WithHarness,
  amountMinor = 30_00n,
  shop?: Pick<Setup, 'app' | 'user'>,
) {
  const app = shop?.app ?? (await makeClientApp(harness.context))
  const user = shop?.user ?? (await makeLinkedUser(harness.context, app, 100_00n))
  const pair = { referenceType: 'HOLD', referenceId: randomUUID() }
  const { decision } = await harness.context.ledger.post({
    ...pair,
    kind: 'hold',
    walletId: user.walletId,
    counterAccount: app.ledgerAccount,
    amountMinor,
    description: null,
    hold: { expiresInMs: 3_600_000 },
  })
  const reason = 'The app is gone, ticket 4712'
  const fields = { id: randomUUID(), personId: String(user.id), hold: decision.digest, reason }
  return { harness, app, user, pair, fields }
}

/** The input that allows the capture of a new suspended hold. */
export async function makeSuspendedHold(setup: WithHarness) {
  const { fields } = await makeHold(setup)
  const { personId: id, hold, reason } = fields
  const text = 'update ledger.holds set suspended_at = now() where digest = $1'
  await setup.harness.admin.query(text, [hold])
  return { id, hold, reason }
}

/** A grant that waits for a second operator, proposed by an unrelated operator. */
export async function plantOpenGrant(
  { harness }: WithHarness,
  { by, user, ...grant }: { by?: bigint; user?: TestUser; amount?: bigint; kind?: 'bonus' } = {},
): Promise<{ id: string; user: TestUser }> {
  const person = user ?? (await makeUser(harness.context, 50_00n))
  const { rows } = await harness.context.db.query<{ id: string }>(
    insertGrant({
      id: randomUUID(),
      userId: person.id,
      walletId: person.walletId,
      kind: 'bonus',
      amount: 500_00n,
      reason: 'Paid twice, ticket 4711',
      needsSecond: true,
      proposerId: by ?? (await makeNewOperator(harness, 'operator')).id,
      ...grant,
    }),
  )
  return { id: rows[0]?.id ?? assert.fail(), user: person }
}

/** Creates an operator like the page, who then sets up the authenticator. */
export async function addOperator(
  setup: WithHarness,
  by: TestOperator,
  role: Role,
): Promise<TestOperator> {
  const { harness } = setup
  const email = inventEmail()
  const made = await askAs(setup, by, createOperator, { email, name: 'Olga Added', role })
  assert.equal(made.statusCode, 200, made.body)
  const { id, password } = made.json<{ id: string; password: string }>()
  return finishEnrolling(harness, { id: BigInt(id), email, password })
}

/** Resets a lost authenticator; the operator then sets up another one. */
export async function resetOperator(
  setup: WithHarness,
  by: TestOperator,
  who: TestOperator,
): Promise<TestOperator> {
  const fields = { id: String(who.id), resetAuthenticator: true }
  const response = await askAs(setup, by, changeOperator, fields)
  assert.equal(response.statusCode, 200, response.body)
  return finishEnrolling(setup.harness, who)
}

async function finishEnrolling(
  harness: Harness,
  made: Pick<TestOperator, 'id' | 'email' | 'password'>,
): Promise<TestOperator> {
  const { ticket, totp } = await beginEnrolling(harness, made)
  const response = await ask({ harness }, finishAdminLogIn, { ticket, code: totp.generate() })
  assert.equal(response.statusCode, 200, response.body)
  const { recoveryCodes } = response.json<{ recoveryCodes: string[] }>()
  const { id, email, password } = made
  return { id, email, password, totp, recoveryCodes, cookie: cookieOf(response) }
}

interface Outcome {
  status: string
  balance: number | null
  approvers: string[]
}

export async function propose(setup: WithHarness, who: TestOperator, fields: Fields = {}) {
  const all = await grantFields(setup, fields)
  const response = await askAs(setup, who, proposeGrant, all)
  assert.equal(response.statusCode, 200, response.body)
  return { id: String(all['id']), fields: all, ...response.json<Outcome>() }
}

export function approve(setup: WithHarness, who: TestOperator, { id }: { id: string }) {
  return askAs(setup, who, approveGrant, { id })
}

/** The grant as this operator sees it. */
export async function readGrant(
  setup: WithHarness,
  who: TestOperator,
  { id }: { id: string },
): Promise<Listed> {
  const { rows } = await setup.harness.admin.query<{ service_user_id: string }>(
    'select service_user_id from admin.grants where id = $1',
    [id],
  )
  const personId = rows[0]?.service_user_id ?? assert.fail()
  const response = await askAs(setup, who, listGrants, { personId })
  const { grants } = response.json<{ grants: Listed[] }>()
  return grants.find((each) => each.id === id) ?? assert.fail()
}

export async function rowOf({ harness }: WithHarness, { id }: { id: string }) {
  const { rows } = await harness.admin.query<{
    status: string
    needs_second: boolean
    second_operator: string | null
    refusal: string | null
  }>('select status, needs_second, second_operator, refusal from admin.grants where id = $1', [id])
  return rows[0] ?? assert.fail()
}

/** The person's name in the audit log. */
export function subjectOf(fields: Fields): string {
  return `person/${String(fields['personId'])}`
}

/** How often the ledger executed it. */
export async function countPosted(
  { harness }: WithHarness,
  { id }: { id: string },
): Promise<number> {
  const { rows } = await harness.admin.query<{ count: number }>(
    'select count(*)::int as count from ledger.operations where reference_id = $1',
    [id],
  )
  return rows[0]?.count ?? 0
}

export async function balanceOf({ harness }: WithHarness, userId: unknown): Promise<bigint> {
  const { rows } = await harness.admin.query<{ balance: string }>(
    `select balance from ledger.wallets
      where id = (select wallet_id from directory.service_users where id = $1)`,
    [userId],
  )
  return BigInt(rows[0]?.balance ?? assert.fail())
}

/** The books are consistent, and the grants match what the ledger did. */
export async function assertGrantBooks({ harness }: WithHarness) {
  const client = new pg.Client(clientConfig(harness.databaseUrl))
  await client.connect()
  const report = await verify(client, {})
  await client.end()
  assert.equal(report.fault, undefined)
  const { rows } = await harness.admin.query(`
    select g.id, g.status, g.amount, o.amount as moved from admin.grants g
    left join ledger.operations o on o.wallet_id = g.wallet_id and o.reference_id = g.id::text
      and o.reference_type = case g.kind when 'bonus' then 'BONUS' when 'hold_release' then 'OPERATOR_RELEASE'
        else 'CORRECTION' end
    where g.kind <> 'credit_limit' and ((g.status = 'posted') <> (o.seq is not null)
      or o.amount <> case g.kind when 'correction_out' then -g.amount else g.amount end)`)
  assert.deepEqual(rows, [])
}
