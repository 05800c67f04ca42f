import * as clientAppsEndpoints from '@coffer/contract/admin/client-apps'
import * as operatorsEndpoints from '@coffer/contract/admin/operators'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import * as refusals from '../../test/refusals.ts'
import {
  askAs,
  auditOf,
  makeOperator,
  openAdminStage,
  statusesOf,
  type AdminStage,
} from '../../test/admin-setup.ts'
import type { Authenticator, Oddities } from '../../test/authenticator.ts'
import { askAtDoor, askToConfirm, askToMake, givePasskey } from '../../test/passkey-setup.ts'
import { ask, cookieOf } from '../../test/account-setup.ts'
import { changesNothing, assertRefusal } from '../../test/setup.ts'

let stage: AdminStage
let key: Authenticator
before(async () => {
  stage = await openAdminStage()
  key = await givePasskey(stage, stage.owner)
})
after(() => stage.harness.end())

const read = (cookie: string) => askAs(stage, { cookie }, signInEndpoints.readOperator)

describe('POST /api/admin/sign-in/passkey/finish', () => {
  const endpoint = signInEndpoints.logInByPasskey
  const send = (passkey: object, headers: Record<string, string> = {}) =>
    ask({ harness: stage.harness }, endpoint, { passkey }, headers)
  const fieldsOf = async (on: AdminStage) => ({
    passkey: (on === stage ? key : await givePasskey(on, on.owner)).sign(await askAtDoor(on)),
  })
  /** Refused, and without the oddity accepted: so it is this alone that was refused. */
  async function isRefused(odd: Oddities) {
    await stage.harness.admin.query('delete from admin.passkey_challenges')
    await changesNothing(stage, async () => {
      const asked = await askAtDoor(stage)
      assertRefusal(await send(key.sign(asked, odd)), endpoint, 'PASSKEY_INVALID')
      // That there was a challenge is no change, whether it is used up or not.
      await stage.harness.admin.query('delete from admin.passkey_challenges')
    })
    assert.equal((await send(key.sign(await askAtDoor(stage)))).statusCode, 200)
  }

  it('200 logs in without password and code, and the audit log names the passkey', async () => {
    const { harness } = stage
    const someone = await makeOperator(harness, 'operator')
    const phone = await givePasskey(stage, someone, { name: 'Phone' })
    const response = await send(phone.sign(await askAtDoor(stage)))
    assert.deepEqual([response.statusCode, response.json()], [200, {}])
    const form = /^__Host-coffer-admin=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/
    assert.match(String(response.headers['set-cookie']), form)
    const me = await read(cookieOf(response))
    assert.equal(me.json<{ email: string }>().email, someone.email)
    const entry = (await auditOf(stage, someone.email)).at(-1)
    assert.equal(entry?.action, 'operator.log_in')
    assert.deepEqual(entry?.after, { means: 'passkey', passkey: 'Phone' })
    // It counts as a confirmation, as logging in with password and code does.
    const act = await askAs(
      stage,
      { cookie: cookieOf(response) },
      clientAppsEndpoints.activateClientApp,
      {
        clientId: stage.app.clientId,
        isActive: true,
      },
    )
    assert.equal(act.statusCode, 200)
  })

  it('200 for a device that does not count its signatures, again and again', async () => {
    const someone = await makeOperator(stage.harness, 'viewer')
    const phone = await givePasskey(stage, someone, { counts: false })
    for (let time = 0; time < 3; time++) {
      assert.equal((await send(phone.sign(await askAtDoor(stage)))).statusCode, 200)
    }
  })

  it('200 always a new login: the browser\u2019s previous one ends, and an invented cookie is not used', async () => {
    const someone = await makeOperator(stage.harness, 'viewer')
    const phone = await givePasskey(stage, someone)
    const planted = `__Host-coffer-admin=${randomBytes(32).toString('base64url')}`
    for (const cookie of [someone.cookie, planted]) {
      const response = await send(phone.sign(await askAtDoor(stage)), { cookie })
      assert.notEqual(cookieOf(response), cookie)
      assert.equal((await read(cookieOf(response))).statusCode, 200)
      assertRefusal(await read(cookie), signInEndpoints.readOperator, 'LOGIN_REQUIRED')
    }
  })

  it('400 PASSKEY_INVALID for an answer that was sent before, also by two at once', async () => {
    const signed = key.sign(await askAtDoor(stage))
    assert.deepEqual(statusesOf(await Promise.all([send(signed), send(signed)])), [200, 400])
    assertRefusal(await send(signed), endpoint, 'PASSKEY_INVALID')
    // The same challenge, signed again.
    const asked = await askAtDoor(stage)
    assert.equal((await send(key.sign(asked))).statusCode, 200)
    assertRefusal(await send(key.sign(asked)), endpoint, 'PASSKEY_INVALID')
  })

  it('400 PASSKEY_INVALID for a challenge that is invented, too old, failed once, or was given for something else', async () => {
    const { harness, owner } = stage
    await isRefused({ challenge: randomBytes(32).toString('base64url') })
    await isRefused({ challenge: '' })
    for (const asked of [await askToConfirm(stage, owner), await askToMake(stage, owner)]) {
      assertRefusal(await send(key.sign(asked)), endpoint, 'PASSKEY_INVALID')
    }
    const old = await askAtDoor(stage)
    await harness.admin.query('update admin.passkey_challenges set expires_at = now()')
    assertRefusal(await send(key.sign(old)), endpoint, 'PASSKEY_INVALID')
    const failed = await askAtDoor(stage)
    const wrong = key.sign(failed, { isVerified: false })
    assertRefusal(await send(wrong), endpoint, 'PASSKEY_INVALID')
    assertRefusal(await send(key.sign(failed)), endpoint, 'PASSKEY_INVALID')
  })

  it('400 PASSKEY_INVALID for what another page, another domain or nobody unlocked', async () => {
    for (const origin of ['https://localhost', 'http://localhost:81', 'http://evil.example', '']) {
      await isRefused({ origin })
    }
    await isRefused({ rpId: 'evil.example' })
    await isRefused({ isVerified: false })
    await isRefused({ isPresent: false })
    await isRefused({ type: 'webauthn.create' })
  })

  it('400 PASSKEY_INVALID for another key, an unknown passkey, and a passkey that says it is somebody else\u2019s', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    await isRefused({ privateKey })
    await isRefused({ credentialId: randomBytes(32) })
    const phone = await givePasskey(stage, stage.viewer)
    // The viewer's key under the owner's name, and the owner's id with the viewer's key.
    await isRefused({ userHandle: phone.userHandle })
    await isRefused({ userHandle: undefined })
    await isRefused({ privateKey: phone.keys.privateKey })
    await isRefused({ credentialId: phone.credentialId })
  })

  it('400 PASSKEY_INVALID when the count of signatures falls or stands still, and the audit log says so', async () => {
    const someone = await makeOperator(stage.harness, 'viewer')
    const phone = await givePasskey(stage, someone, { name: 'Phone' })
    assert.equal((await send(phone.sign(await askAtDoor(stage)))).statusCode, 200)
    const stored = phone.signCount
    for (const signCount of [stored, stored - 1, 0]) {
      const response = await send(phone.sign(await askAtDoor(stage), { signCount }))
      assertRefusal(response, endpoint, 'PASSKEY_INVALID')
      assert.equal(response.headers['set-cookie'], undefined)
      const entry = (await auditOf(stage, someone.email)).at(-1)
      assert.equal(entry?.action, 'passkey.copied')
      assert.deepEqual(entry?.before, { name: 'Phone', signCount: stored })
      assert.deepEqual(entry?.after, { name: 'Phone', signCount })
    }
    // Only the holder of the key can cause this audit entry.
    const entries = (await auditOf(stage, someone.email)).length
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    await send(phone.sign(await askAtDoor(stage), { signCount: 0, privateKey }))
    assert.equal((await auditOf(stage, someone.email)).length, entries)
  })

  it('400 PASSKEY_INVALID for an operator who is deactivated, and 200 when activated again', async () => {
    const someone = await makeOperator(stage.harness, 'viewer')
    const phone = await givePasskey(stage, someone)
    const change = (isActive: boolean) =>
      askAs(stage, stage.owner, operatorsEndpoints.changeOperator, {
        id: String(someone.id),
        isActive,
      })
    const asked = await askAtDoor(stage)
    assert.equal((await change(false)).statusCode, 200)
    assertRefusal(await send(phone.sign(asked)), endpoint, 'PASSKEY_INVALID')
    assert.equal((await change(true)).statusCode, 200)
    assert.equal((await send(phone.sign(await askAtDoor(stage)))).statusCode, 200)
  })

  it('400 PASSKEY_INVALID after the authenticator was reset, also at the same moment, and nobody stays in', async () => {
    const someone = await makeOperator(stage.harness, 'viewer')
    const phone = await givePasskey(stage, someone)
    const asked = await askAtDoor(stage)
    const [response, reset] = await Promise.all([
      send(phone.sign(asked)),
      askAs(stage, stage.owner, operatorsEndpoints.changeOperator, {
        id: String(someone.id),
        resetAuthenticator: true,
      }),
    ])
    assert.equal(reset.statusCode, 200)
    const me = await read(response.statusCode === 200 ? cookieOf(response) : '')
    assertRefusal(me, signInEndpoints.readOperator, 'LOGIN_REQUIRED')
    const late = await send(phone.sign(await askAtDoor(stage)))
    assertRefusal(late, endpoint, 'PASSKEY_INVALID')
    const entry = (await auditOf(stage, someone.email)).findLast(
      ({ action }) => action === 'operator.change',
    )
    const expected = { role: 'viewer', isActive: true, hasAuthenticator: false, passkeysRemoved: 1 }
    assert.deepEqual(entry?.after, expected)
  })

  it('400 INVALID_REQUEST for what is no signed challenge', async () => {
    const { passkey } = await fieldsOf(stage)
    const without = { ...passkey.response, signature: undefined }
    const odd = { ...passkey.response, clientDataJSON: '\u0000' }
    await refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['passkey', undefined],
      ['passkey', 'text'],
      ['passkey', { ...passkey, id: '' }],
      ['passkey', { ...passkey, id: 'x'.repeat(1365) }],
      ['passkey', { ...passkey, response: without }],
      ['passkey', { ...passkey, response: odd }],
    ])
  })

  it('400 PASSKEY_INVALID for bytes that mean nothing', async () => {
    const nonsense = ['AAAA', '____', Buffer.from('null').toString('base64url')]
    for (const field of ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']) {
      for (const value of nonsense) {
        const { passkey } = await fieldsOf(stage)
        const response = { ...passkey.response, [field]: value }
        assertRefusal(await send({ ...passkey, response }), endpoint, 'PASSKEY_INVALID')
      }
    }
  })
})
