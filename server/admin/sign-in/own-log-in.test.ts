import * as clientAppsEndpoints from '@coffer/contract/admin/client-apps'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as refusals from '../../test/refusals.ts'
import {
  askAs,
  auditOf,
  freshCode,
  makeOperator,
  openAdminStage,
  type AdminStage,
} from '../../test/admin-setup.ts'
import { untilPaused } from '../../test/sign-in.ts'
import { assertRefusal } from '../../test/setup.ts'

let stage: AdminStage
before(async () => {
  stage = await openAdminStage()
})
after(() => stage.harness.end())

describe('GET /api/admin/sign-in/operator', () => {
  const endpoint = signInEndpoints.readOperator

  it('200 tells who is logged in, and nothing more', async () => {
    const { operator } = stage
    const response = await askAs(stage, operator, endpoint)
    const about = { email: operator.email, name: 'Olga Test', role: 'operator' }
    assert.deepEqual(response.json(), { ...about, hasFirstPassword: true, hasPasskey: false })
  })

  it('401 LOGIN_REQUIRED after 15 minutes without a call, and after 8 hours in any case', async () => {
    const { harness } = stage
    const someone = await makeOperator(harness, 'owner')
    const set = (change: string) =>
      harness.admin.query(`update admin.log_ins set ${change} where operator_id = $1`, [someone.id])
    const read = () => askAs(stage, someone, endpoint)
    await set(`last_seen_at = now() - interval '14 minutes'`)
    assert.equal((await read()).statusCode, 200)
    // The call was noted, so another quarter of an hour begins.
    await set(`last_seen_at = last_seen_at - interval '14 minutes'`)
    assert.equal((await read()).statusCode, 200)
    await set(`last_seen_at = now() - interval '15 minutes'`)
    assertRefusal(await read(), endpoint, 'LOGIN_REQUIRED')
    await set(`last_seen_at = now(), expires_at = now() + interval '2 seconds'`)
    assert.equal((await read()).statusCode, 200)
    await set('expires_at = now()')
    assertRefusal(await read(), endpoint, 'LOGIN_REQUIRED')
  })
})

describe('POST /api/admin/sign-in/log-out', () => {
  const endpoint = signInEndpoints.logOutOfAdmin

  it('200 ends this log-in and takes the cookie away', async () => {
    const someone = await makeOperator(stage.harness, 'viewer')
    const response = await askAs(stage, someone, endpoint)
    assert.equal(response.statusCode, 200)
    assert.equal(
      response.headers['set-cookie'],
      '__Host-coffer-admin=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Strict',
    )
    assertRefusal(await askAs(stage, someone, endpoint), endpoint, 'LOGIN_REQUIRED')
    assert.equal((await auditOf(stage, someone.email)).at(-1)?.action, 'operator.log_out')
  })
})

describe('POST /api/admin/sign-in/confirm', () => {
  const endpoint = signInEndpoints.confirmOperator
  const fieldsOf = async ({ harness, viewer }: AdminStage) => ({
    password: viewer.password,
    code: await freshCode(harness, viewer),
  })

  it('200 makes dangerous actions possible for five minutes', async () => {
    const { harness } = stage
    const someone = await makeOperator(harness, 'operator')
    const age = (seconds: number) =>
      harness.admin.query(
        `update admin.log_ins set confirmed_at = confirmed_at - make_interval(secs => $2) where operator_id = $1`,
        [someone.id, seconds],
      )
    const act = () =>
      askAs(stage, someone, clientAppsEndpoints.activateClientApp, {
        clientId: stage.app.clientId,
        isActive: true,
      })
    await age(301)
    assertRefusal(await act(), clientAppsEndpoints.activateClientApp, 'CONFIRMATION_REQUIRED')
    const { password } = someone
    const code = await freshCode(harness, someone)
    const confirm = () => askAs(stage, someone, endpoint, { password, code })
    assert.equal((await confirm()).statusCode, 200)
    assert.equal((await act()).statusCode, 200)
    await age(290)
    assert.equal((await act()).statusCode, 200)
    await age(11)
    assertRefusal(await act(), clientAppsEndpoints.activateClientApp, 'CONFIRMATION_REQUIRED')
    assertRefusal(await confirm(), endpoint, 'CODE_INVALID')
  })

  it('400 CODE_INVALID for a wrong code, with the right password', async () => {
    const { password } = stage.viewer
    const response = await askAs(stage, stage.viewer, endpoint, { password, code: '000000' })
    assertRefusal(response, endpoint, 'CODE_INVALID')
  })

  it('401 LOGIN_FAILED for a wrong password, and the code is not used up', async () => {
    const { code, password } = await fieldsOf(stage)
    const wrong = await askAs(stage, stage.viewer, endpoint, { password: 'wrong', code })
    assertRefusal(wrong, endpoint, 'LOGIN_FAILED')
    const right = await askAs(stage, stage.viewer, endpoint, { password, code })
    assert.equal(right.statusCode, 200)
  })

  it('429 RATE_LIMITED for passwords that are guessed in an open browser', async () => {
    const someone = await makeOperator(stage.harness, 'viewer')
    await untilPaused(() => askAs(stage, someone, endpoint, { password: 'x', code: '000000' }))
  })

  it('400 INVALID_REQUEST for what is no password or no code', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['password', ''],
      ['code', '1'],
    ]))
})
