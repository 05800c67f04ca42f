import * as clientAppsEndpoints from '@coffer/contract/admin/client-apps'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  askAs,
  auditOf,
  makeOperator,
  openAdminSetup,
  outcomesOf,
  type AdminSetup,
  type TestOperator,
} from '../../test/admin-setup.ts'
import type { Oddities } from '../../test/authenticator.ts'
import { requestLogInChallenge, askToConfirm, givePasskey } from '../../test/passkey-setup.ts'
import { assertRefusal } from '../../test/setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

describe('GET /api/admin/sign-in/confirm/passkey', () => {
  const endpoint = signInEndpoints.beginPasskeyConfirmation

  it('200 returns a challenge for this login and the operator\u2019s own passkeys', async () => {
    const someone = await makeOperator(setup.harness, 'viewer')
    assert.deepEqual((await askToConfirm(setup, someone)).allowed, [])
    const { id } = await givePasskey(setup, someone)
    await givePasskey(setup, setup.owner)
    const { allowed, rpId } = await askToConfirm(setup, someone)
    assert.deepEqual(allowed, [{ id, transports: ['internal', 'hybrid'] }])
    assert.equal(rpId, 'localhost')
  })

  it('400 PASSKEY_INVALID on an unknown host', async () => {
    const host = { host: 'wallet.example' }
    const response = await askAs(setup, setup.viewer, endpoint, {}, host)
    assertRefusal(response, endpoint, 'PASSKEY_INVALID')
  })
})

describe('POST /api/admin/sign-in/confirm/passkey', () => {
  const endpoint = signInEndpoints.confirmByPasskey
  const send = (who: Pick<TestOperator, 'cookie'>, passkey: object) =>
    askAs(setup, who, endpoint, { passkey })
  const fieldsOf = async (on: AdminSetup) => {
    const key = await givePasskey(on, on.viewer)
    const passkey = key.sign(await askToConfirm(on, on.viewer))
    // The shared tests repeat refusals many times, and the number of passkeys is limited.
    await on.harness.admin.query('delete from admin.passkeys')
    return { passkey }
  }

  it('200 allows dangerous actions for five minutes', async () => {
    const { harness } = setup
    const someone = await makeOperator(harness, 'operator')
    const key = await givePasskey(setup, someone, { name: 'Phone' })
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
    const passkey = key.sign(await askToConfirm(setup, someone), { userHandle: undefined })
    const response = await send(someone, passkey)
    assert.deepEqual([response.statusCode, response.json()], [200, {}])
    assert.equal(response.headers['set-cookie'], undefined)
    const entry = (await auditOf(setup, someone.email)).at(-1)
    assert.equal(entry?.action, 'operator.confirm')
    assert.deepEqual(entry?.after, { means: 'passkey', passkey: 'Phone' })
    assert.equal((await act()).statusCode, 200)
    await age(301)
    assertRefusal(await act(), clientAppsEndpoints.activateClientApp, 'CONFIRMATION_REQUIRED')
    assertRefusal(await send(someone, passkey), endpoint, 'PASSKEY_INVALID')
  })

  it('400 PASSKEY_INVALID for a colleague\u2019s passkey and for a challenge of another login or of the sign-in', async () => {
    const [someone, colleague] = [
      await makeOperator(setup.harness, 'operator'),
      await makeOperator(setup.harness, 'owner'),
    ]
    const key = await givePasskey(setup, someone)
    const theirs = await givePasskey(setup, colleague)
    const tries = [
      theirs.sign(await askToConfirm(setup, someone)),
      theirs.sign(await askToConfirm(setup, someone), { userHandle: key.userHandle }),
      key.sign(await askToConfirm(setup, colleague)),
      key.sign(await requestLogInChallenge(setup)),
    ]
    for (const passkey of tries) {
      assertRefusal(await send(someone, passkey), endpoint, 'PASSKEY_INVALID')
    }
  })

  it('400 PASSKEY_INVALID for another challenge, origin or domain, without user verification, and for a cloned key', async () => {
    const someone = await makeOperator(setup.harness, 'viewer')
    const key = await givePasskey(setup, someone)
    const odd: Oddities[] = [
      { challenge: randomBytes(32).toString('base64url') },
      { origin: 'http://evil.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
      { signCount: 1 },
    ]
    for (const each of odd) {
      const passkey = key.sign(await askToConfirm(setup, someone), each)
      assertRefusal(await send(someone, passkey), endpoint, 'PASSKEY_INVALID')
    }
    assert.equal((await auditOf(setup, someone.email)).at(-1)?.action, 'passkey.copied')
    const signed = key.sign(await askToConfirm(setup, someone))
    const responses = await Promise.all([send(someone, signed), send(someone, signed)])
    assert.deepEqual(outcomesOf(responses), ['200', 'PASSKEY_INVALID'])
  })

  it('429 RATE_LIMITED after too many attempts of one operator from one address', async () => {
    const hasty = await openAdminSetup({ LOG_INS_PER_MINUTE: '8' })
    const fields = await fieldsOf(hasty)
    const statuses = []
    for (let time = 0; time < 10; time++) {
      statuses.push((await askAs(hasty, hasty.viewer, endpoint, fields)).statusCode)
    }
    assert.equal(statuses.at(-1), 429)
    await hasty.harness.end()
  })
})
