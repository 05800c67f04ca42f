/** What operators can and cannot do while writes are paused. */
import * as clientAppsEndpoints from '@coffer/contract/admin/client-apps'
import * as grantsEndpoints from '@coffer/contract/admin/grants'
import * as peopleEndpoints from '@coffer/contract/admin/people'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { askAs, openAdminStage, type AdminStage } from '../../test/admin-setup.ts'
import { changesNothing } from '../../test/setup.ts'
import { makeUser } from '../../test/factories.ts'
import { grantFields, plantOpenGrant } from '../../test/grant-setup.ts'

describe('operators while writes are paused', () => {
  let stage: AdminStage
  before(async () => {
    stage = await openAdminStage()
  })
  after(() => stage.harness.end())

  const pause = (reason: string | null) =>
    stage.harness.context.ledger.setPause(reason === null ? null : { by: 'a@example.com', reason })

  it('a grant is neither stored nor decided, and can be once writes resume', async () => {
    const { operator, owner } = stage
    const open = await plantOpenGrant(stage)
    const posted = await grantFields(stage)
    const fields = await grantFields(stage)
    const original = await askAs(stage, operator, grantsEndpoints.proposeGrant, posted)
    assert.equal(original.statusCode, 200, original.body)
    await pause('a test')
    await changesNothing(stage, async () => {
      for (const response of [
        await askAs(stage, operator, grantsEndpoints.proposeGrant, fields),
        await askAs(stage, owner, grantsEndpoints.approveGrant, { id: open.id }),
      ]) {
        assert.equal(response.statusCode, 503, response.body)
        assert.equal(response.headers['retry-after'], '30')
      }
      const repeat = await askAs(stage, operator, grantsEndpoints.proposeGrant, posted)
      assert.deepEqual(repeat.json(), original.json())
    })
    await pause(null)
    for (const response of [
      await askAs(stage, operator, grantsEndpoints.proposeGrant, fields),
      await askAs(stage, owner, grantsEndpoints.approveGrant, { id: open.id }),
    ]) {
      assert.equal(response.json<{ status: string }>().status, 'posted', response.body)
    }
  })

  it('what moves no money still works: reading, freezing, apps and their secrets', async () => {
    const { operator, app, harness } = stage
    const { clientId } = app
    const id = String((await makeUser(harness.context)).id)
    await pause('a test')
    for (const [endpoint, fields] of [
      [peopleEndpoints.readPerson, { id }],
      [peopleEndpoints.freezeWallet, { id, isFrozen: true, reason: 'a test' }],
      [clientAppsEndpoints.readClientApp, { clientId }],
      [clientAppsEndpoints.activateClientApp, { clientId, isActive: false }],
      [clientAppsEndpoints.rotateClientSecret, { clientId, overlap: '1h' }],
    ] as const) {
      const response = await askAs(stage, operator, endpoint, fields)
      assert.equal(response.statusCode, 200, `${endpoint.path} ${response.body}`)
    }
    await pause(null)
  })
})
