/** A second operator decides on a credit limit. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  auditOf,
  openAdminSetup,
  type AdminSetup,
  type TestOperator,
} from '../../test/admin-setup.ts'
import type { TestApp } from '../../test/factories.ts'
import { approve, assertGrantBooks } from '../../test/grant-setup.ts'
import { creditWith, readApp, register, waitingOf } from '../../test/limit-setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(async () => {
  await assertGrantBooks(setup)
  await setup.harness.end()
})

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
