import * as accountApi from '@coffer/contract/account/account'
import * as endpoints from '@coffer/contract/account/passkeys'
import { secureAccount } from '@coffer/contract/account/safety'
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ask,
  cookieOf,
  logInAs,
  makePerson,
  moveEmail,
  openPersonSetupWithMail,
  type TestPerson,
} from '../test/account-setup.ts'
import { makeOperator, outcomesOf } from '../test/admin-setup.ts'
import type { Authenticator, Oddities } from '../test/authenticator.ts'
import {
  askPersonToMake,
  givePasskey,
  givePersonPasskey,
  requestPersonChallenge,
} from '../test/passkey-setup.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal } from '../test/setup.ts'
import { PASSWORD } from '../test/sign-in.ts'

let setup: Awaited<ReturnType<typeof openPersonSetupWithMail>>
let key: Authenticator
before(async () => {
  setup = await openPersonSetupWithMail({ ADMIN_KEYS: `k1:${randomBytes(32).toString('base64')}` })
  key = await givePersonPasskey(setup, setup.person)
})
after(() => setup.close())

const read = (cookie: string) =>
  ask({ harness: setup.harness, person: { cookie } }, accountApi.readAccount)

const send = (passkey: object, headers: Record<string, string> = {}) =>
  ask({ harness: setup.harness }, endpoints.logInToAccountByPasskey, { passkey }, headers)

const logInWith = async (device: Authenticator, odd: Oddities = {}) =>
  send(device.sign(await requestPersonChallenge(setup), odd))

describe('POST /api/account/log-in/passkey', () => {
  const endpoint = endpoints.beginAccountPasskeyLogIn

  it('200 returns a new challenge each time', async () => {
    const [one, two] = [await requestPersonChallenge(setup), await requestPersonChallenge(setup)]
    assert.equal(one.rpId, 'localhost')
    assert.match(one.challenge, /^[\w-]{43}$/)
    assert.notEqual(one.challenge, two.challenge)
  })

  it('400 PASSKEY_INVALID on an unknown host', async () => {
    const { harness } = setup
    const response = await ask({ harness }, endpoint, {}, { host: 'wallet.example' })
    assertRefusal(response, endpoint, 'PASSKEY_INVALID')
  })
})

describe('POST /api/account/log-in/passkey/finish', () => {
  const endpoint = endpoints.logInToAccountByPasskey

  /** Refused with this deviation and accepted without it, so the deviation is the reason. */
  async function isRefused(odd: Oddities) {
    const earlier = await readState()
    assertRefusal(await logInWith(key, odd), endpoint, 'PASSKEY_INVALID')
    assert.deepEqual(await readState(), earlier)
    assert.equal((await logInWith(key)).statusCode, 200)
  }

  async function readState() {
    const { rows } = await setup.harness.admin.query<{ row: string }>(
      `select p::text as row from directory.passkeys p
       union all select i::text from directory.log_ins i order by 1`,
    )
    return rows
  }

  it('200 logs in the owner of the passkey, like every login: with an email about a new browser, and none about a known one', async () => {
    const { harness, mail } = setup
    const person = await makePerson(harness)
    await mail.readSubject(person.email, /^New login/)
    const phone = await givePersonPasskey(setup, person)
    await mail.readSubject(person.email, /^A passkey was added/)
    const response = await logInWith(phone)
    assert.deepEqual([response.statusCode, response.json()], [200, {}])
    const account = (await read(cookieOf(response))).json<{
      email: string
      passkeys: { lastUsedAt: string | null }[]
    }>()
    assert.equal(account.email, person.email)
    assert.notEqual(account.passkeys[0]?.lastUsedAt, null)
    await mail.readSubject(person.email, /^New login/)
    const cookies = [response.headers['set-cookie']]
      .flat()
      .map((each) => String(each).split(';')[0])
    const signed = phone.sign(await requestPersonChallenge(setup))
    assert.equal((await send(signed, { cookie: cookies.join('; ') })).statusCode, 200)
    await sleep(300)
    assert.equal(mail.count(person.email), 0)
  })

  it('200 repeatedly for a device that does not count its signatures', async () => {
    const person = await makePerson(setup.harness)
    const phone = await givePersonPasskey(setup, person, { counts: false })
    for (let time = 0; time < 3; time++) assert.equal((await logInWith(phone)).statusCode, 200)
  })

  it('200 after a change of email and password, which keep the passkeys', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    const phone = await givePersonPasskey(setup, person)
    await moveEmail(setup, person)
    const fields = { password: PASSWORD, newPassword: 'another harbour at dusk' }
    assert.equal(
      (await ask({ harness, person }, accountApi.changePassword, fields)).statusCode,
      200,
    )
    assert.equal((await logInWith(phone)).statusCode, 200)
  })

  it('400 PASSKEY_INVALID for a replayed response, also concurrently', async () => {
    const signed = key.sign(await requestPersonChallenge(setup))
    const responses = await Promise.all([send(signed), send(signed)])
    assert.deepEqual(outcomesOf(responses), ['200', 'PASSKEY_INVALID'])
    assertRefusal(await send(signed), endpoint, 'PASSKEY_INVALID')
  })

  it('400 PASSKEY_INVALID for a challenge that is unknown, expired, already failed, or issued for another purpose', async () => {
    const { harness, person } = setup
    await isRefused({ challenge: randomBytes(32).toString('base64url') })
    await isRefused({ challenge: '' })
    const toAdd = await askPersonToMake(setup, person)
    assertRefusal(await send(key.sign(toAdd)), endpoint, 'PASSKEY_INVALID')
    const old = await requestPersonChallenge(setup)
    await harness.admin.query('update directory.passkey_challenges set expires_at = now()')
    assertRefusal(await send(key.sign(old)), endpoint, 'PASSKEY_INVALID')
    const failed = await requestPersonChallenge(setup)
    assertRefusal(await send(key.sign(failed, { isVerified: false })), endpoint, 'PASSKEY_INVALID')
    assertRefusal(await send(key.sign(failed)), endpoint, 'PASSKEY_INVALID')
  })

  it('400 PASSKEY_INVALID for another origin or domain, in a frame, and without user verification', async () => {
    for (const origin of ['https://localhost', 'http://localhost:81', 'http://evil.example', '']) {
      await isRefused({ origin })
    }
    await isRefused({ rpId: 'evil.example' })
    await isRefused({ topOrigin: 'http://localhost' })
    await isRefused({ topOrigin: null })
    await isRefused({ isVerified: false })
    await isRefused({ isPresent: false })
    await isRefused({ type: 'webauthn.create' })
  })

  it('400 PASSKEY_INVALID for another key, an unknown passkey, and the passkey of another person', async () => {
    const { harness } = setup
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    await isRefused({ privateKey })
    await isRefused({ credentialId: randomBytes(32) })
    const other = await givePersonPasskey(setup, await makePerson(harness))
    await isRefused({ userHandle: other.userHandle })
    await isRefused({ userHandle: undefined })
    await isRefused({ privateKey: other.keys.privateKey })
    await isRefused({ credentialId: other.credentialId })
    const operator = await givePasskey(setup, await makeOperator(harness, 'owner'))
    assertRefusal(await logInWith(operator), endpoint, 'PASSKEY_INVALID')
  })

  it('400 PASSKEY_INVALID when the signature counter does not increase; the passkey is marked, and its owner is notified', async () => {
    const { harness, mail } = setup
    const person = await makePerson(harness)
    const phone = await givePersonPasskey(setup, person)
    assert.equal((await logInWith(phone)).statusCode, 200)
    const stored = phone.signCount
    const copiedAt = async () =>
      (await read(person.cookie)).json<{ passkeys: { copiedAt: string | null }[] }>().passkeys[0]
        ?.copiedAt
    // Only the holder of the key can cause this.
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    assertRefusal(await logInWith(phone, { signCount: 0, privateKey }), endpoint, 'PASSKEY_INVALID')
    assert.equal(await copiedAt(), null)
    for (const signCount of [stored, stored - 1, 0]) {
      const response = await logInWith(phone, { signCount })
      assertRefusal(response, endpoint, 'PASSKEY_INVALID')
      assert.equal(response.headers['set-cookie'], undefined)
      assert.notEqual(await copiedAt(), null)
    }
    const { text } = await mail.readSubject(person.email, /^A copy of your passkey was used$/)
    assert(text?.includes(': Phone.'))
    assert.match(text ?? '', /\/account#warning\?ticket=[\w-]{32}$/m)
  })

  it('400 INVALID_REQUEST for an invalid passkey response', async () => {
    const passkey = key.sign(await requestPersonChallenge(setup))
    const without = { ...passkey.response, signature: undefined }
    const fieldsOf = async () => ({ passkey: key.sign(await requestPersonChallenge(setup)) })
    await refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['passkey', undefined],
      ['passkey', 'text'],
      ['passkey', { ...passkey, id: '' }],
      ['passkey', { ...passkey, response: without }],
    ])
  })
})

describe('what removes all passkeys of a person', () => {
  const endpoint = endpoints.logInToAccountByPasskey
  type Change = (person: TestPerson) => Promise<{ statusCode: number }>

  const secure: Change = async ({ email }) => {
    const ticket = await setup.mail.readWarningTicket(email)
    return ask({ harness: setup.harness }, secureAccount, { ticket })
  }
  const reset: Change = async ({ email }) => {
    const { harness, mail } = setup
    await ask({ harness }, accountApi.forgotAccountPassword, { email })
    const fields = { ticket: await mail.readTicket(email), password: PASSWORD }
    return ask({ harness }, accountApi.resetAccountPassword, fields)
  }
  const undo: Change = async (person) => {
    const { harness, mail } = setup
    await moveEmail(setup, { cookie: await logInAs(harness, person.email) })
    const fields = { ticket: await mail.readUndoTicket(person.email), password: PASSWORD }
    return ask({ harness }, accountApi.undoEmailChange, fields)
  }

  for (const [title, change] of Object.entries({
    'a reset of the password by email': reset,
    'the link "This wasn\'t me"': secure,
    'the undo of a change of the email address': undo,
  })) {
    it(`${title}, and no login that was started at the same moment survives`, async () => {
      const { harness } = setup
      const person = await makePerson(harness)
      const phone = await givePersonPasskey(setup, person)
      const signed = await Promise.all(
        Array.from({ length: 4 }, async () => phone.sign(await requestPersonChallenge(setup))),
      )
      const [changed, ...responses] = await Promise.all([
        change(person),
        ...signed.map((each) => send(each)),
      ])
      assert.equal(changed.statusCode, 200)
      for (const response of responses) {
        const { statusCode } = await read(response.statusCode === 200 ? cookieOf(response) : '')
        assert.equal(statusCode, 401)
      }
      assertRefusal(await logInWith(phone), endpoint, 'PASSKEY_INVALID')
      const { rows } = await harness.admin.query(
        'select count(*)::int from directory.passkeys where service_user_id = $1',
        [person.id],
      )
      assert.deepEqual(rows, [{ count: 0 }])
    })
  }
})
