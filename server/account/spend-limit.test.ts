import { readAccount } from '@coffer/contract/account/account'
import { setSpendLimit as endpoint } from '@coffer/contract/account/spend-limit'
import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { link, unlink } from '../identity/link.ts'
import { ask, makePerson, openPersonSetup, type PersonSetup } from '../test/account-setup.ts'
import { makeClientApp } from '../test/factories.ts'
import { pairOf } from '../test/ledger/refund-setup.ts'
import { PASSWORD, SAME_ORIGIN } from '../test/sign-in.ts'
import { assertRefusal, basicOf, call, type Fields } from '../test/setup.ts'
import { createSession } from '../widget/create-session.ts'

describe('POST /api/account/spend-limit', () => {
  let setup: PersonSetup
  before(async () => {
    setup = await openPersonSetup()
  })
  after(() => setup.harness.end())

  const UTC = { timeZone: 'UTC' }
  const NONE = { singleMax: null, dayMax: null, weekMax: null, monthMax: null, lastDay: null }

  /** A person who is linked to the app of the setup and has 100.00. */
  async function arrive() {
    const { harness, app } = setup
    const { context } = harness
    const person = await makePerson(harness, 100_00n)
    const serviceUserId = await link(context.db, app.id, person.id)
    const visitor = { harness, person }
    const change = (fields: Fields) =>
      ask(visitor, endpoint, { clientId: app.clientId, password: PASSWORD, ...fields })
    const limits = async () => {
      const { apps } = (await ask(visitor, readAccount)).json()
      return apps.map(({ limit }: Fields) => limit)
    }
    const pay = async (amount: number, user = serviceUserId) => {
      const fields = { serviceUserId: user, amount, ...pairOf('ORDER') }
      const response = await call({ harness, app }, debit, fields)
      return response.statusCode === 200 ? 200 : response.json().code
    }
    return { ...visitor, change, limits, pay }
  }

  it('200 limits the app from then on, and the account shows it', async () => {
    const { change, limits, pay } = await arrive()
    assert.deepEqual(await limits(), [null])
    assert.equal(await pay(1), 200)
    const fields = { singleMax: '5', dayMax: '10.50', weekMax: '20', monthMax: '30.00' }
    const response = await change({ ...fields, lastDay: '2999-12-31', timeZone: 'Europe/Berlin' })
    assert.deepEqual([response.statusCode, response.json()], [200, {}])
    const shown = { singleMax: 5, dayMax: 10.5, weekMax: 20, monthMax: 30, lastDay: '2999-12-31' }
    const spent = { daySpent: 1, weekSpent: 1, monthSpent: 1 }
    assert.deepEqual(await limits(), [{ ...shown, ...spent, timeZone: 'Europe/Berlin' }])
    assert.equal(await pay(5.01), 'SPEND_LIMIT_EXCEEDED')
    assert.equal(await pay(5), 200)
    assert.equal(await pay(4.51), 'SPEND_LIMIT_EXCEEDED')
  })

  it('200 ends after the last day of the time zone', async () => {
    const { change, limits, pay } = await arrive()
    for (const [timeZone, hours] of [
      ['Pacific/Kiritimati', 14],
      ['Etc/GMT+12', -12],
    ] as const) {
      const today = new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 10)
      const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10)
      await change({ timeZone, lastDay: today })
      assert.equal(await pay(1), 200)
      await change({ timeZone, lastDay: yesterday })
      assert.equal(await pay(1), 'SPEND_LIMIT_EXCEEDED')
      const [limit] = await limits()
      assert.deepEqual([limit.lastDay, limit.timeZone], [yesterday, timeZone])
    }
  })

  it('403 CONFIRMATION_REQUIRED or 200 ten times at once without the password: the lowest is the limit', async () => {
    const { change, limits } = await arrive()
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        change({ ...UTC, password: undefined, dayMax: String(index + 1) }),
      ),
    )
    assert.equal(responses[0]?.statusCode, 200)
    assert.ok(responses.every(({ statusCode }) => [200, 403].includes(statusCode)))
    const [{ dayMax }] = await limits()
    assert.equal(dayMax, 1)
  })

  it('200 is still there after the person has disconnected and connected the app', async () => {
    const { change, limits, pay, harness, person } = await arrive()
    const { db } = harness.context
    await change({ ...UTC, dayMax: '1' })
    assert.equal(await pay(1), 200)
    await unlink(db, setup.app.id, person.id)
    assert.deepEqual(await limits(), [])
    const refused = await change({ ...UTC, dayMax: '9' })
    assert.deepEqual([refused.statusCode, refused.json().field], [400, 'clientId'])
    const serviceUserId = await link(db, setup.app.id, person.id)
    const spent = { daySpent: 1, weekSpent: 1, monthSpent: 1 }
    assert.deepEqual(await limits(), [{ ...NONE, ...spent, ...UTC, dayMax: 1 }])
    assert.equal(await pay(0.01, serviceUserId), 'SPEND_LIMIT_EXCEEDED')
  })

  it('400 INVALID_REQUEST for fields that are not valid, and nothing changes', async () => {
    const { change, limits } = await arrive()
    await change({ ...UTC, dayMax: '7' })
    const other = await makeClientApp(setup.harness.context)
    const earlier = await limits()
    for (const [field, value] of [
      ['clientId', undefined],
      ['clientId', 'shop'],
      ['clientId', other.clientId],
      ['timeZone', undefined],
      ['timeZone', 'Europe/Atlantis'],
      ['timeZone', '+01:00'],
      ['singleMax', '-1'],
      ['dayMax', '1e3'],
      ['dayMax', 5],
      ['weekMax', '0.001'],
      ['monthMax', ''],
      ['monthMax', '1000000000'],
      ['lastDay', '2026-02-30'],
      ['lastDay', '1999-12-31'],
      ['lastDay', '3000-01-01'],
      ['lastDay', 'tomorrow'],
    ] as const) {
      const fields = { clientId: setup.app.clientId, ...UTC, dayMax: '1', [field]: value }
      const response = await change(fields)
      assert.deepEqual([response.statusCode, response.json().field], [400, field], String(value))
    }
    assert.deepEqual(await limits(), earlier)
  })

  it('401 LOGIN_REQUIRED for everything that an app has: its secret and the sessions that it created', async () => {
    const { change, limits, harness, person } = await arrive()
    await change({ ...UTC, dayMax: '1' })
    const earlier = await limits()
    const { context } = harness
    const clientApp = (await context.clientApps.find(setup.app.clientId)) ?? assert.fail()
    const serviceUserId = await link(context.db, setup.app.id, person.id)
    const { sessionToken } = await createSession(context, clientApp, { serviceUserId })
    const fields = { clientId: setup.app.clientId, ...UTC, dayMax: '100' }
    for (const { headers = {}, more = {} } of [
      {},
      { headers: { cookie: `__Host-coffer=${sessionToken}` } },
      { headers: { cookie: `session=${sessionToken}` } },
      { headers: { authorization: `Bearer ${sessionToken}` } },
      { headers: basicOf(setup.app) },
      { more: { session: sessionToken, sessionToken } },
      { more: { clientSecret: setup.app.clientSecret } },
    ] as { headers?: Record<string, string>; more?: Fields }[]) {
      const response = await harness.inject({
        method: 'POST',
        url: `${endpoint.path}?session=${sessionToken}`,
        headers: { 'content-type': 'application/json', ...SAME_ORIGIN, ...headers },
        payload: JSON.stringify({ ...fields, ...more }),
      })
      assertRefusal(response, endpoint, 'LOGIN_REQUIRED')
    }
    assert.deepEqual(await limits(), earlier)
  })
})
