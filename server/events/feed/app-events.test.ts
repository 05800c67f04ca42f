/** What operators change about wallets and client apps. */
import { EVENT_TYPES } from '@coffer/contract/server/events'
import { changeClientApp, replaceClientSecret } from '@coffer/contract/admin/client-apps'
import { freezeWallet } from '@coffer/contract/admin/people'
import { pauseClientApp } from '@coffer/contract/admin/switches'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { activateClientApp } from '../../client-app/activate-client-app.ts'
import { findLiveSecrets, revokeSecretNow, rotateSecret } from '../../client-app/rotate-secret.ts'
import { link, unlink } from '../../identity/link.ts'
import { askAs, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { eventsOf, listFeed } from '../../test/events/feed-setup.ts'
import { makeClientApp, makeLinkedUser } from '../../test/factories.ts'
import type { Fields } from '../../test/setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

async function makeApp() {
  return { harness: setup.harness, app: await makeClientApp(setup.harness.context) }
}

async function change(endpoint: Parameters<typeof askAs>[2], fields: Fields) {
  const response = await askAs(setup, setup.owner, endpoint, fields)
  assert.equal(response.statusCode, 200, response.body)
}

describe('wallet.frozen and wallet.unfrozen', () => {
  const reason = 'Stolen phone, ticket 4711'

  it('one event for each linked app, without a reason, and none for apps that were unlinked', async () => {
    const { db } = setup.harness.context
    const [one, other, former] = [await makeApp(), await makeApp(), await makeApp()]
    const user = await makeLinkedUser(setup.harness.context, one.app)
    const otherId = await link(db, other.app.id, user.id)
    await link(db, former.app.id, user.id)
    await unlink(db, former.app.id, user.id)
    const id = String(user.id)
    const found = await eventsOf(one, async () => {
      await change(freezeWallet, { id, isFrozen: true, reason })
      await change(freezeWallet, { id, isFrozen: true, reason })
      await change(freezeWallet, { id, isFrozen: false, reason })
    })
    const data = { serviceUserId: user.serviceUserId }
    assert.deepEqual(found, [
      ['wallet.frozen', data],
      ['wallet.unfrozen', data],
    ])
    const foreign = await listFeed(other)
    assert.deepEqual(
      foreign.map((event) => [event.type, event.data]),
      ['link.created', 'wallet.frozen', 'wallet.unfrozen'].map((type) => [
        type,
        { serviceUserId: otherId },
      ]),
    )
    const past = (await listFeed(former)).map(({ type }) => type)
    assert.deepEqual(past, ['link.created', 'link.ended'])
  })

  it('one event for concurrent requests of operators', async () => {
    const shop = await makeApp()
    const user = await makeLinkedUser(setup.harness.context, shop.app)
    const fields = { id: String(user.id), isFrozen: true, reason }
    const found = await eventsOf(shop, () =>
      Promise.all(Array.from({ length: 4 }, () => change(freezeWallet, fields))),
    )
    assert.deepEqual(found, [['wallet.frozen', { serviceUserId: user.serviceUserId }]])
  })
})

describe('client_app.secret_rotated', () => {
  it('says whether there is a new secret, and contains none', async () => {
    const shop = await makeApp()
    const { db, config } = setup.harness.context
    const { clientId } = shop.app
    const secrets = [shop.app.clientSecret]
    const found = await eventsOf(shop, async () => {
      secrets.push(
        await rotateSecret({ db, peppers: config.peppers }, clientId, { overlap: '24h' }),
      )
      const [old] = await findLiveSecrets(db, clientId)
      await revokeSecretNow(db, clientId, old?.id ?? 0n)
      shop.app.clientSecret = secrets[1] ?? ''
      // Every process accepts the new secret within a second.
      await sleep(1_000)
    })
    assert.deepEqual(found, [
      ['client_app.secret_rotated', { change: 'rotated' }],
      ['client_app.secret_rotated', { change: 'revoked' }],
    ])
    const stored = await setup.harness.admin.query('select data::text as data from events.events')
    for (const secret of secrets) assert(!JSON.stringify(stored.rows).includes(secret))
  })

  it('a replacement that is refused is no event', async () => {
    const shop = await makeApp()
    const { clientId } = shop.app
    const found = await eventsOf(shop, async () => {
      const response = await askAs(setup, setup.owner, replaceClientSecret, { clientId })
      assert.equal(response.json<{ code: string }>().code, 'CONTACT_REQUIRED')
    })
    assert.deepEqual(found, [])
  })
})

describe('client_app.changed', () => {
  it('names the settings that changed, and nothing else is an event', async () => {
    const shop = await makeApp()
    const { db } = setup.harness.context
    const { clientId } = shop.app
    const settings = {
      clientId,
      name: 'Renamed',
      scopes: ['wallet:read', 'wallet:write'],
      allowedOrigins: [],
      allowedIframeParents: [],
      accentColor: '#0a7c66',
    }
    const found = await eventsOf(shop, async () => {
      await change(changeClientApp, settings)
      await change(changeClientApp, settings)
      const pause = { clientId, isPaused: true, reason: 'Leaked secret, ticket 4711' }
      await change(pauseClientApp, pause)
      await activateClientApp(db, clientId, false)
      await activateClientApp(db, clientId, true)
    })
    assert.deepEqual(
      found.map(([type, { changes }]) => [type, changes]),
      [['name', 'accentColor'], ['isPaused'], ['isActive'], ['isActive']].map((changes) => [
        'client_app.changed',
        changes,
      ]),
    )
  })
})

describe('the contract', () => {
  it('lists every type that is in the feeds of these tests', async () => {
    const { rows } = await setup.harness.admin.query<{ type: string }>(
      'select distinct type from events.events',
    )
    const known: readonly string[] = EVENT_TYPES
    assert.deepEqual(
      rows.map(({ type }) => type).filter((type) => !known.includes(type)),
      [],
    )
  })
})
