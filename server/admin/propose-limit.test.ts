/** A credit limit is money that an app can create, so it counts with bonuses and corrections. */
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
  openAdminStage,
  type AdminStage,
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

let stage: AdminStage
before(async () => {
  stage = await openAdminStage()
})
after(() => stage.harness.end())

const newOperator = () => makeOperator(stage.harness, 'operator')

describe('one operator alone', () => {
  it('cannot create money with an unlimited app of their own', async () => {
    const owner = await makeOperator(stage.harness, 'owner')
    const app = await register(stage, owner, 'unlimited')
    const activation = { clientId: app.clientId, isActive: true }
    await askAs(stage, owner, clientAppsEndpoints.activateClientApp, activation)
    assert.equal(await creditWith(stage, app, 999_999_999.99), 'CREDIT_LIMIT_EXCEEDED')
    assert.equal(await creditWith(stage, app, 0.01), 'CREDIT_LIMIT_EXCEEDED')
    assert.equal(app.creditLimitWaits, true)
    const [grant] = await waitingOf(stage, owner, app)
    assert(grant)
    const another = await addOperator(stage, owner, 'operator')
    for (const who of [owner, another]) {
      const response = await approve(stage, who, grant)
      assertRefusal(response, grantsEndpoints.approveGrant, 'SECOND_OPERATOR_REQUIRED')
    }
    assert.equal(await creditWith(stage, app, 0.01), 'CREDIT_LIMIT_EXCEEDED')
  })

  it('cannot create more than 100.00 with a limited app', async () => {
    const who = await newOperator()
    const large = await register(stage, who, '100.01')
    assert.equal(large.creditLimitWaits, true)
    assert.equal(await creditWith(stage, large, 0.01), 'CREDIT_LIMIT_EXCEEDED')
    const app = await register(stage, who, '100')
    assert.deepEqual([app.creditLimitWaits, app.approvers], [false, []])
    assert.equal(await creditWith(stage, app, 100), 200)
    assert.equal(await creditWith(stage, app, 0.01), 'CREDIT_LIMIT_EXCEEDED')
  })

  it('waits for unlimited whatever the threshold is', async () => {
    const { databaseUrl } = stage.harness
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
    const mother = await makeOperator(stage.harness, 'owner')
    const child = await addOperator(stage, mother, 'operator')
    const app = await register(stage, child, '40')
    assert.equal(await changeLimit(stage, mother, app, '70'), false)
    assert.equal((await propose(stage, child, { amount: '30.01' })).status, 'open')
    assert.equal((await propose(stage, child, { amount: '29' })).status, 'posted')
    assert.equal((await register(stage, mother, '1.01')).creditLimitWaits, true)
    assert.equal(await changeLimit(stage, mother, app, '71.01'), true)
    assert.equal(await changeLimit(stage, mother, app, '71'), false)
    assert.equal((await propose(stage, mother, { amount: '0.01' })).status, 'open')
    assert.equal((await readApp(stage, app)).creditLimit, 71)
    const unrelated = await newOperator()
    assert.equal(await changeLimit(stage, unrelated, app, '171'), false)
  })

  it('is not passed by raising in small steps', async () => {
    const who = await newOperator()
    const app = await register(stage, who, '0')
    const waits: boolean[] = []
    for (const limit of ['30', '60', '90', '120', '100', '100.01']) {
      waits.push(await changeLimit(stage, who, app, limit))
    }
    assert.deepEqual(waits, [false, false, false, true, false, true])
    assert.equal((await readApp(stage, app)).creditLimit, 100)
    assert.equal(await creditWith(stage, app, 100.01), 'CREDIT_LIMIT_EXCEEDED')
  })

  it('is not reduced by lowering, which never waits', async () => {
    const who = await newOperator()
    const app = await makeClientApp(stage.harness.context, { creditLimit: 5_000_00n })
    assert.equal(await changeLimit(stage, who, app, '100'), false)
    assert.equal(await changeLimit(stage, who, app, '0'), false)
    assert.equal(await changeLimit(stage, who, app, '100'), false)
    assert.equal(await changeLimit(stage, who, app, '0'), false)
    assert.equal(await changeLimit(stage, who, app, '0.01'), true)
    assert.equal((await readApp(stage, app)).creditLimit, 0)
  })

  it('does not count a limit that waits, was rejected or was approved by a second operator', async () => {
    const who = await newOperator()
    const rejected = await register(stage, who, '500')
    const [first] = await waitingOf(stage, who, rejected)
    const reason = 'Not needed'
    await askAs(stage, stage.owner, grantsEndpoints.declineGrant, { id: first?.id, reason })
    const approved = await register(stage, who, '500')
    const [second] = await waitingOf(stage, who, approved)
    assert.equal((await approve(stage, stage.owner, { id: second?.id ?? '' })).statusCode, 200)
    assert.equal((await register(stage, who, '100')).creditLimitWaits, false)
    assert.equal((await readApp(stage, rejected)).creditLimit, 0)
    assert.equal((await readApp(stage, approved)).creditLimit, 500)
  })

  it('is counted one request after another: concurrent requests count', async () => {
    const { admin, context } = stage.harness
    const asks = [
      async (who: TestOperator) => (await register(stage, who, '100')).creditLimitWaits,
      async (who: TestOperator) => {
        const app = await makeClientApp(context, { creditLimit: 0n })
        return changeLimit(stage, who, app, '100')
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
      const asked = ask(who)
      await sleep(300)
      await admin.query('commit')
      assert.equal(await asked, true)
    }
  })

  it('holds for many requests at once by two relatives in two processes', async () => {
    const { databaseUrl } = stage.harness
    const other = { harness: await startHarness({ ...ADMIN_ENV, DATABASE_URL: databaseUrl }) }
    const mother = await makeOperator(stage.harness, 'owner')
    const child = await addOperator(stage, mother, 'operator')
    const raised = await register(stage, mother, '0')
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, async (_, at): Promise<number> => {
        const there = at % 2 === 0 ? stage : other
        const who = at % 4 < 2 ? mother : child
        if (at % 3 === 0) {
          return (await propose(there, who, { amount: '9.99' })).status === 'posted' ? 9_99 : 0
        }
        if (at % 3 === 1) return (await register(there, who, '9.99')).creditLimitWaits ? 0 : 9_99
        await askForLimit(there, who, raised, `${at}.00`)
        return 0
      }),
    )
    const { rows } = await stage.harness.admin.query<{ sum: number }>(
      `select sum(amount)::int as sum from admin.grants
        where not needs_second and proposed_by = any($1::bigint[])`,
      [[String(mother.id), String(child.id)]],
    )
    const sum = rows[0]?.sum ?? 0
    const { creditLimit } = await readApp(stage, raised)
    const taken = outcomes.reduce((total, each) => total + each, 0)
    assert(sum > 80_00 && sum <= 100_00, `${sum}`)
    assert(taken + (creditLimit ?? 0) * 100 <= sum, `${taken} and ${creditLimit} of ${sum}`)
    await other.harness.end()
  })
})

describe('a limit that waits', () => {
  it('is shown with the app, and who can approve it; the log names the request', async () => {
    const { operator, owner } = stage
    const app = await register(stage, operator, '250.50')
    assert(app.approvers.includes(owner.email) && !app.approvers.includes(operator.email))
    const [grant] = await waitingOf(stage, owner, app)
    assert.deepEqual([grant?.kind, grant?.amount, grant?.person], ['credit_limit', 250.5, null])
    const clientApp = { clientId: app.clientId, name: SETTINGS.name, creditLimit: 250.5 }
    assert.deepEqual(grant?.clientApp, clientApp)
    const search = { search: app.clientId }
    const found = await askAs(stage, stage.viewer, grantsEndpoints.listGrants, search)
    assert.deepEqual(found.json<{ grants: { id: string }[] }>().grants.length, 1)
    const shown = await readApp(stage, app)
    assert.equal(shown.creditLimit, 0)
    assert.deepEqual(shown.waitingLimit, {
      grantId: grant?.id,
      creditLimit: 250.5,
      proposedBy: operator.email,
    })
    const [created, requested, ...others] = await auditOf(stage, app.clientId)
    assert.deepEqual(others, [])
    assert.equal(created?.action, 'client_app.create')
    assert.deepEqual(created?.after, { ...SETTINGS, creditLimit: '0.00' })
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

  it('cannot be written without a second operator if it is unlimited', async () => {
    const { id: app } = await makeClientApp(stage.harness.context, { creditLimit: 0n })
    const about = { clientAppId: app, proposerId: stage.operator.id, reason: 'A test' }
    const unlimited = { creditLimit: null, amount: null, needsSecond: false }
    const write = stage.harness.context.db.query(
      insertLimit({ id: randomUUID(), ...about, ...unlimited }),
    )
    await assert.rejects(write, /grants_unlimited_check/)
  })

  it('is one request, however often it is sent', async () => {
    const who = await newOperator()
    const app = await register(stage, who, '0')
    assert.equal(await changeLimit(stage, who, app, '300'), true)
    assert.equal(await changeLimit(stage, who, app, '300'), true)
    assert.equal((await waitingOf(stage, who, app)).length, 1)
  })

  it('needs the role when it is decided, not when it was sent', async () => {
    const { admin, context } = stage.harness
    const who = await newOperator()
    const app = await register(stage, who, '0')
    await admin.query('begin')
    await admin.query(LOCK_GRANTS)
    const asked = askForLimit(stage, who, app, '10')
    await sleep(300)
    await context.db.query(`update admin.operators set role = 'viewer' where id = $1`, [who.id])
    await admin.query('commit')
    assertRefusal(await asked, clientAppsEndpoints.changeClientApp, 'OPERATOR_FORBIDDEN')
    assert.equal((await readApp(stage, app)).creditLimit, 0)
  })
})
