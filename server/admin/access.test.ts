import * as endpoints from '@coffer/contract/admin/client-apps'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { authenticateClient } from '../client-app/authenticate-client.ts'
import { askAs, auditOf, openAdminSetup, outcomesOf, type AdminSetup } from '../test/admin-setup.ts'
import { makeClientApp } from '../test/factories.ts'
import { changesNothing, assertRefusal } from '../test/setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

const NOBODYS = 'app_000000000000000000000000'

/** Waits until the cached client app has expired. */
async function isAccepted(clientId: string, clientSecret: string): Promise<boolean> {
  const { clientApps, config } = setup.harness.context
  await new Promise((resolve) => setTimeout(resolve, 400))
  return authenticateClient(clientApps, config.peppers, { clientId, clientSecret }).then(
    () => true,
    () => false,
  )
}

async function secretsOf(clientId: string) {
  const read = await askAs(setup, setup.viewer, endpoints.readClientApp, { clientId })
  return read.json<{ secrets: { id: string; expiresAt: string | null }[] }>().secrets
}

describe('POST /api/admin/client-apps/activate', () => {
  const endpoint = endpoints.activateClientApp

  it('200 rejects the credentials of an inactive app and accepts them again after activation', async () => {
    const { clientId, clientSecret } = await makeClientApp(setup.harness.context)
    for (const isActive of [false, true]) {
      const response = await askAs(setup, setup.operator, endpoint, { clientId, isActive })
      assert.equal(response.statusCode, 200)
      assert.equal(await isAccepted(clientId, clientSecret), isActive)
      const list = await askAs(setup, setup.viewer, endpoints.listClientApps, {
        search: clientId,
        state: isActive ? 'active' : 'inactive',
      })
      assert.equal(list.json<{ clientApps: object[] }>().clientApps.length, 1)
    }
    const entries = await auditOf(setup, clientId)
    assert.deepEqual(
      entries.map(({ before: was, after: is }) => [was, is]),
      [
        [{ isActive: true }, { isActive: false }],
        [{ isActive: false }, { isActive: true }],
      ],
    )
  })

  it('409 ORIGIN_TAKEN when another app now uses the parent page, unless sharesParents is true', async () => {
    const { context } = setup.harness
    const parents = { allowedIframeParents: ['https://taken.example'] }
    const { clientId } = await makeClientApp(context, parents)
    const activate = (fields: object) =>
      askAs(setup, setup.operator, endpoint, { clientId, ...fields })
    assert.equal((await activate({ isActive: false })).statusCode, 200)
    await makeClientApp(context, parents)
    await changesNothing(setup, async () => {
      for (const sharesParents of [undefined, false]) {
        const response = await activate({ isActive: true, sharesParents })
        assertRefusal(response, endpoint, 'ORIGIN_TAKEN')
      }
    })
    assert.equal((await activate({ isActive: true, sharesParents: true })).statusCode, 200)
    // The app is already active, so no confirmation is required.
    assert.equal((await activate({ isActive: true })).statusCode, 200)
  })

  it('409 ORIGIN_TAKEN for one of two apps with the same parent page that are activated concurrently', async () => {
    const { context } = setup.harness
    const parents = { allowedIframeParents: ['https://both.example'], sharesParents: true }
    const apps = [await makeClientApp(context, parents), await makeClientApp(context, parents)]
    for (const isActive of [false, true]) {
      const responses = await Promise.all(
        apps.map(({ clientId }) => askAs(setup, setup.operator, endpoint, { clientId, isActive })),
      )
      assert.deepEqual(outcomesOf(responses), ['200', isActive ? 'ORIGIN_TAKEN' : '200'])
    }
  })

  it('404 NOT_FOUND for an unknown client app', async () => {
    const fields = { clientId: NOBODYS, isActive: true }
    assertRefusal(await askAs(setup, setup.operator, endpoint, fields), endpoint, 'NOT_FOUND')
  })
})

describe('POST /api/admin/client-apps/rotate', () => {
  const endpoint = endpoints.rotateClientSecret

  it('200 accepts both secrets during an overlap, and only the new one without an overlap', async () => {
    for (const overlap of ['1h', '24h', '7d', 'none']) {
      const { clientId, clientSecret } = await makeClientApp(setup.harness.context)
      const response = await askAs(setup, setup.operator, endpoint, { clientId, overlap })
      assert.equal(response.statusCode, 200)
      const fresh = response.json<{ clientSecret: string }>().clientSecret
      assert.equal(await isAccepted(clientId, fresh), true)
      assert.equal(await isAccepted(clientId, clientSecret), overlap !== 'none')
      assert.equal((await secretsOf(clientId)).length, overlap === 'none' ? 1 : 2)
      const [entry] = await auditOf(setup, clientId)
      assert.deepEqual(entry?.after, { overlap })
      assert(!JSON.stringify(entry).includes(fresh))
    }
  })

  it('404 NOT_FOUND for an unknown client app', async () => {
    const fields = { clientId: NOBODYS, overlap: 'none' }
    assertRefusal(await askAs(setup, setup.operator, endpoint, fields), endpoint, 'NOT_FOUND')
  })
})

describe('POST /api/admin/client-apps/revoke', () => {
  const endpoint = endpoints.revokeClientSecret
  const fieldsOf = async ({ app, harness }: AdminSetup) => {
    const { rows } = await harness.admin.query<{ id: string }>(
      'select s.id from directory.client_secrets s where s.client_app_id = $1',
      [app.id],
    )
    return { clientId: app.clientId, secretId: rows[0]?.id }
  }

  it('200 revokes this secret and keeps the other', async () => {
    const { operator, harness } = setup
    const { clientId, clientSecret } = await makeClientApp(harness.context)
    const rotated = await askAs(setup, operator, endpoints.rotateClientSecret, {
      clientId,
      overlap: '24h',
    })
    const fresh = rotated.json<{ clientSecret: string }>().clientSecret
    const [old] = await secretsOf(clientId)
    const revoke = () => askAs(setup, operator, endpoint, { clientId, secretId: old?.id })
    assert.equal((await revoke()).statusCode, 200)
    assert.equal(await isAccepted(clientId, clientSecret), false)
    assert.equal(await isAccepted(clientId, fresh), true)
    assertRefusal(await revoke(), endpoint, 'NOT_FOUND')
    assert.equal((await auditOf(setup, clientId)).at(-1)?.action, 'client_app.revoke')
  })

  it('404 NOT_FOUND for an unknown app, an unknown secret and a secret of another app', async () => {
    const other = await makeClientApp(setup.harness.context)
    const own = await fieldsOf(setup)
    await changesNothing(setup, async () => {
      for (const fields of [
        { ...own, clientId: NOBODYS },
        { ...own, clientId: other.clientId },
        { ...own, secretId: '999999' },
      ]) {
        assertRefusal(await askAs(setup, setup.operator, endpoint, fields), endpoint, 'NOT_FOUND')
      }
    })
  })
})
