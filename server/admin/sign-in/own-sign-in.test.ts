import * as ownSignInEndpoints from '@coffer/contract/admin/own-sign-in'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as refusals from '../../test/refusals.ts'
import {
  askAs,
  auditOf,
  beginLogIn,
  freshCode,
  logInAgain,
  makeOperator,
  openAdminStage,
  statusesOf,
  type AdminStage,
  type TestOperator,
} from '../../test/admin-setup.ts'
import { givePasskey } from '../../test/passkey-setup.ts'
import { ask } from '../../test/account-setup.ts'
import { changesNothing, assertRefusal } from '../../test/setup.ts'

let stage: AdminStage
before(async () => {
  stage = await openAdminStage()
})
after(() => stage.harness.end())

interface SignIn {
  recoveryCodesLeft: number
  passkeys: { name: string; lastUsedAt: string | null }[]
  logIns: { id: string; isThis: boolean; device: string; address: string }[]
}

async function readSignIn(who: Pick<TestOperator, 'cookie'>): Promise<SignIn> {
  return (await askAs(stage, who, ownSignInEndpoints.readSignIn)).json<SignIn>()
}

describe('GET /api/admin/sign-in/settings', () => {
  it('200 tells the operator\u2019s own passkeys, codes and log-ins, and of those that are over nothing', async () => {
    const { harness } = stage
    const someone = await makeOperator(harness, 'viewer')
    await givePasskey(stage, someone, { name: 'Phone' })
    const agent = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/141.0' }
    const other = await logInAgain(stage, someone, agent)
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

  it('200 the new one works, the old one does not, and who was in with it is out', async () => {
    const { harness } = stage
    const someone = await makeOperator(harness, 'operator')
    const other = await logInAgain(stage, someone)
    const begun = await beginLogIn(harness, someone)
    const hasFirst = async () =>
      (await askAs(stage, someone, signInEndpoints.readOperator)).json<{
        hasFirstPassword: boolean
      }>().hasFirstPassword
    assert.equal(await hasFirst(), true)
    const { newPassword } = fieldsOf()
    const response = await askAs(stage, someone, endpoint, { newPassword })
    assert.deepEqual([response.statusCode, response.json()], [200, {}])
    assert.equal(await hasFirst(), false)
    const out = await askAs(stage, other, signInEndpoints.readOperator)
    assertRefusal(out, signInEndpoints.readOperator, 'LOGIN_REQUIRED')
    const finished = await ask({ harness }, signInEndpoints.finishAdminLogIn, {
      ticket: begun,
      code: await freshCode(harness, someone),
    })
    assertRefusal(finished, signInEndpoints.finishAdminLogIn, 'CODE_INVALID')
    const { email, password } = someone
    const old = await ask({ harness }, signInEndpoints.logInToAdmin, { email, password })
    assertRefusal(old, signInEndpoints.logInToAdmin, 'LOGIN_FAILED')
    await beginLogIn(harness, { email, password: newPassword })
    const entry = (await auditOf(stage, email)).at(-1)
    assert.equal(entry?.action, 'operator.change_password')
    assert.deepEqual([entry?.before, entry?.after], [null, { endedLogIns: 1 }])
  })

  it('200 two changes at once are two changes, and one of the passwords is right', async () => {
    const { harness } = stage
    const someone = await makeOperator(harness, 'viewer')
    const passwords = ['seven quiet lighthouses', 'eleven loud harbours']
    const answers = await Promise.all(
      passwords.map((newPassword) => askAs(stage, someone, endpoint, { newPassword })),
    )
    assert.deepEqual(statusesOf(answers), [200, 200])
    const tries = await Promise.all(
      passwords.map((password) =>
        ask({ harness }, signInEndpoints.logInToAdmin, { email: someone.email, password }),
      ),
    )
    assert.deepEqual(statusesOf(tries), [200, 401])
  })

  it('400 PASSWORD_REFUSED for one that is short, common, like the e-mail, or the old one again', async () => {
    const { viewer } = stage
    const own = viewer.email.split('@')[0] ?? ''
    await changesNothing(stage, async () => {
      for (const newPassword of ['short', 'password1234', `${own} and more`, viewer.password]) {
        const response = await askAs(stage, viewer, endpoint, { newPassword })
        assertRefusal(response, endpoint, 'PASSWORD_REFUSED')
      }
    })
  })

  it('400 INVALID_REQUEST for what is no password', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['newPassword', ''],
      ['newPassword', 'x'.repeat(129)],
      ['newPassword', undefined],
    ]))
})

describe('POST /api/admin/sign-in/recovery-codes', () => {
  const endpoint = ownSignInEndpoints.renewRecoveryCodes

  it('200 shows ten new ones once; none of the old ones works, also when renewed twice at once', async () => {
    const { harness } = stage
    const someone = await makeOperator(harness, 'viewer')
    const finish = async (code: string | undefined) => {
      const ticket = await beginLogIn(harness, someone)
      return (await ask({ harness }, signInEndpoints.finishAdminLogIn, { ticket, code })).statusCode
    }
    assert.equal(await finish(someone.recoveryCodes[0]), 200)
    assert.equal((await readSignIn(someone)).recoveryCodesLeft, 9)
    const answers = await Promise.all([1, 2].map(() => askAs(stage, someone, endpoint)))
    assert.deepEqual(statusesOf(answers), [200, 200])
    const sets = answers.map((each) => each.json<{ recoveryCodes: string[] }>().recoveryCodes)
    assert.equal(new Set(sets.flat()).size, 20)
    assert.equal((await readSignIn(someone)).recoveryCodesLeft, 10)
    assert.equal(await finish(someone.recoveryCodes[1]), 400)
    const statuses = [await finish(sets[0]?.[0]), await finish(sets[1]?.[0])]
    assert.deepEqual(new Set(statuses), new Set([200, 400]))
    const entry = (await auditOf(stage, someone.email)).findLast(
      ({ action }) => action === 'operator.renew_recovery_codes',
    )
    assert.deepEqual([entry?.before, entry?.after], [null, null])
  })
})
