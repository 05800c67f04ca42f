import * as endpoints from '@coffer/contract/admin-endpoints'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { authenticateClient } from '../client-app/authenticate-client.ts'
import * as refusals from '../test/admin-refusals.ts'
import { askAs, auditOf, openAdminStage, type AdminStage } from '../test/admin-stage.ts'
import { makeClientApp } from '../test/factories.ts'
import { assertRefusal } from '../test/stage.ts'

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

  it('403 OPERATOR_FORBIDDEN for every role below', () =>
    refusals.forbidden(stage, endpoint, fieldsOf))

  it('403 CONFIRMATION_REQUIRED five minutes after the last confirmation', () =>
    refusals.unconfirmed(stage, endpoint, fieldsOf))

  it('403 ORIGIN_NOT_ALLOWED from any other origin, and nothing is changed', () =>
    refusals.foreignOrigin(stage, endpoint, fieldsOf))

  it('413 PAYLOAD_TOO_LARGE beyond 16 KiB', () => refusals.tooLarge(stage, endpoint, fieldsOf))

  it('415 UNSUPPORTED_MEDIA_TYPE for what is not JSON', () =>
    refusals.notJson(stage, endpoint, fieldsOf))

  it('401 LOGIN_REQUIRED without a log-in', () => refusals.loginRequired(stage, endpoint, fieldsOf))

  it('429 RATE_LIMITED for an operator who asks too often', () => refusals.rateLimited(endpoint))

  it('503 SERVICE_UNAVAILABLE while the database cannot be reached', () =>
    refusals.databaseDown(endpoint, fieldsOf))
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

  it('403 OPERATOR_FORBIDDEN for every role below', () =>
    refusals.forbidden(stage, endpoint, fieldsOf))

  it('403 CONFIRMATION_REQUIRED five minutes after the last confirmation', () =>
    refusals.unconfirmed(stage, endpoint, fieldsOf))

  it('403 ORIGIN_NOT_ALLOWED from any other origin, and nothing is changed', () =>
    refusals.foreignOrigin(stage, endpoint, fieldsOf))

  it('413 PAYLOAD_TOO_LARGE beyond 16 KiB', () => refusals.tooLarge(stage, endpoint, fieldsOf))

  it('415 UNSUPPORTED_MEDIA_TYPE for what is not JSON', () =>
    refusals.notJson(stage, endpoint, fieldsOf))

  it('401 LOGIN_REQUIRED without a log-in', () => refusals.loginRequired(stage, endpoint, fieldsOf))

  it('429 RATE_LIMITED for an operator who asks too often', () => refusals.rateLimited(endpoint))

  it('503 SERVICE_UNAVAILABLE while the database cannot be reached', () =>
    refusals.databaseDown(endpoint, fieldsOf))
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
    await refusals.changesNothing(stage, async () => {
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

  it('403 OPERATOR_FORBIDDEN for every role below', () =>
    refusals.forbidden(stage, endpoint, fieldsOf))

  it('403 CONFIRMATION_REQUIRED five minutes after the last confirmation', () =>
    refusals.unconfirmed(stage, endpoint, fieldsOf))

  it('403 ORIGIN_NOT_ALLOWED from any other origin, and nothing is changed', () =>
    refusals.foreignOrigin(stage, endpoint, fieldsOf))

  it('413 PAYLOAD_TOO_LARGE beyond 16 KiB', () => refusals.tooLarge(stage, endpoint, fieldsOf))

  it('415 UNSUPPORTED_MEDIA_TYPE for what is not JSON', () =>
    refusals.notJson(stage, endpoint, fieldsOf))

  it('401 LOGIN_REQUIRED without a log-in', () => refusals.loginRequired(stage, endpoint, fieldsOf))

  it('429 RATE_LIMITED for an operator who asks too often', () => refusals.rateLimited(endpoint))

  it('503 SERVICE_UNAVAILABLE while the database cannot be reached', () =>
    refusals.databaseDown(endpoint, fieldsOf))
})
