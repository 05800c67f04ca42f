import * as ownSignInEndpoints from '@coffer/contract/admin/own-sign-in'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import { PASSKEYS_MAX } from '@coffer/contract/limits'
import assert from 'node:assert/strict'
import { randomBytes, sign } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import * as refusals from '../../test/refusals.ts'
import {
  askAs,
  auditOf,
  makeOperator,
  openAdminSetup,
  outcomesOf,
  type AdminSetup,
  type TestOperator,
} from '../../test/admin-setup.ts'
import { Authenticator, type Cbor, type Oddities } from '../../test/authenticator.ts'
import { requestLogInChallenge, askToMake, givePasskey } from '../../test/passkey-setup.ts'
import { assertRefusal } from '../../test/setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

async function namesOf(who: TestOperator): Promise<string[]> {
  const response = await askAs(setup, who, ownSignInEndpoints.readSignIn)
  return response.json<{ passkeys: { name: string }[] }>().passkeys.map(({ name }) => name)
}

/** An operator with the maximum number of passkeys. */
async function makeOwnerOfMany(): Promise<TestOperator> {
  const someone = await makeOperator(setup.harness, 'viewer')
  for (let count = 0; count < PASSKEYS_MAX; count++) await givePasskey(setup, someone)
  return someone
}

const ELSEWHERE = { host: 'wallet.example' }

describe('GET /api/admin/sign-in/passkeys/new', () => {
  const endpoint = ownSignInEndpoints.beginPasskey

  it('200 returns the options for the browser, with existing passkeys and without personal data', async () => {
    const someone = await makeOperator(setup.harness, 'viewer')
    const first = await askToMake(setup, someone)
    assert.deepEqual(first.excluded, [])
    const { id } = await givePasskey(setup, someone)
    const second = await askToMake(setup, someone)
    assert.deepEqual(second.excluded, [{ id, transports: ['internal', 'hybrid'] }])
    assert.equal(second.user.id, first.user.id)
    assert.match(first.user.id, /^[\w-]{43}$/)
    assert.notEqual(first.user.id, (await askToMake(setup, setup.viewer)).user.id)
    assert.notEqual(first.challenge, second.challenge)
  })

  it('409 PASSKEY_LIMIT for an operator with the maximum number of passkeys', async () => {
    const response = await askAs(setup, await makeOwnerOfMany(), endpoint)
    assertRefusal(response, endpoint, 'PASSKEY_LIMIT')
  })

  it('400 PASSKEY_INVALID on an unknown host', async () => {
    const response = await askAs(setup, setup.viewer, endpoint, {}, ELSEWHERE)
    assertRefusal(response, endpoint, 'PASSKEY_INVALID')
  })
})

describe('POST /api/admin/sign-in/passkeys', () => {
  const endpoint = ownSignInEndpoints.addPasskey
  const send = (who: TestOperator, passkey: object, name = 'Phone') =>
    askAs(setup, who, endpoint, { name, passkey })
  const fieldsOf = async (on: AdminSetup) => ({
    name: 'Phone',
    passkey: new Authenticator().make(await askToMake(on, on.viewer)),
  })

  it('200 adds the passkey with its name, and the audit log contains no key', async () => {
    const someone = await makeOperator(setup.harness, 'viewer')
    await givePasskey(setup, someone, { name: 'Work laptop' })
    await givePasskey(setup, someone, { name: '電話' })
    assert.deepEqual(await namesOf(someone), ['Work laptop', '電話'])
    const entry = (await auditOf(setup, someone.email)).at(-1)
    assert.equal(entry?.action, 'passkey.add')
    assert.deepEqual([entry?.before, entry?.after], [null, { name: '電話' }])
    const me = await askAs(setup, someone, signInEndpoints.readOperator)
    assert.equal(me.json<{ hasPasskey: boolean }>().hasPasskey, true)
  })

  it('200 for a self-attestation, and 400 if another key signed it', async () => {
    const someone = await makeOperator(setup.harness, 'viewer')
    const [key, other] = [new Authenticator(), new Authenticator()]
    for (const [signer, status] of [
      [other, 400],
      [key, 200],
    ] as const) {
      const made = key.make(await askToMake(setup, someone), {}, (data) => ({
        fmt: 'packed',
        attStmt: new Map<string, Cbor>([
          ['alg', -7],
          ['sig', sign('sha256', data, signer.keys.privateKey)],
        ]),
      }))
      assert.equal((await send(someone, made)).statusCode, status)
    }
  })

  it('400 PASSKEY_INVALID for a passkey that is already registered, also concurrently', async () => {
    const someone = await makeOperator(setup.harness, 'viewer')
    const phone = await givePasskey(setup, setup.owner)
    const taken = phone.make(await askToMake(setup, someone))
    assertRefusal(await send(someone, taken), endpoint, 'PASSKEY_INVALID')
    const key = new Authenticator()
    const responses = await Promise.all([
      send(someone, key.make(await askToMake(setup, someone))),
      send(setup.viewer, key.make(await askToMake(setup, setup.viewer))),
    ])
    assert.deepEqual(outcomesOf(responses), ['200', 'PASSKEY_INVALID'])
  })

  it('400 PASSKEY_INVALID for another challenge, origin, domain, type or login, and without user verification', async () => {
    const { viewer, owner, harness } = setup
    const odd: Oddities[] = [
      { challenge: randomBytes(32).toString('base64url') },
      { origin: 'http://evil.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
      { isPresent: false },
      { type: 'webauthn.get' },
    ]
    const earlier = await namesOf(viewer)
    for (const each of odd) {
      const made = new Authenticator().make(await askToMake(setup, viewer), each)
      assertRefusal(await send(viewer, made), endpoint, 'PASSKEY_INVALID')
    }
    const used = await askToMake(setup, viewer)
    const foreign = await askToMake(setup, owner)
    const old = await askToMake(setup, viewer)
    await harness.admin.query('update admin.passkey_challenges set expires_at = now()')
    const atSignIn = { ...used, ...(await requestLogInChallenge(setup)) }
    const fresh = await askToMake(setup, viewer)
    assert.equal((await send(viewer, new Authenticator().make(fresh))).statusCode, 200)
    for (const options of [fresh, foreign, old, atSignIn]) {
      const made = new Authenticator().make(options)
      assertRefusal(await send(viewer, made), endpoint, 'PASSKEY_INVALID')
    }
    assert.equal((await namesOf(viewer)).length, earlier.length + 1)
  })

  it('400 PASSKEY_INVALID for an id of another key, and for an attestation with certificates', async () => {
    const { viewer } = setup
    const made = new Authenticator().make(await askToMake(setup, viewer))
    const other = { ...made, id: new Authenticator().id }
    assertRefusal(await send(viewer, other), endpoint, 'PASSKEY_INVALID')
    const attStmt = new Map<string, Cbor>([
      ['alg', -7],
      ['sig', randomBytes(70)],
      ['x5c', [randomBytes(300)]],
    ])
    for (const fmt of ['packed', 'tpm', 'apple', 'none']) {
      const options = await askToMake(setup, viewer)
      const withCertificates = new Authenticator().make(options, {}, () => ({ fmt, attStmt }))
      assertRefusal(await send(viewer, withCertificates), endpoint, 'PASSKEY_INVALID')
    }
  })

  it('409 PASSKEY_LIMIT for an operator with the maximum number of passkeys, also concurrently', async () => {
    const someone = await makeOwnerOfMany()
    const [first] = (await askAs(setup, someone, ownSignInEndpoints.readSignIn)).json<{
      passkeys: { id: string }[]
    }>().passkeys
    await askAs(setup, someone, ownSignInEndpoints.removePasskey, { id: first?.id })
    const made = [await askToMake(setup, someone), await askToMake(setup, someone)].map((options) =>
      new Authenticator().make(options),
    )
    const responses = await Promise.all(made.map((each) => send(someone, each)))
    assert.deepEqual(outcomesOf(responses), ['200', 'PASSKEY_LIMIT'])
    assert.equal((await namesOf(someone)).length, PASSKEYS_MAX)
  })

  it('400 INVALID_REQUEST for an invalid passkey or name', async () => {
    const { passkey } = await fieldsOf(setup)
    const response = { ...passkey.response, transports: ['USB\n'] }
    await refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['name', ''],
      ['name', '\u0000'],
      ['name', 'x'.repeat(81)],
      ['passkey', undefined],
      ['passkey', { ...passkey, id: '+' }],
      ['passkey', { ...passkey, response }],
    ])
  })
})

describe('POST /api/admin/sign-in/passkeys/remove', () => {
  const endpoint = ownSignInEndpoints.removePasskey
  async function addOne(on: AdminSetup, who: TestOperator) {
    // The shared tests repeat this many times, and the number of passkeys is limited.
    await on.harness.admin.query('delete from admin.passkeys where operator_id = $1', [who.id])
    const key = await givePasskey(on, who, { name: 'Old phone' })
    const response = await askAs(on, who, ownSignInEndpoints.readSignIn)
    const { passkeys } = response.json<{ passkeys: { id: string }[] }>()
    return { key, id: passkeys.at(-1)?.id ?? assert.fail() }
  }

  it('200 the passkey can no longer be used to log in', async () => {
    const someone = await makeOperator(setup.harness, 'viewer')
    const { key, id } = await addOne(setup, someone)
    const options = await requestLogInChallenge(setup)
    assert.equal((await askAs(setup, someone, endpoint, { id })).statusCode, 200)
    assert.deepEqual(await namesOf(someone), [])
    const logIn = await askAs(setup, { cookie: '' }, signInEndpoints.logInByPasskey, {
      passkey: key.sign(options),
    })
    assertRefusal(logIn, signInEndpoints.logInByPasskey, 'PASSKEY_INVALID')
    const entry = (await auditOf(setup, someone.email)).at(-1)
    assert.equal(entry?.action, 'passkey.remove')
    assert.deepEqual(entry?.before, { name: 'Old phone' })
  })

  it('404 NOT_FOUND for an unknown passkey and for a passkey of another operator', async () => {
    const { id } = await addOne(setup, setup.owner)
    for (const each of [id, '0', '999999999999999999']) {
      const response = await askAs(setup, setup.viewer, endpoint, { id: each })
      assertRefusal(response, endpoint, 'NOT_FOUND')
    }
    assert((await namesOf(setup.owner)).includes('Old phone'))
  })
})
