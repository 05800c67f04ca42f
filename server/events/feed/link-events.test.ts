/** Links that begin and end: each is one event for its app, exactly if the change is committed. */
import * as endpoints from '@coffer/contract/account/account'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { link } from '../../identity/link.ts'
import { ask, makePerson, openPersonSetupWithMail } from '../../test/account-setup.ts'
import { eventsOf, listFeed, withoutOutbox } from '../../test/events/feed-setup.ts'
import { makeClientApp } from '../../test/factories.ts'
import { PASSWORD } from '../../test/sign-in.ts'

type Service = Awaited<ReturnType<typeof openPersonSetupWithMail>>
let setup: Service
before(async () => {
  setup = await openPersonSetupWithMail()
})
after(() => setup.close())

async function makeOther() {
  const app = await makeClientApp(setup.harness.context, { name: 'Foreign shop' })
  return { harness: setup.harness, app }
}

async function makeLinked() {
  const { harness } = setup
  const person = await makePerson(harness)
  const serviceUserId = await link(harness.context.db, setup.app.id, person.id)
  return { ...person, serviceUserId }
}

async function succeeds(response: Awaited<ReturnType<typeof ask>>) {
  assert.equal(response.statusCode, 200, response.body)
}

describe('link.created', () => {
  it('once per link: a repeated consent, also a concurrent one, is no event', async () => {
    const { harness, app } = setup
    const person = await makePerson(harness)
    const ids = new Set<string>()
    const found = await eventsOf(setup, async () => {
      const attempts = Array.from({ length: 5 }, () => link(harness.context.db, app.id, person.id))
      for (const id of await Promise.all(attempts)) ids.add(id)
      ids.add(await link(harness.context.db, app.id, person.id))
    })
    assert.deepEqual(found, [['link.created', { serviceUserId: [...ids][0] }]])
    assert.equal(ids.size, 1)
  })

  it('there is no link without its event', async () => {
    const { harness, app } = setup
    const person = await makePerson(harness)
    await withoutOutbox(setup.harness.admin, async () => {
      await assert.rejects(link(harness.context.db, app.id, person.id), /refused/)
    })
    const { rowCount } = await harness.admin.query(
      'select from directory.links where service_user_id = $1',
      [person.id],
    )
    assert.equal(rowCount, 0)
  })
})

describe('link.ended', () => {
  const unlink = (person: { cookie: string }) =>
    ask({ ...setup, person }, endpoints.unlinkApp, { clientId: setup.app.clientId })

  it('when the person unlinks all apps: each app gets its own event with its own id', async () => {
    const person = await makeLinked()
    const other = await makeOther()
    const otherId = await link(setup.harness.context.db, other.app.id, person.id)
    const unlinkAll = () => ask({ ...setup, person }, endpoints.unlinkAllApps)
    const found = await eventsOf(setup, async () => succeeds(await unlinkAll()))
    const { serviceUserId } = person
    assert.deepEqual(found, [['link.ended', { serviceUserId, reason: 'user' }]])
    const foreign = (await listFeed(other)).at(-1)
    assert.deepEqual(foreign?.data, { serviceUserId: otherId, reason: 'user' })
    const bytes = JSON.stringify(await listFeed(setup))
    for (const text of ['Foreign shop', other.app.clientId, otherId]) assert(!bytes.includes(text))
  })

  it('when the account is deleted', async () => {
    const person = await makeLinked()
    const fields = { password: PASSWORD }
    const found = await eventsOf(setup, async () =>
      succeeds(await ask({ ...setup, person }, endpoints.deleteAccount, fields)),
    )
    const data = { serviceUserId: person.serviceUserId, reason: 'erasure' }
    assert.deepEqual(found, [['link.ended', data]])
  })

  it('no link ends without its event', async () => {
    const person = await makeLinked()
    await withoutOutbox(setup.harness.admin, async () =>
      assert.equal((await unlink(person)).statusCode, 500),
    )
    const account = await ask({ ...setup, person }, endpoints.readAccount)
    assert.equal(account.json<{ apps: unknown[] }>().apps.length, 1)
    assert.equal((await eventsOf(setup, () => unlink(person))).length, 1)
  })
})
