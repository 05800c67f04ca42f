import { readAccount as endpoint } from '@coffer/contract/account/account'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { link } from '../identity/link.ts'
import { makeClientApp } from '../test/factories.ts'
import { PASSWORD } from '../test/sign-in.ts'
import {
  ask,
  logInAs,
  makePerson,
  openPersonSetup,
  type PersonSetup,
} from '../test/account-setup.ts'
import { nameDevice } from './name-device.ts'

const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

describe('GET /api/account', () => {
  let setup: PersonSetup
  before(async () => {
    setup = await openPersonSetup()
  })
  after(() => setup.harness.end())

  it('200 returns the person, the wallet, the linked apps and the logins', async () => {
    const { harness, app, person } = setup
    const {
      harness: { context },
    } = setup
    await logInAs(harness, person.email, PASSWORD, { 'user-agent': WINDOWS })
    const other = await makeClientApp(context, { name: 'Café <b>' })
    await link(context.db, other.id, person.id)
    const stranger = await makePerson(harness)
    await link(context.db, other.id, stranger.id)
    const response = await ask(setup, endpoint)
    assert.equal(response.statusCode, 200)
    const { apps, logIns, ...rest } = response.json()
    assert.deepEqual(rest, {
      firstName: 'Ada',
      lastName: 'Example',
      email: person.email,
      balance: 100,
      debt: 0,
      held: 0,
      currency: 'USD',
      isActive: true,
      wantsReceipts: true,
      alerts: { paymentMin: null, balanceMin: null },
      language: null,
      passkeys: [],
    })
    const listed = apps.map(({ clientId, name }: Record<string, string>) => [clientId, name])
    assert.deepEqual(listed, [
      [app.clientId, 'Corner shop'],
      [other.clientId, 'Café <b>'],
    ])
    const seen = logIns.map(({ isThis, device }: Record<string, string>) => [isThis, device])
    assert.deepEqual(seen.toSorted(), [
      [false, 'Chrome on Windows'],
      [true, 'Unknown device'],
    ])
  })

  it('200 forbids caches to store the response', async () => {
    const response = await ask(setup, endpoint)
    assert.equal(response.headers['cache-control'], 'no-store')
  })
})

describe('the name of a device', () => {
  it('is built from fixed words only, whatever the User-Agent header contains', () => {
    const names = {
      [WINDOWS]: 'Chrome on Windows',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1':
        'Safari on iPhone',
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox on Linux',
      'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36 EdgA/140.0':
        'Edge on Android',
      '<script>alert(1)</script>': 'Unknown device',
      [`Firefox/${'x'.repeat(5_000)}`]: 'Firefox',
      '': 'Unknown device',
    }
    for (const [header, name] of Object.entries(names)) assert.equal(nameDevice(header), name)
  })
})
