/** Whoever lets an app take more must confirm it, and the owner gets an email. */
import { readAccount } from '@coffer/contract/account/account'
import { setSpendLimit as endpoint } from '@coffer/contract/account/spend-limit'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { link } from '../identity/link.ts'
import { ask, makePerson, openPersonSetupWithMail } from '../test/account-setup.ts'
import { givePersonPasskey, requestPersonChallenge } from '../test/passkey-setup.ts'
import { assertRefusal, type Fields } from '../test/setup.ts'
import { PASSWORD } from '../test/sign-in.ts'

const LIMIT = {
  singleMax: '5',
  dayMax: '10',
  weekMax: '20',
  monthMax: '30',
  lastDay: '2999-06-30',
  timeZone: 'UTC',
}
const RAISES: [string, Fields][] = [
  ['a higher amount per day', { dayMax: '10.01' }],
  ['no limit per day', { dayMax: undefined }],
  ['a later last day', { lastDay: '2999-07-01' }],
  ['another time zone', { timeZone: 'Europe/Berlin' }],
  ['a lower and a higher amount', { dayMax: '1', weekMax: '21' }],
]

type Setup = Awaited<ReturnType<typeof openPersonSetupWithMail>>
let setup: Setup
before(async () => {
  setup = await openPersonSetupWithMail()
})
after(() => setup.close())

/** A person whose linked app has a limit. */
async function arrive() {
  const { harness, app } = setup
  const person = await makePerson(harness)
  // About the login.
  await setup.mail.read(person.email)
  await link(harness.context.db, app.id, person.id)
  const visitor = { harness, person }
  const change = (fields: Fields) => ask(visitor, endpoint, { clientId: app.clientId, ...fields })
  const read = async () => {
    const { apps } = (await ask(visitor, readAccount)).json()
    const { singleMax, dayMax, weekMax, monthMax, lastDay, timeZone } = apps[0]?.limit ?? {}
    return { singleMax, dayMax, weekMax, monthMax, lastDay, timeZone }
  }
  assert.equal((await change(LIMIT)).statusCode, 200)
  return { person, change, read }
}

describe('POST /api/account/spend-limit', () => {
  for (const [name, fields] of RAISES) {
    it(`403 CONFIRMATION_REQUIRED for ${name}, and nothing changes`, async () => {
      const { change, read } = await arrive()
      const earlier = await read()
      assertRefusal(await change({ ...LIMIT, ...fields }), endpoint, 'CONFIRMATION_REQUIRED')
      assert.deepEqual(await read(), earlier)
    })
  }

  it('403 CONFIRMATION_REQUIRED without any limit, 200 with the password and an email', async () => {
    const { change, read, person } = await arrive()
    const none = { timeZone: 'UTC' }
    assertRefusal(await change(none), endpoint, 'CONFIRMATION_REQUIRED')
    assert.equal(setup.mail.count(person.email), 0)
    assert.equal((await change({ ...none, password: PASSWORD })).statusCode, 200)
    assert.equal((await read()).dayMax, undefined)
    const { text = '' } = await setup.mail.read(person.email)
    assert.match(text, /A limit of Corner shop was raised or removed/)
    assert.match(text, /#warning\?ticket=/)
  })

  it('401 LOGIN_FAILED with a wrong password, and nothing changes', async () => {
    const { change, read } = await arrive()
    const earlier = await read()
    const fields = { ...LIMIT, dayMax: '11', password: 'another harbour at dusk' }
    assertRefusal(await change(fields), endpoint, 'LOGIN_FAILED')
    assert.deepEqual(await read(), earlier)
  })

  it('400 PASSKEY_INVALID with the passkey of somebody else, 200 with an own one, once', async () => {
    const { person, change, read } = await arrive()
    const other = await arrive()
    const own = await givePersonPasskey(setup, person)
    const theirs = await givePersonPasskey(setup, other.person)
    const more = { ...LIMIT, dayMax: '11' }
    const foreign = theirs.sign(await requestPersonChallenge(setup))
    assertRefusal(await change({ ...more, passkey: foreign }), endpoint, 'PASSKEY_INVALID')
    assert.equal((await read()).dayMax, 10)
    const passkey = own.sign(await requestPersonChallenge(setup))
    assert.equal((await change({ ...more, passkey })).statusCode, 200)
    assert.equal((await read()).dayMax, 11)
    const again = { ...LIMIT, dayMax: '12', passkey }
    assertRefusal(await change(again), endpoint, 'PASSKEY_INVALID')
  })

  it('200 needs nothing and sends no email if the app can take no more', async () => {
    const { change, read, person } = await arrive()
    const lower = { ...LIMIT, singleMax: '4', dayMax: '0', lastDay: '2999-06-29' }
    for (const fields of [LIMIT, lower]) assert.equal((await change(fields)).statusCode, 200)
    const { dayMax, lastDay } = await read()
    assert.deepEqual([dayMax, lastDay], [0, '2999-06-29'])
    assert.equal(setup.mail.count(person.email), 0)
  })
})
