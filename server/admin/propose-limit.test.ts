/** An app can create money up to its credit limit, so limits count together with bonuses and corrections. */
import * as clientAppsEndpoints from '@coffer/contract/admin/client-apps'
import * as grantsEndpoints from '@coffer/contract/admin/grants'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ADMIN_ENV,
  askAs,
  auditOf,
  makeOperator,
  openAdminSetup,
  type AdminSetup,
  type TestOperator,
} from '../test/admin-setup.ts'
import { addOperator, approve, propose } from '../test/grant-setup.ts'
import { makeClientApp, makeUser } from '../test/factories.ts'
import { startHarness } from '../test/harness.ts'
import {
  askForLimit,
  changeLimit,
  creditWith,
  readApp,
  register,
  SETTINGS,
  waitingOf,
} from '../test/limit-setup.ts'
import { assertRefusal } from '../test/setup.ts'
import { LOCK_GRANTS } from './second-operator-queries.ts'
import { insertLimit } from './limit-queries.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

const newOperator = () => makeOperator(setup.harness, 'operator')

describe('one operator alone', () => {
  it('cannot create money with an unlimited app of their own', async () => {
    const owner = await makeOperator(setup.harness, 'owner')
    const app = await register(setup, owner, 'unlimited')
    const activation = { clientId: app.clientId, isActive: true }
    await askAs(setup, owner, clientAppsEndpoints.activateClientApp, activation)
    assert.equal(await creditWith(setup, app, 999_999_999.99), 'CREDIT_LIMIT_EXCEEDED')
    assert.equal(await creditWith(setup, app, 0.01), 'CREDIT_LIMIT_EXCEEDED')
    assert.equal(app.creditLimitWaits, true)
    const [grant] = await waitingOf(setup, owner, app)
    assert(grant)
    const another = await addOperator(setup, owner, 'operator')
    for (const who of [owner, another]) {
      const response = await approve(setup, who, grant)
      assertRefusal(response, grantsEndpoints.approveGrant, 'SECOND_OPERATOR_REQUIRED')
    }
    assert.equal(await creditWith(setup, app, 0.01), 'CREDIT_LIMIT_EXCEEDED')
  })

  it('needs approval for an unlimited app, whatever the threshold is', async () => {
    const { databaseUrl } = setup.harness
    const env = { ...ADMIN_ENV, DATABASE_URL: databaseUrl, SECOND_OPERATOR_ABOVE: '999999999.99' }
    const generous = { harness: await startHarness(env) }
    const who = await newOperator()
    assert.equal((await register(generous, who, '999999.99')).creditLimitWaits, false)
    assert.equal((await register(generous, who, 'unlimited')).creditLimitWaits, true)
    await generous.harness.end()
  })
})

describe('the sum of 24 hours', () => {
  it('counts the limit of a new app, raises and bonuses together, over related operators', async () => {
    const mother = await makeOperator(setup.harness, 'owner')
    const child = await addOperator(setup, mother, 'operator')
    const app = await register(setup, child, '40')
    assert.equal(await changeLimit(setup, mother, app, '70'), false)
    assert.equal((await propose(setup, child, { amount: '30.01' })).status, 'open')
    assert.equal((await propose(setup, child, { amount: '29' })).status, 'posted')
    assert.equal((await register(setup, mother, '1.01')).creditLimitWaits, true)
    assert.equal(await changeLimit(setup, mother, app, '71.01'), true)
    assert.equal(await changeLimit(setup, mother, app, '71'), false)
    assert.equal((await propose(setup, mother, { amount: '0.01' })).status, 'open')
    assert.equal((await readApp(setup, app)).creditLimit, 71)
    const unrelated = await newOperator()
    assert.equal(await changeLimit(setup, unrelated, app, '171'), false)
  })

  it('includes concurrent requests, because it is computed for one request at a time', async () => {
    const { admin, context } = setup.harness
    const asks = [
      async (who: TestOperator) => (await register(setup, who, '100')).creditLimitWaits,
      async (who: TestOperator) => {
        const app = await makeClientApp(context, { creditLimit: 0n })
        return changeLimit(setup, who, app, '100')
      },
    ]
    for (const ask of asks) {
      const who = await newOperator()
      const { id, walletId } = await makeUser(context)
      await admin.query('begin')
      await admin.query(LOCK_GRANTS)
      await admin.query(
        `insert into admin.grants (id, kind, service_user_id, wallet_id, amount, reason, proposed_by, needs_second,
            status, decided_at)
          values (gen_random_uuid(), 'correction_out', $1, $2, 1, 'A test', $3, false, 'posted', now())`,
        [id, walletId, who.id],
      )
      const pending = ask(who)
      await sleep(300)
      await admin.query('commit')
      assert.equal(await pending, true)
    }
  })
})

describe('a pending limit', () => {
  it('is shown with the app and its possible approvers, and the audit log contains the request', async () => {
    const { operator, owner } = setup
    const app = await register(setup, operator, '250.50')
    assert(app.approvers.includes(owner.email) && !app.approvers.includes(operator.email))
    const [grant] = await waitingOf(setup, owner, app)
    assert.deepEqual([grant?.kind, grant?.amount, grant?.person], ['credit_limit', 250.5, null])
    const clientApp = { clientId: app.clientId, name: SETTINGS.name, creditLimit: 250.5 }
    assert.deepEqual(grant?.clientApp, clientApp)
    const search = { search: app.clientId }
    const found = await askAs(setup, setup.viewer, grantsEndpoints.listGrants, search)
    assert.deepEqual(found.json<{ grants: { id: string }[] }>().grants.length, 1)
    const shown = await readApp(setup, app)
    assert.equal(shown.creditLimit, 0)
    assert.deepEqual(shown.waitingLimit, {
      grantId: grant?.id,
      creditLimit: 250.5,
      proposedBy: operator.email,
    })
    const [created, requested, ...others] = await auditOf(setup, app.clientId)
    assert.deepEqual(others, [])
    assert.equal(created?.action, 'client_app.create')
    const defaults = { onMismatch: 'conflict', getsBalanceEvents: false, contactEmails: [] }
    assert.deepEqual(created?.after, { ...SETTINGS, ...defaults, creditLimit: '0.00' })
    assert.equal(requested?.action, 'grant.propose')
    assert.deepEqual(requested?.after, {
      grant: grant?.id,
      kind: 'credit_limit',
      amount: '250.50',
      creditLimit: '250.50',
      reason: 'Registration of the client app',
      needsSecondOperator: true,
    })
  })

  it('cannot be stored as unlimited without a second operator', async () => {
    const { id: app } = await makeClientApp(setup.harness.context, { creditLimit: 0n })
    const about = { clientAppId: app, proposerId: setup.operator.id, reason: 'A test' }
    const unlimited = { creditLimit: null, amount: null, needsSecond: false }
    const write = setup.harness.context.db.query(
      insertLimit({ id: randomUUID(), ...about, ...unlimited }),
    )
    await assert.rejects(write, /grants_unlimited_check/)
  })

  it('requires the role at the time of the decision, not of the request', async () => {
    const { admin, context } = setup.harness
    const who = await newOperator()
    const app = await register(setup, who, '0')
    await admin.query('begin')
    await admin.query(LOCK_GRANTS)
    const pending = askForLimit(setup, who, app, '10')
    await sleep(300)
    await context.db.query(`update admin.operators set role = 'viewer' where id = $1`, [who.id])
    await admin.query('commit')
    assertRefusal(await pending, clientAppsEndpoints.changeClientApp, 'OPERATOR_FORBIDDEN')
    assert.equal((await readApp(setup, app)).creditLimit, 0)
  })
})
