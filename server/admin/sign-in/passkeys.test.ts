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
  openAdminStage,
  statusesOf,
  type AdminStage,
  type TestOperator,
} from '../../test/admin-setup.ts'
import { Authenticator, type Cbor, type Oddities } from '../../test/authenticator.ts'
import { askAtDoor, askToMake, givePasskey } from '../../test/passkey-setup.ts'
import { assertRefusal } from '../../test/setup.ts'

let stage: AdminStage
before(async () => {
  stage = await openAdminStage()
})
after(() => stage.harness.end())

async function namesOf(who: TestOperator): Promise<string[]> {
  const response = await askAs(stage, who, ownSignInEndpoints.readSignIn)
  return response.json<{ passkeys: { name: string }[] }>().passkeys.map(({ name }) => name)
}

/** As many as there can be. */
async function makeOwnerOfMany(): Promise<TestOperator> {
  const someone = await makeOperator(stage.harness, 'viewer')
  for (let count = 0; count < PASSKEYS_MAX; count++) await givePasskey(stage, someone)
  return someone
}

const ELSEWHERE = { host: 'wallet.example' }

describe('GET /api/admin/sign-in/passkeys/new', () => {
  const endpoint = ownSignInEndpoints.beginPasskey

  it('200 what a browser needs, with those that are there already and nothing that names the person', async () => {
    const someone = await makeOperator(stage.harness, 'viewer')
    const first = await askToMake(stage, someone)
    assert.deepEqual(first.excluded, [])
    const { id } = await givePasskey(stage, someone)
    const second = await askToMake(stage, someone)
    assert.deepEqual(second.excluded, [{ id, transports: ['internal', 'hybrid'] }])
    assert.equal(second.user.id, first.user.id)
    assert.match(first.user.id, /^[\w-]{43}$/)
    assert.notEqual(first.user.id, (await askToMake(stage, stage.viewer)).user.id)
    assert.notEqual(first.challenge, second.challenge)
  })

  it('409 PASSKEY_LIMIT when there are as many as can be', async () => {
    const response = await askAs(stage, await makeOwnerOfMany(), endpoint)
    assertRefusal(response, endpoint, 'PASSKEY_LIMIT')
  })

  it('400 PASSKEY_INVALID where the address is not known to be ours', async () => {
    const response = await askAs(stage, stage.viewer, endpoint, {}, ELSEWHERE)
    assertRefusal(response, endpoint, 'PASSKEY_INVALID')
  })
})

describe('POST /api/admin/sign-in/passkeys', () => {
  const endpoint = ownSignInEndpoints.addPasskey
  const send = (who: TestOperator, passkey: object, name = 'Phone') =>
    askAs(stage, who, endpoint, { name, passkey })
  const fieldsOf = async (on: AdminStage) => ({
    name: 'Phone',
    passkey: new Authenticator().make(await askToMake(on, on.viewer)),
  })

  it('200 adds it under its name, and the audit log has no key', async () => {
    const someone = await makeOperator(stage.harness, 'viewer')
    await givePasskey(stage, someone, { name: 'Work laptop' })
    await givePasskey(stage, someone, { name: '電話' })
    assert.deepEqual(await namesOf(someone), ['Work laptop', '電話'])
    const entry = (await auditOf(stage, someone.email)).at(-1)
    assert.equal(entry?.action, 'passkey.add')
    assert.deepEqual([entry?.before, entry?.after], [null, { name: '電話' }])
    const me = await askAs(stage, someone, signInEndpoints.readOperator)
    assert.equal(me.json<{ hasPasskey: boolean }>().hasPasskey, true)
  })

  it('200 for a device that vouches for itself, and 400 if it does so with another key', async () => {
    const someone = await makeOperator(stage.harness, 'viewer')
    const [key, other] = [new Authenticator(), new Authenticator()]
    for (const [signer, status] of [
      [other, 400],
      [key, 200],
    ] as const) {
      const made = key.make(await askToMake(stage, someone), {}, (data) => ({
        fmt: 'packed',
        attStmt: new Map<string, Cbor>([
          ['alg', -7],
          ['sig', sign('sha256', data, signer.keys.privateKey)],
        ]),
      }))
      assert.equal((await send(someone, made)).statusCode, status)
    }
  })

  it('400 PASSKEY_INVALID for one that somebody has already, also when two add it at once', async () => {
    const someone = await makeOperator(stage.harness, 'viewer')
    const phone = await givePasskey(stage, stage.owner)
    const taken = phone.make(await askToMake(stage, someone))
    assertRefusal(await send(someone, taken), endpoint, 'PASSKEY_INVALID')
    const key = new Authenticator()
    const answers = await Promise.all([
      send(someone, key.make(await askToMake(stage, someone))),
      send(stage.viewer, key.make(await askToMake(stage, stage.viewer))),
    ])
    assert.deepEqual(statusesOf(answers), [200, 400])
  })

  it('400 PASSKEY_INVALID for what was not asked for, here, now and by this log-in', async () => {
    const { viewer, owner, harness } = stage
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
      const made = new Authenticator().make(await askToMake(stage, viewer), each)
      assertRefusal(await send(viewer, made), endpoint, 'PASSKEY_INVALID')
    }
    const used = await askToMake(stage, viewer)
    const foreign = await askToMake(stage, owner)
    const old = await askToMake(stage, viewer)
    await harness.admin.query('update admin.passkey_challenges set expires_at = now()')
    const atDoor = { ...used, ...(await askAtDoor(stage)) }
    const fresh = await askToMake(stage, viewer)
    assert.equal((await send(viewer, new Authenticator().make(fresh))).statusCode, 200)
    for (const asked of [fresh, foreign, old, atDoor]) {
      const made = new Authenticator().make(asked)
      assertRefusal(await send(viewer, made), endpoint, 'PASSKEY_INVALID')
    }
    assert.equal((await namesOf(viewer)).length, earlier.length + 1)
  })

  it('400 PASSKEY_INVALID for an id that is not the key\u2019s, and for one that brings certificates', async () => {
    const { viewer } = stage
    const made = new Authenticator().make(await askToMake(stage, viewer))
    const other = { ...made, id: new Authenticator().id }
    assertRefusal(await send(viewer, other), endpoint, 'PASSKEY_INVALID')
    const attStmt = new Map<string, Cbor>([
      ['alg', -7],
      ['sig', randomBytes(70)],
      ['x5c', [randomBytes(300)]],
    ])
    for (const fmt of ['packed', 'tpm', 'apple', 'none']) {
      const asked = await askToMake(stage, viewer)
      const withCertificates = new Authenticator().make(asked, {}, () => ({ fmt, attStmt }))
      assertRefusal(await send(viewer, withCertificates), endpoint, 'PASSKEY_INVALID')
    }
  })

  it('409 PASSKEY_LIMIT when there are as many as can be, also when two are added at once', async () => {
    const someone = await makeOwnerOfMany()
    const [first] = (await askAs(stage, someone, ownSignInEndpoints.readSignIn)).json<{
      passkeys: { id: string }[]
    }>().passkeys
    await askAs(stage, someone, ownSignInEndpoints.removePasskey, { id: first?.id })
    const made = [await askToMake(stage, someone), await askToMake(stage, someone)].map((asked) =>
      new Authenticator().make(asked),
    )
    const answers = await Promise.all(made.map((each) => send(someone, each)))
    assert.deepEqual(statusesOf(answers), [200, 409])
    for (const answer of answers) {
      if (answer.statusCode !== 200) assertRefusal(answer, endpoint, 'PASSKEY_LIMIT')
    }
    assert.equal((await namesOf(someone)).length, PASSKEYS_MAX)
  })

  it('400 INVALID_REQUEST for what is no passkey or no name', async () => {
    const { passkey } = await fieldsOf(stage)
    const response = { ...passkey.response, transports: ['USB\n'] }
    await refusals.refusesFields(stage, endpoint, fieldsOf, [
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
  async function addOne(on: AdminStage, who: TestOperator) {
    // This is done many times over, and there may be only so many.
    await on.harness.admin.query('delete from admin.passkeys where operator_id = $1', [who.id])
    const key = await givePasskey(on, who, { name: 'Old phone' })
    const response = await askAs(on, who, ownSignInEndpoints.readSignIn)
    const { passkeys } = response.json<{ passkeys: { id: string }[] }>()
    return { key, id: passkeys.at(-1)?.id ?? assert.fail() }
  }
  const fieldsOf = async (on: AdminStage) => ({ id: (await addOne(on, on.viewer)).id })

  it('200 it can no longer be used to log in', async () => {
    const someone = await makeOperator(stage.harness, 'viewer')
    const { key, id } = await addOne(stage, someone)
    const asked = await askAtDoor(stage)
    assert.equal((await askAs(stage, someone, endpoint, { id })).statusCode, 200)
    assert.deepEqual(await namesOf(someone), [])
    const logIn = await askAs(stage, { cookie: '' }, signInEndpoints.logInByPasskey, {
      passkey: key.sign(asked),
    })
    assertRefusal(logIn, signInEndpoints.logInByPasskey, 'PASSKEY_INVALID')
    const entry = (await auditOf(stage, someone.email)).at(-1)
    assert.equal(entry?.action, 'passkey.remove')
    assert.deepEqual(entry?.before, { name: 'Old phone' })
  })

  it('404 NOT_FOUND for one that is not there, and for another operator\u2019s', async () => {
    const { id } = await addOne(stage, stage.owner)
    for (const each of [id, '0', '999999999999999999']) {
      const response = await askAs(stage, stage.viewer, endpoint, { id: each })
      assertRefusal(response, endpoint, 'NOT_FOUND')
    }
    assert((await namesOf(stage.owner)).includes('Old phone'))
  })

  it('400 INVALID_REQUEST for what is no id', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['id', 'first'],
      ['id', '-1'],
      ['id', '1'.repeat(19)],
      ['id', undefined],
    ]))
})
