/** A second operator decides on a credit limit. */
import * as grantsEndpoints from '@coffer/contract/admin/grants'
import * as operatorsEndpoints from '@coffer/contract/admin/operators'
import * as switchesEndpoints from '@coffer/contract/admin/switches'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  askAs,
  auditOf,
  makeOperator,
  openAdminSetup,
  outcomesOf,
  type AdminSetup,
  type TestOperator,
} from '../../test/admin-setup.ts'
import type { TestApp } from '../../test/factories.ts'
import { addOperator, approve, assertGrantBooks, resetOperator } from '../../test/grant-setup.ts'
import { changeLimit, creditWith, readApp, register, waitingOf } from '../../test/limit-setup.ts'
import { assertRefusal } from '../../test/setup.ts'

const endpoint = grantsEndpoints.approveGrant

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(async () => {
  await assertGrantBooks(setup)
  await setup.harness.end()
})

const newOperator = (role: 'owner' | 'operator' = 'operator') => makeOperator(setup.harness, role)

/** An app whose limit waits for a second operator. */
async function registerWaiting(
  who: TestOperator,
  limit: string,
): Promise<TestApp & { grant: string }> {
  const app = await register(setup, who, limit)
  const [grant] = await waitingOf(setup, who, app)
  return { ...app, grant: grant?.id ?? assert.fail() }
}

describe('approving a credit limit', () => {
  it('200 sets the limit immediately, and the audit log contains both operators', async () => {
    const { operator, owner } = setup
    const app = await registerWaiting(operator, '250.50')
    const response = await approve(setup, owner, { id: app.grant })
    const posted = { status: 'posted', balance: null, currency: 'USD', approvers: [] }
    assert.deepEqual(response.json(), posted)
    assert.equal((await approve(setup, owner, { id: app.grant })).body, response.body)
    const { creditLimit, waitingLimit } = await readApp(setup, app)
    assert.deepEqual([creditLimit, waitingLimit], [250.5, null])
    assert.equal(await creditWith(setup, app, 250.5), 200)
    assert.equal(await creditWith(setup, app, 0.01), 'CREDIT_LIMIT_EXCEEDED')
    const [, , approved, ...others] = await auditOf(setup, app.clientId)
    assert.deepEqual(others, [])
    assert.deepEqual([approved?.action, approved?.actor], ['grant.approve', owner.email])
    assert.deepEqual(approved?.before, { status: 'open', creditLimit: '0.00' })
    assert.deepEqual(approved?.after, {
      grant: app.grant,
      kind: 'credit_limit',
      amount: '250.50',
      creditLimit: '250.50',
      reason: 'Registration of the client app',
      proposedBy: operator.email,
      status: 'approved',
      approvedBy: owner.email,
    })
  })

  it('200 makes an app with earlier credits and debits unlimited', async () => {
    const app = await registerWaiting(setup.operator, 'unlimited')
    const limited = await newOperator()
    assert.equal(await changeLimit(setup, limited, app, '50'), false)
    assert.equal(await creditWith(setup, app, 50), 200)
    assert.equal((await approve(setup, setup.owner, { id: app.grant })).statusCode, 200)
    assert.equal(await creditWith(setup, app, 1_000_000), 200)
    const { creditLimit, settlement } = await readApp(setup, app)
    assert.deepEqual([creditLimit, settlement], [null, -1_000_050])
  })

  it('200 for only one of several concurrent approvals', async () => {
    const approvers = await Promise.all(Array.from({ length: 4 }, () => newOperator()))
    for (const limit of ['500', 'unlimited']) {
      const app = await registerWaiting(setup.operator, limit)
      const responses = await Promise.all(
        approvers.map((who) => approve(setup, who, { id: app.grant })),
      )
      assert.deepEqual(outcomesOf(responses), ['200', ...Array<string>(3).fill('GRANT_DECIDED')])
      const entries = await auditOf(setup, app.clientId)
      assert.equal(entries.filter(({ action }) => action === 'grant.approve').length, 1)
    }
  })

  it('200 for a repeated approval, which does not restore a limit that was lowered since', async () => {
    const app = await registerWaiting(setup.operator, '500')
    assert.equal((await approve(setup, setup.owner, { id: app.grant })).statusCode, 200)
    assert.equal(await changeLimit(setup, setup.operator, app, '10'), false)
    assert.equal((await approve(setup, setup.owner, { id: app.grant })).statusCode, 200)
    assert.equal((await readApp(setup, app)).creditLimit, 10)
  })

  it('200 while writes are paused, because a limit moves no money', async () => {
    const app = await registerWaiting(setup.operator, '500')
    const pause = (fields: object) =>
      askAs(setup, setup.owner, switchesEndpoints.pauseWrites, { ...fields })
    await pause({ isPaused: true, reason: 'A test' })
    const response = await approve(setup, setup.owner, { id: app.grant })
    await pause({ isPaused: false })
    assert.equal(response.statusCode, 200, response.body)
  })

  it('403 SECOND_OPERATOR_REQUIRED for the proposer and for every related operator', async () => {
    const mother = await newOperator('owner')
    const child = await addOperator(setup, mother, 'operator')
    const sibling = await addOperator(setup, mother, 'owner')
    const helped = await resetOperator(setup, mother, await newOperator())
    const app = await registerWaiting(child, 'unlimited')
    for (const who of [child, mother, sibling, helped]) {
      const [seen] = await waitingOf(setup, who, app)
      assert.equal(seen?.hindrance, who === child ? 'own' : 'related')
      const response = await approve(setup, who, { id: app.grant })
      assertRefusal(response, endpoint, 'SECOND_OPERATOR_REQUIRED')
    }
    assert.equal((await readApp(setup, app)).creditLimit, 0)
    const [seen] = await waitingOf(setup, setup.owner, app)
    assert.equal(seen?.hindrance, null)
    assert.equal((await approve(setup, setup.owner, { id: app.grant })).statusCode, 200)
  })

  it('403 OPERATOR_FORBIDDEN for a viewer, 401 LOGIN_REQUIRED for an inactive operator', async () => {
    const app = await registerWaiting(setup.operator, '500')
    assertRefusal(
      await approve(setup, setup.viewer, { id: app.grant }),
      endpoint,
      'OPERATOR_FORBIDDEN',
    )
    const gone = await newOperator()
    const fields = { id: String(gone.id), isActive: false }
    await askAs(setup, setup.owner, operatorsEndpoints.changeOperator, fields)
    assertRefusal(await approve(setup, gone, { id: app.grant }), endpoint, 'LOGIN_REQUIRED')
    assert.equal((await readApp(setup, app)).creditLimit, 0)
  })

  it('409 GRANT_LAPSED if the proposer has lost the permission', async () => {
    const who = await newOperator()
    const app = await registerWaiting(who, '500')
    const fields = { id: String(who.id), role: 'viewer' }
    await askAs(setup, setup.owner, operatorsEndpoints.changeOperator, fields)
    assertRefusal(await approve(setup, setup.owner, { id: app.grant }), endpoint, 'GRANT_LAPSED')
  })

  it('409 GRANT_LAPSED if the app already has a higher limit or no limit', async () => {
    const app = await registerWaiting(setup.operator, '500')
    const other = await newOperator()
    assert.equal(await changeLimit(setup, other, app, '800'), true)
    const [higher] = await waitingOf(setup, setup.owner, app)
    assert.equal((await approve(setup, setup.owner, { id: higher?.id ?? '' })).statusCode, 200)
    assertRefusal(await approve(setup, setup.owner, { id: app.grant }), endpoint, 'GRANT_LAPSED')
    assert.equal((await readApp(setup, app)).creditLimit, 800)
    const unlimited = await registerWaiting(setup.operator, 'unlimited')
    assert.equal(await changeLimit(setup, other, unlimited, '800'), true)
    const [number] = await waitingOf(setup, setup.owner, unlimited)
    await approve(setup, setup.owner, { id: unlimited.grant })
    const late = await approve(setup, setup.owner, { id: number?.id ?? '' })
    assertRefusal(late, endpoint, 'GRANT_LAPSED')
    assert.equal((await readApp(setup, unlimited)).creditLimit, null)
  })

  it('stores the limit and the decision in one transaction', async (test) => {
    const app = await registerWaiting(setup.operator, '500')
    const { admin } = setup.harness
    await admin.query(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no'; end $$`)
    await admin.query(`create trigger refuse before update of credit_limit on ledger.accounts
      for each row execute function refuse()`)
    test.after(() => admin.query('drop function if exists refuse cascade'))
    assert.equal((await approve(setup, setup.owner, { id: app.grant })).statusCode, 500)
    const [grant] = await waitingOf(setup, setup.owner, app)
    assert.equal(grant?.status, 'open')
    await admin.query('drop function refuse cascade')
    assert.equal((await approve(setup, setup.owner, { id: app.grant })).statusCode, 200)
    assert.equal((await readApp(setup, app)).creditLimit, 500)
  })
})

describe('declining a credit limit', () => {
  it('200 keeps the limit, and the audit log contains the operator and the reason', async () => {
    const { operator, owner } = setup
    for (const [who, status] of [
      [owner, 'rejected'],
      [operator, 'withdrawn'],
    ] as const) {
      const app = await registerWaiting(operator, 'unlimited')
      const fields = { id: app.grant, reason: 'Not agreed' }
      const response = await askAs(setup, who, grantsEndpoints.declineGrant, fields)
      assert.equal(response.statusCode, 200, response.body)
      assertRefusal(await approve(setup, owner, { id: app.grant }), endpoint, 'GRANT_DECIDED')
      const { creditLimit, waitingLimit } = await readApp(setup, app)
      assert.deepEqual([creditLimit, waitingLimit], [0, null])
      const entry = (await auditOf(setup, app.clientId)).at(-1)
      assert.equal(entry?.actor, who.email)
      assert.deepEqual(entry?.after, {
        grant: app.grant,
        kind: 'credit_limit',
        creditLimit: 'unlimited',
        reason: 'Registration of the client app',
        proposedBy: operator.email,
        status,
        because: 'Not agreed',
      })
    }
  })
})
