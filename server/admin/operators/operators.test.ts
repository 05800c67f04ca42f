import * as clientAppsEndpoints from '@coffer/contract/admin/client-apps'
import * as operatorsEndpoints from '@coffer/contract/admin/operators'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as refusals from '../../test/refusals.ts'
import {
  askAs,
  auditOf,
  beginEnrolling,
  beginLogIn,
  makeOperator,
  openAdminStage,
  statusesOf,
  type AdminStage,
} from '../../test/admin-setup.ts'
import { inventEmail } from '../../test/sign-in.ts'
import { changesNothing, assertRefusal } from '../../test/setup.ts'

let stage: AdminStage
before(async () => {
  stage = await openAdminStage()
})
after(() => stage.harness.end())

type Listed = { email: string; isActive: boolean; role: string; hasAuthenticator: boolean }

describe('GET /api/admin/operators', () => {
  const endpoint = operatorsEndpoints.listOperators

  it('200 lists all of them, newest last, and nothing that opens anything', async () => {
    const response = await askAs(stage, stage.viewer, endpoint)
    const { operators } = response.json<{ operators: Listed[] }>()
    const { owner, operator, viewer } = stage
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

  it('200 shows the first password once, with which an authenticator is set up', async () => {
    const fields = fieldsOf()
    const response = await askAs(stage, stage.owner, endpoint, fields)
    assert.equal(response.statusCode, 200, response.body)
    const { password } = response.json<{ id: string; password: string }>()
    assert.match(password, /^[\w-]{20}$/)
    await beginEnrolling(stage.harness, { email: fields.email, password })
    const [entry] = await auditOf(stage, fields.email)
    assert.equal(entry?.action, 'operator.create')
    assert.equal(entry?.actor, stage.owner.email)
    assert.deepEqual(entry?.after, { name: 'Piet Test', role: 'operator', isActive: true })
    const list = await askAs(stage, stage.viewer, operatorsEndpoints.listOperators)
    const { operators } = list.json<{ operators: (Listed & { createdBy: string })[] }>()
    assert.equal(operators.at(-1)?.createdBy, stage.owner.email)
  })

  it('409 EMAIL_TAKEN however it is written', async () => {
    const email = stage.viewer.email.toUpperCase()
    await changesNothing(stage, async () => {
      const response = await askAs(stage, stage.owner, endpoint, { ...fieldsOf(), email })
      assertRefusal(response, endpoint, 'EMAIL_TAKEN')
    })
  })

  it('400 INVALID_REQUEST for what does not fit', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['email', 'nobody'],
      ['name', ''],
      ['name', 'a\u0000'],
      ['role', 'admin'],
      ['role', undefined],
    ]))
})

describe('POST /api/admin/operators/change', () => {
  const endpoint = operatorsEndpoints.changeOperator
  const fieldsOf = ({ viewer }: AdminStage) => ({ id: String(viewer.id), role: 'viewer' })

  it('200 a deactivated operator is out at once, and in again when activated', async () => {
    const { harness, owner } = stage
    const someone = await makeOperator(harness, 'operator')
    const id = String(someone.id)
    const change = (isActive: boolean) => askAs(stage, owner, endpoint, { id, isActive })
    const read = () => askAs(stage, someone, signInEndpoints.readOperator)
    assert.equal((await change(false)).statusCode, 200)
    assertRefusal(await read(), signInEndpoints.readOperator, 'LOGIN_REQUIRED')
    const { email, password } = someone
    const logIn = await askAs(stage, { cookie: '' }, signInEndpoints.logInToAdmin, {
      email,
      password,
    })
    assertRefusal(logIn, signInEndpoints.logInToAdmin, 'LOGIN_FAILED')
    assert.equal((await change(true)).statusCode, 200)
    assertRefusal(await read(), signInEndpoints.readOperator, 'LOGIN_REQUIRED')
    await beginLogIn(harness, someone)
    const entry = (await auditOf(stage, email)).findLast(
      (each) => each.action === 'operator.change',
    )
    assert.deepEqual(entry?.before, { role: 'operator', isActive: false, hasAuthenticator: true })
    assert.deepEqual(entry?.after, { role: 'operator', isActive: true, hasAuthenticator: true })
  })

  it('200 a new role counts from the next call on', async () => {
    const someone = await makeOperator(stage.harness, 'viewer')
    const act = () =>
      askAs(stage, someone, clientAppsEndpoints.activateClientApp, {
        clientId: stage.app.clientId,
        isActive: true,
      })
    assert.equal((await act()).statusCode, 403)
    await askAs(stage, stage.owner, endpoint, { id: String(someone.id), role: 'operator' })
    assert.equal((await act()).statusCode, 200)
  })

  it('200 a lost authenticator is set up anew, and the old log-ins and codes are over', async () => {
    const { harness, owner } = stage
    const someone = await makeOperator(harness, 'viewer')
    const fields = { id: String(someone.id), resetAuthenticator: true }
    assert.equal((await askAs(stage, owner, endpoint, fields)).statusCode, 200)
    const read = await askAs(stage, someone, signInEndpoints.readOperator)
    assertRefusal(read, signInEndpoints.readOperator, 'LOGIN_REQUIRED')
    const { ticket } = await beginEnrolling(harness, someone)
    for (const code of [someone.totp.generate(), someone.recoveryCodes[0]]) {
      const response = await askAs(stage, { cookie: '' }, signInEndpoints.finishAdminLogIn, {
        ticket,
        code,
      })
      assertRefusal(response, signInEndpoints.finishAdminLogIn, 'CODE_INVALID')
    }
  })

  it('403 OPERATOR_FORBIDDEN for the last active owner, also when two owners do it at once', async () => {
    const lone = await openAdminStage()
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
      const answers = await Promise.all([
        askAs(lone, owner, endpoint, { id: String(other.id), role: 'viewer' }),
        askAs(lone, other, endpoint, { id: String(owner.id), role: 'viewer' }),
      ])
      const statuses = statusesOf(answers)
      assert.deepEqual(statuses, [200, 403])
    }
    await harness.end()
  })

  it('404 NOT_FOUND for nobody', async () => {
    for (const id of ['0', '999999', 'nobody', '-1', '1'.repeat(40)]) {
      const response = await askAs(stage, stage.owner, endpoint, { id, role: 'owner' })
      assertRefusal(response, endpoint, 'NOT_FOUND')
    }
  })

  it('400 INVALID_REQUEST for what does not fit', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['id', 5],
      ['role', 'root'],
      ['isActive', 'yes'],
      ['resetAuthenticator', 1],
    ]))
})
