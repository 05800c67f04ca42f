import * as ownSignInEndpoints from '@coffer/contract/admin/own-sign-in'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  askAs,
  auditOf,
  beginLogIn,
  logInAgain,
  makeOperator,
  openAdminSetup,
  outcomesOf,
  type AdminSetup,
  type TestOperator,
} from '../../test/admin-setup.ts'
import { givePasskey } from '../../test/passkey-setup.ts'
import { ask } from '../../test/account-setup.ts'
import { changesNothing, assertRefusal } from '../../test/setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

interface SignIn {
  recoveryCodesLeft: number
  passkeys: { name: string; lastUsedAt: string | null }[]
  logIns: { id: string; isThis: boolean; device: string; address: string }[]
}

async function readSignIn(who: Pick<TestOperator, 'cookie'>): Promise<SignIn> {
  return (await askAs(setup, who, ownSignInEndpoints.readSignIn)).json<SignIn>()
}

describe('GET /api/admin/sign-in/settings', () => {
  it('200 returns the operator\u2019s own passkeys, recovery codes and logins, without ended logins', async () => {
    const { harness } = setup
    const someone = await makeOperator(harness, 'viewer')
    await givePasskey(setup, someone, { name: 'Phone' })
    const agent = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/141.0' }
    const other = await logInAgain(setup, someone, agent)
    const read = await readSignIn(other)
    assert.equal(read.recoveryCodesLeft, 10)
    assert.deepEqual(
      read.passkeys.map(({ name, lastUsedAt }) => [name, lastUsedAt]),
      [['Phone', null]],
    )
    assert.deepEqual(
      read.logIns.map(({ isThis, device, address }) => [isThis, device, address]),
      [
        [true, 'Firefox on Windows', '127.0.0.1'],
        [false, 'Unknown device', '127.0.0.1'],
      ],
    )
    const over = read.logIns[1]?.id
    for (const change of [
      `last_seen_at = now() - interval '15 minutes'`,
      'last_seen_at = now(), expires_at = now()',
    ]) {
      await harness.admin.query(`update admin.log_ins set ${change} where id = $1`, [over])
      assert.equal((await readSignIn(other)).logIns.length, 1)
    }
  })
})

describe('POST /api/admin/sign-in/password', () => {
  const endpoint = ownSignInEndpoints.changeOwnPassword
  const fieldsOf = () => ({ newPassword: 'seven quiet lighthouses' })

  it('200 replaces the initial password', async () => {
    const someone = await makeOperator(setup.harness, 'operator')
    const hasFirst = async () =>
      (await askAs(setup, someone, signInEndpoints.readOperator)).json<{
        hasInitialPassword: boolean
      }>().hasInitialPassword
    assert.equal(await hasFirst(), true)
    const response = await askAs(setup, someone, endpoint, fieldsOf())
    assert.deepEqual([response.statusCode, response.json()], [200, {}])
    assert.equal(await hasFirst(), false)
  })

  it('200 for two concurrent changes, and exactly one of the passwords works afterwards', async () => {
    const { harness } = setup
    const someone = await makeOperator(harness, 'viewer')
    const passwords = ['seven quiet lighthouses', 'eleven loud harbours']
    const responses = await Promise.all(
      passwords.map((newPassword) => askAs(setup, someone, endpoint, { newPassword })),
    )
    assert.deepEqual(outcomesOf(responses), ['200', '200'])
    const tries = await Promise.all(
      passwords.map((password) =>
        ask({ harness }, signInEndpoints.logInToAdmin, { email: someone.email, password }),
      ),
    )
    assert.deepEqual(outcomesOf(tries), ['200', 'LOGIN_FAILED'])
  })

  it('400 PASSWORD_REFUSED for a password that is short, common, similar to the email, or unchanged', async () => {
    const { viewer } = setup
    const own = viewer.email.split('@')[0] ?? ''
    await changesNothing(setup, async () => {
      for (const newPassword of ['short', 'password1234', `${own} and more`, viewer.password]) {
        const response = await askAs(setup, viewer, endpoint, { newPassword })
        assertRefusal(response, endpoint, 'PASSWORD_REFUSED')
      }
    })
  })
})

describe('POST /api/admin/sign-in/recovery-codes', () => {
  const endpoint = ownSignInEndpoints.renewRecoveryCodes

  it('200 returns ten new codes once and invalidates the old ones, also for concurrent requests', async () => {
    const { harness } = setup
    const someone = await makeOperator(harness, 'viewer')
    const finish = async (code: string | undefined) => {
      const ticket = await beginLogIn(harness, someone)
      return ask({ harness }, signInEndpoints.finishAdminLogIn, { ticket, code })
    }
    assert.equal((await finish(someone.recoveryCodes[0])).statusCode, 200)
    assert.equal((await readSignIn(someone)).recoveryCodesLeft, 9)
    const responses = await Promise.all([1, 2].map(() => askAs(setup, someone, endpoint)))
    assert.deepEqual(outcomesOf(responses), ['200', '200'])
    const sets = responses.map((each) => each.json<{ recoveryCodes: string[] }>().recoveryCodes)
    assert.equal(new Set(sets.flat()).size, 20)
    assert.equal((await readSignIn(someone)).recoveryCodesLeft, 10)
    const old = await finish(someone.recoveryCodes[1])
    assertRefusal(old, signInEndpoints.finishAdminLogIn, 'CODE_INVALID')
    const tries = [await finish(sets[0]?.[0]), await finish(sets[1]?.[0])]
    assert.deepEqual(outcomesOf(tries), ['200', 'CODE_INVALID'])
    const entry = (await auditOf(setup, someone.email)).findLast(
      ({ action }) => action === 'operator.renew_recovery_codes',
    )
    assert.deepEqual([entry?.before, entry?.after], [null, null])
  })
})
