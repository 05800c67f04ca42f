import * as endpoints from '@coffer/contract/account/account'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readWidgetWallet } from '@coffer/contract/widget/widget'
import { link } from '../identity/link.ts'
import { createSession } from '../widget/create-session.ts'
import * as refusals from '../test/refusals.ts'
import {
  ask,
  logInAs,
  makePerson,
  openPersonSetup,
  type PersonSetup,
} from '../test/account-setup.ts'
import { makeClientApp } from '../test/factories.ts'
import { assertRefusal } from '../test/setup.ts'

let setup: PersonSetup
before(async () => {
  setup = await openPersonSetup()
})
after(() => setup.harness.end())

describe('POST /api/account/unlink', () => {
  const endpoint = endpoints.unlinkApp
  const fieldsOf = ({ app }: PersonSetup) => ({ clientId: app.clientId })

  it('200 ends the link and its sessions; a new link has a new id', async () => {
    const { harness, app } = setup
    const { context } = harness
    const person = await makePerson(harness)
    const serviceUserId = await link(context.db, app.id, person.id)
    const clientApp = (await context.clientApps.find(app.clientId)) ?? assert.fail()
    const { sessionToken } = await createSession(context, clientApp, { serviceUserId })
    const look = () =>
      harness.inject({ method: 'GET', url: `/api/widget/wallet?session=${sessionToken}` })
    assert.equal((await look()).statusCode, 200)
    const stranger = await makePerson(harness)
    const fields = { clientId: app.clientId }
    assert.equal((await ask({ harness, person: stranger }, endpoint, fields)).statusCode, 200)
    assert.equal((await look()).statusCode, 200)

    assert.equal((await ask({ harness, person }, endpoint, fields)).statusCode, 200)
    assertRefusal(await look(), readWidgetWallet, 'SESSION_EXPIRED')
    const account = await ask({ harness, person }, endpoints.readAccount)
    assert.deepEqual(account.json().apps, [])
    const again = await link(context.db, app.id, person.id)
    assert.notEqual(again, serviceUserId)
    assertRefusal(await look(), readWidgetWallet, 'SESSION_EXPIRED')
  })

  it('400 INVALID_REQUEST for an invalid clientId', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['clientId', undefined],
      ['clientId', 'shop'],
      ['clientId', `app_${'0'.repeat(23)}\u0000`],
      ['clientId', [setup.app.clientId]],
    ]))
})

describe('POST /api/account/unlink-all', () => {
  const endpoint = endpoints.unlinkAllApps

  it('200 ends every link of the person and its sessions, and no link of another person', async () => {
    const { harness, app } = setup
    const { context } = harness
    const [person, stranger] = [await makePerson(harness), await makePerson(harness)]
    const apps = [app, await makeClientApp(context), await makeClientApp(context)]
    const sessions: string[] = []
    for (const each of apps) {
      const serviceUserId = await link(context.db, each.id, person.id)
      await link(context.db, each.id, stranger.id)
      const clientApp = (await context.clientApps.find(each.clientId)) ?? assert.fail()
      sessions.push((await createSession(context, clientApp, { serviceUserId })).sessionToken)
    }
    for (let time = 0; time < 2; time++) {
      assert.equal((await ask({ harness, person }, endpoint)).statusCode, 200)
    }
    for (const session of sessions) {
      const url = `/api/widget/wallet?session=${session}`
      assertRefusal(
        await harness.inject({ method: 'GET', url }),
        readWidgetWallet,
        'SESSION_EXPIRED',
      )
    }
    const appsOf = async (who: typeof person) =>
      (await ask({ harness, person: who }, endpoints.readAccount)).json().apps.length
    assert.deepEqual([await appsOf(person), await appsOf(stranger)], [0, 3])
  })
})

describe('POST /api/account/profile', () => {
  const endpoint = endpoints.changeProfile
  const fieldsOf = () => ({ firstName: 'Grace', lastName: 'Example' })

  it('200 changes the name and accepts any Unicode text', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    const fields = { firstName: '<img src=x onerror=alert(1)>', lastName: 'O\u2019Neil-Żółć 😀' }
    assert.equal((await ask({ harness, person }, endpoint, fields)).statusCode, 200)
    const { firstName, lastName } = (await ask({ harness, person }, endpoints.readAccount)).json()
    assert.deepEqual({ firstName, lastName }, fields)
    const other = (await ask(setup, endpoints.readAccount)).json()
    assert.equal(other.firstName, 'Ada')
  })

  it('400 INVALID_REQUEST for an invalid name', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['firstName', undefined],
      ['firstName', ''],
      ['firstName', '   '],
      ['firstName', 'x'.repeat(81)],
      ['lastName', 'a\u0000'],
      ['lastName', '\ud800'],
      ['lastName', null],
    ]))
})

describe('POST /api/account/log-ins/end', () => {
  const endpoint = endpoints.endLogIn
  const fieldsOf = () => ({ id: '00000000-0000-4000-8000-000000000000' })
  const listOf = async (each: { harness: PersonSetup['harness']; person: { cookie: string } }) =>
    (await ask(each, endpoints.readAccount)).json().logIns as { id: string; isThis: boolean }[]

  it('200 ends the login on another device, and no login of another person', async () => {
    const { harness } = setup
    const person = await makePerson(harness)
    const elsewhere = { harness, person: { cookie: await logInAs(harness, person.email) } }
    const id = (await listOf({ harness, person })).find(({ isThis }) => !isThis)?.id
    const stranger = await makePerson(harness)
    assert.equal((await ask({ harness, person: stranger }, endpoint, { id })).statusCode, 200)
    assert.equal((await listOf(elsewhere)).length, 2)
    assert.equal((await ask({ harness, person }, endpoint, { id })).statusCode, 200)
    const over = await ask(elsewhere, endpoints.readAccount)
    assertRefusal(over, endpoints.readAccount, 'LOGIN_REQUIRED')
    assert.equal((await listOf({ harness, person })).length, 1)
    assert.equal((await ask({ harness, person }, endpoint, { id })).statusCode, 200)
  })

  it('400 INVALID_REQUEST for an invalid id', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['id', undefined],
      ['id', ''],
      ['id', 'nonsense'],
      ['id', '\u0000'],
    ]))
})
