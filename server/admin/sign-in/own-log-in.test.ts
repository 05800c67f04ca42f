import * as clientAppsEndpoints from '@coffer/contract/admin/client-apps'
import * as operatorsEndpoints from '@coffer/contract/admin/operators'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  askAs,
  freshCode,
  makeOperator,
  openAdminSetup,
  type AdminSetup,
} from '../../test/admin-setup.ts'
import { untilRateLimited } from '../../test/sign-in.ts'
import { assertRefusal } from '../../test/setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

describe('GET /api/admin/sign-in/operator', () => {
  const endpoint = signInEndpoints.readOperator

  it('200 returns the logged-in operator, and nothing else', async () => {
    const { operator } = setup
    const response = await askAs(setup, operator, endpoint)
    const about = { email: operator.email, name: 'Olga Test', role: 'operator' }
    assert.deepEqual(response.json(), { ...about, hasInitialPassword: true, hasPasskey: false })
  })
})

describe('a login of an operator', () => {
  const endpoint = signInEndpoints.readOperator

  it('is refused as soon as the operator is inactive, even if it still exists', async () => {
    const { harness } = setup
    const someone = await makeOperator(harness, 'viewer')
    const setActive = (isActive: boolean) =>
      harness.admin.query('update admin.operators set is_active = $2 where id = $1', [
        someone.id,
        isActive,
      ])
    await setActive(false)
    assertRefusal(await askAs(setup, someone, endpoint), endpoint, 'LOGIN_REQUIRED')
    await setActive(true)
    assert.equal((await askAs(setup, someone, endpoint)).statusCode, 200)
  })

  it('updates when its operator was last seen, and of no other operator', async () => {
    const { harness } = setup
    const [someone, other] = [
      await makeOperator(harness, 'viewer'),
      await makeOperator(harness, 'viewer'),
    ]
    const old = '2020-01-31T12:00:00.000Z'
    await harness.admin.query('update admin.operators set last_seen_at = $1', [old])
    await harness.admin.query(
      `update admin.log_ins set last_seen_at = now() - interval '61 seconds' where operator_id = $1`,
      [someone.id],
    )
    assert.equal((await askAs(setup, someone, endpoint)).statusCode, 200)
    const response = await askAs(setup, someone, operatorsEndpoints.listOperators)
    const { operators } = response.json<{ operators: { email: string; lastSeenAt: string }[] }>()
    const seenOf = (email: string) => operators.find((each) => each.email === email)?.lastSeenAt
    assert.equal(seenOf(other.email), old)
    assert(Math.abs(Date.parse(seenOf(someone.email) ?? '') - Date.now()) < 60_000)
  })
})

describe('POST /api/admin/sign-in/confirm', () => {
  const endpoint = signInEndpoints.confirmOperator
  const fieldsOf = async ({ harness, viewer }: AdminSetup) => ({
    password: viewer.password,
    code: await freshCode(harness, viewer),
  })

  it('200 allows dangerous actions for five minutes', async () => {
    const { harness } = setup
    const someone = await makeOperator(harness, 'operator')
    const age = (seconds: number) =>
      harness.admin.query(
        `update admin.log_ins set confirmed_at = confirmed_at - make_interval(secs => $2) where operator_id = $1`,
        [someone.id, seconds],
      )
    const act = () =>
      askAs(setup, someone, clientAppsEndpoints.activateClientApp, {
        clientId: setup.app.clientId,
        isActive: true,
      })
    await age(301)
    assertRefusal(await act(), clientAppsEndpoints.activateClientApp, 'CONFIRMATION_REQUIRED')
    const { password } = someone
    const code = await freshCode(harness, someone)
    const confirm = () => askAs(setup, someone, endpoint, { password, code })
    assert.equal((await confirm()).statusCode, 200)
    assert.equal((await act()).statusCode, 200)
    await age(290)
    assert.equal((await act()).statusCode, 200)
    await age(11)
    assertRefusal(await act(), clientAppsEndpoints.activateClientApp, 'CONFIRMATION_REQUIRED')
    assertRefusal(await confirm(), endpoint, 'CODE_INVALID')
  })

  it('400 CODE_INVALID for a wrong code, with the right password', async () => {
    const { password } = setup.viewer
    const response = await askAs(setup, setup.viewer, endpoint, { password, code: '000000' })
    assertRefusal(response, endpoint, 'CODE_INVALID')
  })

  it('401 LOGIN_FAILED for a wrong password, without using up the code', async () => {
    const { code, password } = await fieldsOf(setup)
    const wrong = await askAs(setup, setup.viewer, endpoint, { password: 'wrong', code })
    assertRefusal(wrong, endpoint, 'LOGIN_FAILED')
    const right = await askAs(setup, setup.viewer, endpoint, { password, code })
    assert.equal(right.statusCode, 200)
  })

  it('429 RATE_LIMITED after too many wrong passwords in a logged-in browser', async () => {
    const someone = await makeOperator(setup.harness, 'viewer')
    await untilRateLimited(() => askAs(setup, someone, endpoint, { password: 'x', code: '000000' }))
  })
})
