/** Nobody moves more than the daily limit alone, whether in small parts or through operators they control. */
import type { Role } from '@coffer/contract/admin/endpoint'
import * as grantsEndpoints from '@coffer/contract/admin/grants'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import {
  ADMIN_ENV,
  askAs,
  makeOperator,
  openAdminSetup,
  type AdminSetup,
  type TestOperator,
} from '../../test/admin-setup.ts'
import {
  addOperator,
  approve,
  assertGrantBooks,
  grantFields,
  readGrant,
  plantOpenGrant,
  propose,
  resetOperator,
} from '../../test/grant-setup.ts'
import { startHarness } from '../../test/harness.ts'
import { assertRefusal } from '../../test/setup.ts'
import { LOCK_GRANTS } from '../second-operator-queries.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(async () => {
  await assertGrantBooks(setup)
  await setup.harness.end()
})

const newOperator = (role: Role = 'operator') => makeOperator(setup.harness, role)

/** Proposes the amounts one after another and returns the outcome of each. */
async function give(who: TestOperator, ...amounts: string[]): Promise<string[]> {
  const statuses: string[] = []
  for (const amount of amounts) statuses.push((await propose(setup, who, { amount })).status)
  return statuses
}

async function sumWithoutSecond(who: TestOperator[]): Promise<number> {
  const { rows } = await setup.harness.admin.query<{ sum: number }>(
    `select coalesce(sum(amount), 0)::int as sum from admin.grants
      where status = 'posted' and not needs_second and proposed_by = any($1::bigint[])`,
    [who.map(({ id }) => String(id))],
  )
  return rows[0]?.sum ?? assert.fail()
}

describe('the limit of 100.00 in 24 hours', () => {
  it('cannot be exceeded in small parts; the limit itself is allowed', async () => {
    assert.deepEqual(await give(await newOperator(), '100.00', '0.01'), ['posted', 'open'])
    assert.deepEqual(await give(await newOperator(), '100.01', '100'), ['open', 'posted'])
    const cut = await give(await newOperator(), '60', '40.01', '39.99', '0.02', '0.01', '0.01')
    assert.deepEqual(cut, ['posted', 'open', 'posted', 'open', 'posted', 'open'])
  })

  it('counts grants that are decided and not posted yet, because the ledger is not available', async () => {
    const who = await newOperator()
    const { id } = await propose(setup, who, { amount: '100' })
    const setStatus = (status: string) =>
      setup.harness.admin.query('update admin.grants set status = $2 where id = $1', [id, status])
    await setStatus('approved')
    assert.deepEqual(await give(who, '0.01'), ['open'])
    await setStatus('posted')
  })

  it('holds for 50 concurrent proposals by two related operators in two processes', async () => {
    const { databaseUrl } = setup.harness
    const other = await startHarness({ ...ADMIN_ENV, DATABASE_URL: databaseUrl })
    const mother = await newOperator('owner')
    const child = await addOperator(setup, mother, 'operator')
    for (const [amount, most] of [
      ['9.99', 10],
      ['0.10', 1],
    ] as const) {
      const proposals = Array.from({ length: 50 }, async (_, at) => {
        const target = at % 2 === 0 ? setup : { harness: other }
        const fields = await grantFields(setup, { amount })
        return askAs(target, at % 3 === 0 ? mother : child, grantsEndpoints.proposeGrant, fields)
      })
      const responses = await Promise.all(proposals)
      const statuses = responses.map((each) => each.json<{ status: string }>().status)
      assert.equal(statuses.filter((each) => each === 'posted').length, most)
      assert.equal(statuses.filter((each) => each === 'open').length, 50 - most)
    }
    assert.equal(await sumWithoutSecond([mother, child]), 100_00)
    await other.end()
  })

  it('is shared by an operator, the operators they created and those whose authenticator they reset', async () => {
    const mother = await newOperator('owner')
    const daughter = await addOperator(setup, mother, 'owner')
    const granddaughter = await addOperator(setup, daughter, 'operator')
    assert.deepEqual(await give(granddaughter, '50'), ['posted'])
    assert.deepEqual(await give(mother, '50.01', '30'), ['open', 'posted'])
    assert.deepEqual(await give(daughter, '20', '0.01'), ['posted', 'open'])
    const unrelated = await newOperator()
    assert.deepEqual(await give(unrelated, '100'), ['posted'])
    const lost = await resetOperator(setup, await newOperator('owner'), unrelated)
    assert.deepEqual(await give(lost, '0.01'), ['open'])
  })

  it('always requires a second operator if it is 0', async () => {
    const { databaseUrl } = setup.harness
    const env = { ...ADMIN_ENV, DATABASE_URL: databaseUrl, SECOND_OPERATOR_ABOVE: '0' }
    const strict = { harness: await startHarness(env) }
    const { status } = await propose(strict, await newOperator(), { amount: '0.01' })
    assert.equal(status, 'open')
    await strict.harness.end()
  })
})

describe('the second operator', () => {
  it('is not an operator whom the proposer reset after proposing', async () => {
    const first = await newOperator('owner')
    const second = await newOperator()
    const { id } = await plantOpenGrant(setup, { by: first.id })
    assert.equal((await readGrant(setup, second, { id })).approvalBlockedBy, null)
    const entered = await resetOperator(setup, first, second)
    const response = await approve(setup, entered, { id })
    assertRefusal(response, grantsEndpoints.approveGrant, 'SECOND_OPERATOR_REQUIRED')
    // Another reset adds a relation and keeps the one to the operator who reset it first.
    const again = await resetOperator(setup, setup.owner, entered)
    const later = await approve(setup, again, { id })
    assertRefusal(later, grantsEndpoints.approveGrant, 'SECOND_OPERATOR_REQUIRED')
  })

  it('cannot approve if the proposer no longer has the role', async () => {
    const { admin, context } = setup.harness
    const first = await newOperator()
    const fields = await grantFields(setup)
    await admin.query('begin')
    await admin.query(LOCK_GRANTS)
    const pending = askAs(setup, first, grantsEndpoints.proposeGrant, fields)
    await sleep(300)
    await context.db.query(`update admin.operators set role = 'viewer' where id = $1`, [first.id])
    await admin.query('commit')
    assertRefusal(await pending, grantsEndpoints.proposeGrant, 'OPERATOR_FORBIDDEN')
  })
})

describe('the database', () => {
  it('enforces the rule too: nothing is posted without a second, different operator', async () => {
    const { db } = setup.harness.context
    const { id } = await plantOpenGrant(setup, { by: setup.operator.id })
    const set = (change: string) =>
      db.query(`update admin.grants set ${change} where id = $1`, [id])
    const now = 'decided_at = now()'
    const own = `second_operator = proposed_by`
    for (const change of [
      `status = 'approved', ${now}`,
      `status = 'posted', ${now}`,
      `status = 'approved', ${now}, ${own}`,
      `status = 'rejected', ${now}, ${own}, declined_because = 'Because'`,
      `status = 'rejected', ${now}, second_operator = ${setup.owner.id}`,
      `status = 'refused', ${now}, second_operator = ${setup.owner.id}`,
      `second_operator = ${setup.owner.id}`,
      now,
    ]) {
      await assert.rejects(set(change), { code: '23514' }, change)
    }
  })

  it('does not let the service change or delete a proposal', async () => {
    const { db } = setup.harness.context
    for (const change of [
      'update admin.grants set amount = 1',
      'update admin.grants set needs_second = false',
      `update admin.grants set reason = 'Another'`,
      'update admin.grants set wallet_id = 1',
      'update admin.grants set proposed_by = 1',
      'delete from admin.grants',
      'delete from admin.operator_resets',
      'update admin.operator_resets set reset_by = 1',
      'update admin.audit set actor = actor',
      'delete from admin.audit',
    ]) {
      await assert.rejects(db.query(change), { code: '42501' }, change)
    }
  })
})
