import * as accountApi from '@coffer/contract/account/account'
import * as endpoints from '@coffer/contract/account/passkeys'
import { PASSKEYS_MAX } from '@coffer/contract/limits'
import { createSession } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  ask,
  logInAs,
  makePerson,
  openPersonSetupWithMail,
  type TestPerson,
} from '../test/account-setup.ts'
import { outcomesOf } from '../test/admin-setup.ts'
import { Authenticator, type Oddities } from '../test/authenticator.ts'
import {
  askPersonToMake,
  givePersonPasskey,
  requestPersonChallenge,
} from '../test/passkey-setup.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, call } from '../test/setup.ts'
import { PASSWORD } from '../test/sign-in.ts'

let setup: Awaited<ReturnType<typeof openPersonSetupWithMail>>
before(async () => {
  setup = await openPersonSetupWithMail()
})
after(() => setup.close())

interface Listed {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
  copiedAt: string | null
}

async function listOf(person: Pick<TestPerson, 'cookie'>): Promise<Listed[]> {
  const { harness } = setup
  const response = await ask({ harness, person }, accountApi.readAccount)
  assert.equal(response.statusCode, 200, response.body)
  return response.json<{ passkeys: Listed[] }>().passkeys
}

const namesOf = async (person: TestPerson) => (await listOf(person)).map(({ name }) => name)

/** A person with the maximum number of passkeys. */
async function makeOwnerOfMany(): Promise<TestPerson> {
  const person = await makePerson(setup.harness)
  for (let count = 0; count < PASSKEYS_MAX; count++) await givePersonPasskey(setup, person)
  return person
}

const ELSEWHERE = { host: 'wallet.example' }

describe('POST /api/account/passkeys/new', () => {
  const endpoint = endpoints.beginAccountPasskey
  const begin = (person: Pick<TestPerson, 'cookie'>, password = PASSWORD, headers = {}) =>
    ask({ harness: setup.harness, person }, endpoint, { password }, headers)

  it('200 returns the options for the browser, with the passkeys that the person has', async () => {
    const person = await makePerson(setup.harness)
    const first = await askPersonToMake(setup, person)
    assert.deepEqual(first.excluded, [])
    const { id } = await givePersonPasskey(setup, person)
    const second = await askPersonToMake(setup, person)
    assert.deepEqual(second.excluded, [{ id, transports: ['internal', 'hybrid'] }])
    assert.equal(second.user.id, first.user.id)
    assert.match(first.user.id, /^[\w-]{43}$/)
    assert.notEqual(first.user.id, (await askPersonToMake(setup, setup.person)).user.id)
    assert.notEqual(first.challenge, second.challenge)
  })

  it('401 LOGIN_REQUIRED for a session that an app created', async () => {
    const { harness, app, person } = setup
    const { serviceUserId } = person
    const session = await call({ harness, app, user: person }, createSession, { serviceUserId })
    const { sessionToken } = session.json<{ sessionToken: string }>()
    const fields = { password: PASSWORD, session: sessionToken }
    for (const cookie of ['', `__Host-coffer=${sessionToken}`]) {
      for (const each of [endpoint, endpoints.addAccountPasskey]) {
        const url = `${each.path}?session=${sessionToken}`
        const payload = each === endpoint ? fields : { name: 'Phone', passkey: await makeOne() }
        const response = await harness.inject({
          method: 'POST',
          url,
          payload,
          headers: { 'sec-fetch-site': 'same-origin', cookie },
        })
        assertRefusal(response, each, 'LOGIN_REQUIRED')
      }
    }
    async function makeOne() {
      return new Authenticator().make(await askPersonToMake(setup, person))
    }
  })

  it('401 LOGIN_FAILED for a wrong password', async () => {
    const person = await makePerson(setup.harness)
    assertRefusal(await begin(person, 'wrong'), endpoint, 'LOGIN_FAILED')
  })

  it('409 PASSKEY_LIMIT for a person with the maximum number of passkeys', async () => {
    assertRefusal(await begin(await makeOwnerOfMany()), endpoint, 'PASSKEY_LIMIT')
  })

  it('400 PASSKEY_INVALID on an unknown host', async () => {
    const response = await begin(setup.person, PASSWORD, ELSEWHERE)
    assertRefusal(response, endpoint, 'PASSKEY_INVALID')
  })
})

describe('POST /api/account/passkeys', () => {
  const endpoint = endpoints.addAccountPasskey
  const send = (person: Pick<TestPerson, 'cookie'>, passkey: object, name = 'Phone') =>
    ask({ harness: setup.harness, person }, endpoint, { name, passkey })

  it('200 adds the passkey with its name, and notifies the owner', async () => {
    const person = await makePerson(setup.harness)
    await givePersonPasskey(setup, person, { name: 'Laptop' })
    await givePersonPasskey(setup, person, { name: '電話' })
    const [first, second] = await listOf(person)
    assert.deepEqual([first?.name, second?.name], ['Laptop', '電話'])
    assert.deepEqual([first?.lastUsedAt, first?.copiedAt], [null, null])
    for (const name of ['Laptop', '電話']) {
      const { text } = await setup.mail.readSubject(person.email, /^A passkey was added/)
      assert(text?.includes(`: ${name}.`))
      assert.match(text ?? '', /\/account#warning\?ticket=[\w-]{32}$/m)
    }
  })

  it('400 PASSKEY_INVALID without the password: a challenge of the login page, of another login, or a used or old one', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    const elsewhere = { cookie: await logInAs(harness, person.email) }
    const used = await askPersonToMake(setup, person)
    const old = await askPersonToMake(setup, person)
    await harness.admin.query('update directory.passkey_challenges set expires_at = now()')
    const atLogIn = { ...used, ...(await requestPersonChallenge(setup)) }
    const foreign = await askPersonToMake(setup, elsewhere)
    const fresh = await askPersonToMake(setup, person)
    assert.equal((await send(person, new Authenticator().make(fresh))).statusCode, 200)
    for (const options of [fresh, foreign, old, atLogIn]) {
      const made = new Authenticator().make(options)
      assertRefusal(await send(person, made), endpoint, 'PASSKEY_INVALID')
    }
    assert.equal((await listOf(person)).length, 1)
  })

  it('400 PASSKEY_INVALID for another challenge, origin, domain or type, in a frame, and without user verification', async () => {
    const person = await makePerson(setup.harness)
    const odd: Oddities[] = [
      { challenge: randomBytes(32).toString('base64url') },
      { origin: 'http://evil.example' },
      { rpId: 'evil.example' },
      { topOrigin: 'https://shop.example' },
      { topOrigin: null },
      { isVerified: false },
      { isPresent: false },
      { type: 'webauthn.get' },
    ]
    for (const each of odd) {
      const made = new Authenticator().make(await askPersonToMake(setup, person), each)
      assertRefusal(await send(person, made), endpoint, 'PASSKEY_INVALID')
    }
    assert.deepEqual(await listOf(person), [])
  })

  it('400 PASSKEY_INVALID for a passkey that is already registered', async () => {
    const person = await makePerson(setup.harness)
    const phone = await givePersonPasskey(setup, setup.person)
    const taken = phone.make(await askPersonToMake(setup, person))
    assertRefusal(await send(person, taken), endpoint, 'PASSKEY_INVALID')
  })

  it('409 PASSKEY_LIMIT for a person with the maximum number of passkeys, also concurrently', async () => {
    const { harness } = setup
    const person = await makeOwnerOfMany()
    const [first] = await listOf(person)
    const fields = { id: first?.id, password: PASSWORD }
    await ask({ harness, person }, endpoints.removeAccountPasskey, fields)
    const options = [await askPersonToMake(setup, person), await askPersonToMake(setup, person)]
    const made = options.map((each) => new Authenticator().make(each))
    const responses = await Promise.all(made.map((each) => send(person, each)))
    assert.deepEqual(outcomesOf(responses), ['200', 'PASSKEY_LIMIT'])
    assert.equal((await listOf(person)).length, PASSKEYS_MAX)
  })

  it('401 LOGIN_REQUIRED if a reset of the password ended the login in the meantime, and adds nothing', async () => {
    const { harness, mail } = setup
    const person = await makePerson(harness)
    const made = new Authenticator().make(await askPersonToMake(setup, person))
    await ask({ harness }, accountApi.forgotAccountPassword, { email: person.email })
    const fields = { ticket: await mail.readTicket(person.email), password: PASSWORD }
    const [response] = await Promise.all([
      send(person, made),
      ask({ harness }, accountApi.resetAccountPassword, fields),
    ])
    const late = await send(person, made)
    assertRefusal(late, endpoint, 'LOGIN_REQUIRED')
    assert([200, 400, 401].includes(response.statusCode))
    assert.deepEqual(await listOf({ cookie: await logInAs(harness, person.email) }), [])
  })

  it('400 INVALID_REQUEST for an invalid passkey or name', () =>
    refusals.refusesFields(
      setup,
      endpoint,
      async (on) => ({
        name: 'Phone',
        passkey: new Authenticator().make(await askPersonToMake(on, on.person)),
      }),
      [
        ['name', ''],
        ['name', '\u0000'],
        ['passkey', undefined],
        ['passkey', { id: 'x' }],
      ],
    ))
})

describe('POST /api/account/passkeys/remove', () => {
  const endpoint = endpoints.removeAccountPasskey
  const remove = (person: TestPerson, id: string | undefined, password = PASSWORD) =>
    ask({ harness: setup.harness, person }, endpoint, { id, password })

  it('200 removes the passkey, notifies the owner once, and it no longer logs in', async () => {
    const { harness, mail } = setup
    const person = await makePerson(harness)
    const phone = await givePersonPasskey(setup, person)
    await givePersonPasskey(setup, person, { name: 'Laptop' })
    const [first] = await listOf(person)
    for (let time = 0; time < 2; time++) {
      assert.equal((await remove(person, first?.id)).statusCode, 200)
    }
    assert.deepEqual(await namesOf(person), ['Laptop'])
    const { text } = await mail.readSubject(person.email, /^A passkey was removed/)
    assert(text?.includes(': Phone.'))
    const { logInToAccountByPasskey } = endpoints
    const signed = phone.sign(await requestPersonChallenge(setup))
    const response = await ask({ harness }, logInToAccountByPasskey, { passkey: signed })
    assertRefusal(response, logInToAccountByPasskey, 'PASSKEY_INVALID')
  })

  it('401 LOGIN_FAILED for a wrong password, and removes nothing', async () => {
    const person = await makePerson(setup.harness)
    await givePersonPasskey(setup, person)
    const [first] = await listOf(person)
    assertRefusal(await remove(person, first?.id, 'wrong'), endpoint, 'LOGIN_FAILED')
    assert.deepEqual(await namesOf(person), ['Phone'])
  })

  it('400 INVALID_REQUEST for an invalid id', () =>
    refusals.refusesFields(setup, endpoint, () => ({ id: '1', password: PASSWORD }), [
      ['id', ''],
      ['id', '-1'],
      ['id', 'x'],
      ['id', '1'.repeat(19)],
    ]))
})
