import * as clientAppsEndpoints from '@coffer/contract/admin/client-apps'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import * as refusals from '../../test/refusals.ts'
import {
  askAs,
  auditOf,
  makeOperator,
  openAdminStage,
  statusesOf,
  type AdminStage,
  type TestOperator,
} from '../../test/admin-setup.ts'
import type { Oddities } from '../../test/authenticator.ts'
import { askAtDoor, askToConfirm, givePasskey } from '../../test/passkey-setup.ts'
import { assertRefusal } from '../../test/setup.ts'

let stage: AdminStage
before(async () => {
  stage = await openAdminStage()
})
after(() => stage.harness.end())

describe('GET /api/admin/sign-in/confirm/passkey', () => {
  const endpoint = signInEndpoints.beginPasskeyConfirmation

  it('200 a challenge for this login, with the operator\u2019s own passkeys', async () => {
    const someone = await makeOperator(stage.harness, 'viewer')
    assert.deepEqual((await askToConfirm(stage, someone)).allowed, [])
    const { id } = await givePasskey(stage, someone)
    await givePasskey(stage, stage.owner)
    const { allowed, rpId } = await askToConfirm(stage, someone)
    assert.deepEqual(allowed, [{ id, transports: ['internal', 'hybrid'] }])
    assert.equal(rpId, 'localhost')
  })

  it('400 PASSKEY_INVALID where the address is not known to be ours', async () => {
    const host = { host: 'wallet.example' }
    const response = await askAs(stage, stage.viewer, endpoint, {}, host)
    assertRefusal(response, endpoint, 'PASSKEY_INVALID')
  })
})

describe('POST /api/admin/sign-in/confirm/passkey', () => {
  const endpoint = signInEndpoints.confirmByPasskey
  const send = (who: Pick<TestOperator, 'cookie'>, passkey: object) =>
    askAs(stage, who, endpoint, { passkey })
  const fieldsOf = async (on: AdminStage) => {
    const key = await givePasskey(on, on.viewer)
    const passkey = key.sign(await askToConfirm(on, on.viewer))
    // Refusals are repeated many times, and the number of passkeys is limited.
    await on.harness.admin.query('delete from admin.passkeys')
    return { passkey }
  }

  it('200 makes dangerous actions possible for five minutes', async () => {
    const { harness } = stage
    const someone = await makeOperator(harness, 'operator')
    const key = await givePasskey(stage, someone, { name: 'Phone' })
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
    const passkey = key.sign(await askToConfirm(stage, someone), { userHandle: undefined })
    const response = await send(someone, passkey)
    assert.deepEqual([response.statusCode, response.json()], [200, {}])
    assert.equal(response.headers['set-cookie'], undefined)
    const entry = (await auditOf(stage, someone.email)).at(-1)
    assert.equal(entry?.action, 'operator.confirm')
    assert.deepEqual(entry?.after, { means: 'passkey', passkey: 'Phone' })
    assert.equal((await act()).statusCode, 200)
    await age(301)
    assertRefusal(await act(), clientAppsEndpoints.activateClientApp, 'CONFIRMATION_REQUIRED')
    assertRefusal(await send(someone, passkey), endpoint, 'PASSKEY_INVALID')
  })

  it('400 PASSKEY_INVALID for a colleague\u2019s passkey, and for what another log-in or the door was asked', async () => {
    const [someone, colleague] = [
      await makeOperator(stage.harness, 'operator'),
      await makeOperator(stage.harness, 'owner'),
    ]
    const key = await givePasskey(stage, someone)
    const theirs = await givePasskey(stage, colleague)
    const tries = [
      theirs.sign(await askToConfirm(stage, someone)),
      theirs.sign(await askToConfirm(stage, someone), { userHandle: key.userHandle }),
      key.sign(await askToConfirm(stage, colleague)),
      key.sign(await askAtDoor(stage)),
    ]
    for (const passkey of tries) {
      assertRefusal(await send(someone, passkey), endpoint, 'PASSKEY_INVALID')
    }
  })

  it('400 PASSKEY_INVALID for another page, another domain, nobody who unlocked it, and a copy', async () => {
    const someone = await makeOperator(stage.harness, 'viewer')
    const key = await givePasskey(stage, someone)
    const odd: Oddities[] = [
      { challenge: randomBytes(32).toString('base64url') },
      { origin: 'http://evil.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
      { signCount: 1 },
    ]
    for (const each of odd) {
      const passkey = key.sign(await askToConfirm(stage, someone), each)
      assertRefusal(await send(someone, passkey), endpoint, 'PASSKEY_INVALID')
    }
    assert.equal((await auditOf(stage, someone.email)).at(-1)?.action, 'passkey.copied')
    const signed = key.sign(await askToConfirm(stage, someone))
    const answers = await Promise.all([send(someone, signed), send(someone, signed)])
    assert.deepEqual(statusesOf(answers), [200, 400])
  })

  it('429 RATE_LIMITED for an address that tries too often', async () => {
    const hasty = await openAdminStage({ LOG_INS_PER_MINUTE: '8' })
    const fields = await fieldsOf(hasty)
    const statuses = []
    for (let time = 0; time < 6; time++) {
      statuses.push((await askAs(hasty, hasty.viewer, endpoint, fields)).statusCode)
    }
    assert.equal(statuses.at(-1), 429)
    await hasty.harness.end()
  })

  it('400 INVALID_REQUEST for what is no signed challenge', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['passkey', undefined],
      ['passkey', { id: 'x' }],
    ]))
})
