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
  openAdminSetup,
  outcomesOf,
  type AdminSetup,
} from '../../test/admin-setup.ts'
import type { Authenticator, Oddities } from '../../test/authenticator.ts'
import {
  requestLogInChallenge,
  askToConfirm,
  askToMake,
  givePasskey,
} from '../../test/passkey-setup.ts'
import { ask, cookieOf } from '../../test/account-setup.ts'
import { changesNothing, assertRefusal } from '../../test/setup.ts'

let setup: AdminSetup
let key: Authenticator
before(async () => {
  setup = await openAdminSetup()
  key = await givePasskey(setup, setup.owner)
})
after(() => setup.harness.end())

const read = (cookie: string) => askAs(setup, { cookie }, signInEndpoints.readOperator)

describe('POST /api/admin/sign-in/passkey/finish', () => {
  const endpoint = signInEndpoints.logInByPasskey
  const send = (passkey: object, headers: Record<string, string> = {}) =>
    ask({ harness: setup.harness }, endpoint, { passkey }, headers)
  const fieldsOf = async (on: AdminSetup) => ({
    passkey: (on === setup ? key : await givePasskey(on, on.owner)).sign(
      await requestLogInChallenge(on),
    ),
  })
  /** Refused with this deviation and accepted without it, so the deviation is the reason. */
  async function isRefused(odd: Oddities) {
    await setup.harness.admin.query('delete from admin.passkey_challenges')
    await changesNothing(setup, async () => {
      const options = await requestLogInChallenge(setup)
      assertRefusal(await send(key.sign(options, odd)), endpoint, 'PASSKEY_INVALID')
      // A challenge does not count as a change, used or unused.
      await setup.harness.admin.query('delete from admin.passkey_challenges')
    })
    assert.equal((await send(key.sign(await requestLogInChallenge(setup)))).statusCode, 200)
  }

  it('200 logs in without password and code, and the audit log contains the name of the passkey', async () => {
    const { harness } = setup
    const someone = await makeOperator(harness, 'operator')
    const phone = await givePasskey(setup, someone, { name: 'Phone' })
    const response = await send(phone.sign(await requestLogInChallenge(setup)))
    assert.deepEqual([response.statusCode, response.json()], [200, {}])
    const form = /^__Host-coffer-admin=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/
    assert.match(String(response.headers['set-cookie']), form)
    const me = await read(cookieOf(response))
    assert.equal(me.json<{ email: string }>().email, someone.email)
    const entry = (await auditOf(setup, someone.email)).at(-1)
    assert.equal(entry?.action, 'operator.log_in')
    assert.deepEqual(entry?.after, { means: 'passkey', passkey: 'Phone' })
    // It counts as a confirmation, like a login with password and code.
    const act = await askAs(
      setup,
      { cookie: cookieOf(response) },
      clientAppsEndpoints.activateClientApp,
      {
        clientId: setup.app.clientId,
        isActive: true,
      },
    )
    assert.equal(act.statusCode, 200)
  })

  it('200 repeatedly for a device that does not count its signatures', async () => {
    const someone = await makeOperator(setup.harness, 'viewer')
    const phone = await givePasskey(setup, someone, { counts: false })
    for (let time = 0; time < 3; time++) {
      assert.equal((await send(phone.sign(await requestLogInChallenge(setup)))).statusCode, 200)
    }
  })

  it('400 PASSKEY_INVALID for a replayed response, also concurrently', async () => {
    const signed = key.sign(await requestLogInChallenge(setup))
    const responses = await Promise.all([send(signed), send(signed)])
    assert.deepEqual(outcomesOf(responses), ['200', 'PASSKEY_INVALID'])
    assertRefusal(await send(signed), endpoint, 'PASSKEY_INVALID')
    // The same challenge, signed again.
    const options = await requestLogInChallenge(setup)
    assert.equal((await send(key.sign(options))).statusCode, 200)
    assertRefusal(await send(key.sign(options)), endpoint, 'PASSKEY_INVALID')
  })

  it('400 PASSKEY_INVALID for a challenge that is unknown, expired, already failed, or issued for another purpose', async () => {
    const { harness, owner } = setup
    await isRefused({ challenge: randomBytes(32).toString('base64url') })
    await isRefused({ challenge: '' })
    for (const options of [await askToConfirm(setup, owner), await askToMake(setup, owner)]) {
      assertRefusal(await send(key.sign(options)), endpoint, 'PASSKEY_INVALID')
    }
    const old = await requestLogInChallenge(setup)
    await harness.admin.query('update admin.passkey_challenges set expires_at = now()')
    assertRefusal(await send(key.sign(old)), endpoint, 'PASSKEY_INVALID')
    const failed = await requestLogInChallenge(setup)
    const wrong = key.sign(failed, { isVerified: false })
    assertRefusal(await send(wrong), endpoint, 'PASSKEY_INVALID')
    assertRefusal(await send(key.sign(failed)), endpoint, 'PASSKEY_INVALID')
  })

  it('400 PASSKEY_INVALID for another origin or domain, and without user verification', async () => {
    for (const origin of ['https://localhost', 'http://localhost:81', 'http://evil.example', '']) {
      await isRefused({ origin })
    }
    await isRefused({ rpId: 'evil.example' })
    await isRefused({ isVerified: false })
    await isRefused({ isPresent: false })
    await isRefused({ type: 'webauthn.create' })
  })

  it('400 PASSKEY_INVALID for another key, an unknown passkey, and a passkey with the user handle of another operator', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    await isRefused({ privateKey })
    await isRefused({ credentialId: randomBytes(32) })
    const phone = await givePasskey(setup, setup.viewer)
    // The viewer's key with the owner's user handle, and the owner's id with the viewer's key.
    await isRefused({ userHandle: phone.userHandle })
    await isRefused({ userHandle: undefined })
    await isRefused({ privateKey: phone.keys.privateKey })
    await isRefused({ credentialId: phone.credentialId })
  })

  it('400 PASSKEY_INVALID when the signature counter does not increase, and the audit log contains it', async () => {
    const someone = await makeOperator(setup.harness, 'viewer')
    const phone = await givePasskey(setup, someone, { name: 'Phone' })
    assert.equal((await send(phone.sign(await requestLogInChallenge(setup)))).statusCode, 200)
    const stored = phone.signCount
    for (const signCount of [stored, stored - 1, 0]) {
      const response = await send(phone.sign(await requestLogInChallenge(setup), { signCount }))
      assertRefusal(response, endpoint, 'PASSKEY_INVALID')
      assert.equal(response.headers['set-cookie'], undefined)
      const entry = (await auditOf(setup, someone.email)).at(-1)
      assert.equal(entry?.action, 'passkey.copied')
      assert.deepEqual(entry?.before, { name: 'Phone', signCount: stored })
      assert.deepEqual(entry?.after, { name: 'Phone', signCount })
    }
    // Only the holder of the key can cause this audit entry.
    const entries = (await auditOf(setup, someone.email)).length
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    await send(phone.sign(await requestLogInChallenge(setup), { signCount: 0, privateKey }))
    assert.equal((await auditOf(setup, someone.email)).length, entries)
  })

  it('400 PASSKEY_INVALID for an inactive operator, and 200 after activation', async () => {
    const someone = await makeOperator(setup.harness, 'viewer')
    const phone = await givePasskey(setup, someone)
    const change = (isActive: boolean) =>
      askAs(setup, setup.owner, operatorsEndpoints.changeOperator, {
        id: String(someone.id),
        isActive,
      })
    const options = await requestLogInChallenge(setup)
    assert.equal((await change(false)).statusCode, 200)
    assertRefusal(await send(phone.sign(options)), endpoint, 'PASSKEY_INVALID')
    assert.equal((await change(true)).statusCode, 200)
    assert.equal((await send(phone.sign(await requestLogInChallenge(setup)))).statusCode, 200)
  })

  it('400 PASSKEY_INVALID after a reset of the authenticator, also concurrently, and no login remains', async () => {
    const someone = await makeOperator(setup.harness, 'viewer')
    const phone = await givePasskey(setup, someone)
    const options = await requestLogInChallenge(setup)
    const [response, reset] = await Promise.all([
      send(phone.sign(options)),
      askAs(setup, setup.owner, operatorsEndpoints.changeOperator, {
        id: String(someone.id),
        resetAuthenticator: true,
      }),
    ])
    assert.equal(reset.statusCode, 200)
    const me = await read(response.statusCode === 200 ? cookieOf(response) : '')
    assertRefusal(me, signInEndpoints.readOperator, 'LOGIN_REQUIRED')
    const late = await send(phone.sign(await requestLogInChallenge(setup)))
    assertRefusal(late, endpoint, 'PASSKEY_INVALID')
    const entry = (await auditOf(setup, someone.email)).findLast(
      ({ action }) => action === 'operator.change',
    )
    const expected = { role: 'viewer', isActive: true, hasAuthenticator: false, passkeysRemoved: 1 }
    assert.deepEqual(entry?.after, expected)
  })

  it('400 INVALID_REQUEST for an invalid passkey response', async () => {
    const { passkey } = await fieldsOf(setup)
    const without = { ...passkey.response, signature: undefined }
    const odd = { ...passkey.response, clientDataJSON: '\u0000' }
    await refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['passkey', undefined],
      ['passkey', 'text'],
      ['passkey', { ...passkey, id: '' }],
      ['passkey', { ...passkey, id: 'x'.repeat(1365) }],
      ['passkey', { ...passkey, response: without }],
      ['passkey', { ...passkey, response: odd }],
    ])
  })

  it('400 PASSKEY_INVALID for random bytes', async () => {
    const nonsense = ['AAAA', '____', Buffer.from('null').toString('base64url')]
    for (const field of ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']) {
      for (const value of nonsense) {
        const { passkey } = await fieldsOf(setup)
        const response = { ...passkey.response, [field]: value }
        assertRefusal(await send({ ...passkey, response }), endpoint, 'PASSKEY_INVALID')
      }
    }
  })
})
