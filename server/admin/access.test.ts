import * as endpoints from '@coffer/contract/admin/client-apps'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { authenticateClient } from '../client-app/authenticate-client.ts'
import * as refusals from '../test/refusals.ts'
import { askAs, auditOf, openAdminStage, statusesOf, type AdminStage } from '../test/admin-setup.ts'
import { makeClientApp } from '../test/factories.ts'
import { changesNothing, assertRefusal } from '../test/setup.ts'

let stage: AdminStage
before(async () => {
  stage = await openAdminStage()
})
after(() => stage.harness.end())

const NOBODYS = 'app_000000000000000000000000'

/** Without what the process remembers. */
async function isAccepted(clientId: string, clientSecret: string): Promise<boolean> {
  const { clientApps, config } = stage.harness.context
  await new Promise((resolve) => setTimeout(resolve, 400))
  return authenticateClient(clientApps, config.peppers, { clientId, clientSecret }).then(
    () => true,
    () => false,
  )
}

async function secretsOf(clientId: string) {
  const read = await askAs(stage, stage.viewer, endpoints.readClientApp, { clientId })
  return read.json<{ secrets: { id: string; expiresAt: string | null }[] }>().secrets
}

describe('POST /api/admin/client-apps/activate', () => {
  const endpoint = endpoints.activateClientApp
  const fieldsOf = ({ app }: AdminStage) => ({ clientId: app.clientId, isActive: false })

  it('200 refuses its credentials, and accepts them again', async () => {
    const { clientId, clientSecret } = await makeClientApp(stage.harness.context)
    for (const isActive of [false, true]) {
      const response = await askAs(stage, stage.operator, endpoint, { clientId, isActive })
      assert.equal(response.statusCode, 200)
      assert.equal(await isAccepted(clientId, clientSecret), isActive)
      const list = await askAs(stage, stage.viewer, endpoints.listClientApps, {
        search: clientId,
        state: isActive ? 'active' : 'inactive',
      })
      assert.equal(list.json<{ clientApps: object[] }>().clientApps.length, 1)
    }
    const entries = await auditOf(stage, clientId)
    assert.deepEqual(
      entries.map(({ before: was, after: is }) => [was, is]),
      [
        [{ isActive: true }, { isActive: false }],
        [{ isActive: false }, { isActive: true }],
      ],
    )
  })

  it('409 ORIGIN_TAKEN when another app took a parent meanwhile, unless somebody insists', async () => {
    const { context } = stage.harness
    const parents = { allowedIframeParents: ['https://taken.example'] }
    const { clientId } = await makeClientApp(context, parents)
    const activate = (fields: object) =>
      askAs(stage, stage.operator, endpoint, { clientId, ...fields })
    assert.equal((await activate({ isActive: false })).statusCode, 200)
    await makeClientApp(context, parents)
    await changesNothing(stage, async () => {
      for (const sharesParents of [undefined, false]) {
        const response = await activate({ isActive: true, sharesParents })
        assertRefusal(response, endpoint, 'ORIGIN_TAKEN')
      }
    })
    assert.equal((await activate({ isActive: true, sharesParents: true })).statusCode, 200)
    // It is active, so nothing is asked again.
    assert.equal((await activate({ isActive: true })).statusCode, 200)
  })

  it('409 ORIGIN_TAKEN for one of two that come back with the same parent at once', async () => {
    const { context } = stage.harness
    const parents = { allowedIframeParents: ['https://both.example'], sharesParents: true }
    const apps = [await makeClientApp(context, parents), await makeClientApp(context, parents)]
    for (const isActive of [false, true]) {
      const answers = await Promise.all(
        apps.map(({ clientId }) => askAs(stage, stage.operator, endpoint, { clientId, isActive })),
      )
      assert.deepEqual(statusesOf(answers), isActive ? [200, 409] : [200, 200])
    }
  })

  it('404 NOT_FOUND for an app that is not there', async () => {
    const fields = { clientId: NOBODYS, isActive: true }
    assertRefusal(await askAs(stage, stage.operator, endpoint, fields), endpoint, 'NOT_FOUND')
  })

  it('400 INVALID_REQUEST for what does not fit', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['isActive', 'no'],
      ['isActive', undefined],
      ['clientId', 5],
    ]))
})

describe('POST /api/admin/client-apps/rotate', () => {
  const endpoint = endpoints.rotateClientSecret
  const fieldsOf = ({ app }: AdminStage) => ({ clientId: app.clientId, overlap: '1h' })

  it('200 with an overlap both secrets are accepted, without one only the new', async () => {
    for (const overlap of ['1h', '24h', '7d', 'none']) {
      const { clientId, clientSecret } = await makeClientApp(stage.harness.context)
      const response = await askAs(stage, stage.operator, endpoint, { clientId, overlap })
      assert.equal(response.statusCode, 200)
      const fresh = response.json<{ clientSecret: string }>().clientSecret
      assert.equal(await isAccepted(clientId, fresh), true)
      assert.equal(await isAccepted(clientId, clientSecret), overlap !== 'none')
      assert.equal((await secretsOf(clientId)).length, overlap === 'none' ? 1 : 2)
      const [entry] = await auditOf(stage, clientId)
      assert.deepEqual(entry?.after, { overlap })
      assert(!JSON.stringify(entry).includes(fresh))
    }
  })

  it('404 NOT_FOUND for an app that is not there', async () => {
    const fields = { clientId: NOBODYS, overlap: 'none' }
    assertRefusal(await askAs(stage, stage.operator, endpoint, fields), endpoint, 'NOT_FOUND')
  })

  it('400 INVALID_REQUEST for what does not fit', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['overlap', '2h'],
      ['overlap', undefined],
      ['clientId', undefined],
    ]))
})

describe('POST /api/admin/client-apps/revoke', () => {
  const endpoint = endpoints.revokeClientSecret
  const fieldsOf = async ({ app, harness }: AdminStage) => {
    const { rows } = await harness.admin.query<{ id: string }>(
      'select s.id from directory.client_secrets s where s.client_app_id = $1',
      [app.id],
    )
    return { clientId: app.clientId, secretId: rows[0]?.id }
  }

  it('200 ends this secret and leaves the other', async () => {
    const { operator, harness } = stage
    const { clientId, clientSecret } = await makeClientApp(harness.context)
    const rotated = await askAs(stage, operator, endpoints.rotateClientSecret, {
      clientId,
      overlap: '24h',
    })
    const fresh = rotated.json<{ clientSecret: string }>().clientSecret
    const [old] = await secretsOf(clientId)
    const revoke = () => askAs(stage, operator, endpoint, { clientId, secretId: old?.id })
    assert.equal((await revoke()).statusCode, 200)
    assert.equal(await isAccepted(clientId, clientSecret), false)
    assert.equal(await isAccepted(clientId, fresh), true)
    assertRefusal(await revoke(), endpoint, 'NOT_FOUND')
    assert.equal((await auditOf(stage, clientId)).at(-1)?.action, 'client_app.revoke')
  })

  it('404 NOT_FOUND for an app or a secret that is not there, and for another app\u2019s', async () => {
    const other = await makeClientApp(stage.harness.context)
    const own = await fieldsOf(stage)
    await changesNothing(stage, async () => {
      for (const fields of [
        { ...own, clientId: NOBODYS },
        { ...own, clientId: other.clientId },
        { ...own, secretId: '999999' },
      ]) {
        assertRefusal(await askAs(stage, stage.operator, endpoint, fields), endpoint, 'NOT_FOUND')
      }
    })
  })

  it('400 INVALID_REQUEST for what does not fit', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, [
      ['secretId', 'first'],
      ['secretId', '-1'],
      ['secretId', 5],
    ]))
})
