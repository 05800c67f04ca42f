import * as clientAppsEndpoints from '@coffer/contract/admin/client-apps'
import * as operatorsEndpoints from '@coffer/contract/admin/operators'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  askAs,
  auditOf,
  beginEnrolling,
  makeOperator,
  openAdminSetup,
  outcomesOf,
  type AdminSetup,
} from '../../test/admin-setup.ts'
import { inventEmail } from '../../test/sign-in.ts'
import { changesNothing, assertRefusal } from '../../test/setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

type Listed = { email: string; isActive: boolean; role: string; hasAuthenticator: boolean }

describe('GET /api/admin/operators', () => {
  const endpoint = operatorsEndpoints.listOperators

  it('200 lists every operator, newest last, without any secret', async () => {
    const response = await askAs(setup, setup.viewer, endpoint)
    const { operators } = response.json<{ operators: Listed[] }>()
    const { owner, operator, viewer } = setup
    assert.deepEqual(
      operators.map(({ email }) => email),
      [owner.email, operator.email, viewer.email],
    )
    const fields =
      'id email name role isActive hasAuthenticator createdBy createdAt lastSeenAt'.split(' ')
    for (const each of operators) assert.deepEqual(Object.keys(each), fields)
  })
})

describe('POST /api/admin/operators', () => {
  const endpoint = operatorsEndpoints.createOperator
  const fieldsOf = () => ({ email: inventEmail(), name: 'Piet Test', role: 'operator' })

  it('200 returns the initial password once, and it allows setting up an authenticator', async () => {
    const fields = fieldsOf()
    const response = await askAs(setup, setup.owner, endpoint, fields)
    assert.equal(response.statusCode, 200, response.body)
    const { password } = response.json<{ id: string; password: string }>()
    assert.match(password, /^[\w-]{20}$/)
    await beginEnrolling(setup.harness, { email: fields.email, password })
    const [entry] = await auditOf(setup, fields.email)
    assert.equal(entry?.action, 'operator.create')
    assert.equal(entry?.actor, setup.owner.email)
    assert.deepEqual(entry?.after, { name: 'Piet Test', role: 'operator', isActive: true })
    const list = await askAs(setup, setup.viewer, operatorsEndpoints.listOperators)
    const { operators } = list.json<{ operators: (Listed & { createdBy: string })[] }>()
    assert.equal(operators.at(-1)?.createdBy, setup.owner.email)
  })

  it('409 EMAIL_TAKEN in every spelling', async () => {
    const email = setup.viewer.email.toUpperCase()
    await changesNothing(setup, async () => {
      const response = await askAs(setup, setup.owner, endpoint, { ...fieldsOf(), email })
      assertRefusal(response, endpoint, 'EMAIL_TAKEN')
    })
  })
})

describe('POST /api/admin/operators/change', () => {
  const endpoint = operatorsEndpoints.changeOperator

  it('200 a new role applies from the next request', async () => {
    const someone = await makeOperator(setup.harness, 'viewer')
    const act = () =>
      askAs(setup, someone, clientAppsEndpoints.activateClientApp, {
        clientId: setup.app.clientId,
        isActive: true,
      })
    const refused = await act()
    assertRefusal(refused, clientAppsEndpoints.activateClientApp, 'OPERATOR_FORBIDDEN')
    await askAs(setup, setup.owner, endpoint, { id: String(someone.id), role: 'operator' })
    assert.equal((await act()).statusCode, 200)
  })

  it('200 a reset lets the operator set up a new authenticator and ends the old logins and codes', async () => {
    const { harness, owner } = setup
    const someone = await makeOperator(harness, 'viewer')
    const fields = { id: String(someone.id), resetAuthenticator: true }
    assert.equal((await askAs(setup, owner, endpoint, fields)).statusCode, 200)
    const read = await askAs(setup, someone, signInEndpoints.readOperator)
    assertRefusal(read, signInEndpoints.readOperator, 'LOGIN_REQUIRED')
    const { ticket } = await beginEnrolling(harness, someone)
    for (const code of [someone.totp.generate(), someone.recoveryCodes[0]]) {
      const response = await askAs(setup, { cookie: '' }, signInEndpoints.finishAdminLogIn, {
        ticket,
        code,
      })
      assertRefusal(response, signInEndpoints.finishAdminLogIn, 'CODE_INVALID')
    }
  })

  it('403 OPERATOR_FORBIDDEN for the last active owner, also for two owners concurrently', async () => {
    const lone = await openAdminSetup()
    const { owner, harness } = lone
    for (const change of [{ role: 'operator' }, { role: 'viewer' }, { isActive: false }]) {
      const response = await askAs(lone, owner, endpoint, { id: String(owner.id), ...change })
      assertRefusal(response, endpoint, 'OPERATOR_FORBIDDEN')
    }
    const other = await makeOperator(harness, 'owner')
    for (let round = 0; round < 5; round++) {
      await harness.admin.query(
        `update admin.operators set role = 'owner' where id = any($1::bigint[])`,
        [[owner.id, other.id].map(String)],
      )
      const responses = await Promise.all([
        askAs(lone, owner, endpoint, { id: String(other.id), role: 'viewer' }),
        askAs(lone, other, endpoint, { id: String(owner.id), role: 'viewer' }),
      ])
      assert.deepEqual(outcomesOf(responses), ['200', 'OPERATOR_FORBIDDEN'])
    }
    await harness.end()
  })

  it('404 NOT_FOUND for an unknown operator', async () => {
    for (const id of ['0', '999999', 'nobody', '-1', '1'.repeat(40)]) {
      const response = await askAs(setup, setup.owner, endpoint, { id, role: 'owner' })
      assertRefusal(response, endpoint, 'NOT_FOUND')
    }
  })
})
