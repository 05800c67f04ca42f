/** What operators can and cannot do while writes are paused. */
import * as clientAppsEndpoints from '@coffer/contract/admin/client-apps'
import * as grantsEndpoints from '@coffer/contract/admin/grants'
import * as peopleEndpoints from '@coffer/contract/admin/people'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { askAs, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { changesNothing } from '../../test/setup.ts'
import { makeUser } from '../../test/factories.ts'
import { grantFields, plantOpenGrant } from '../../test/grant-setup.ts'
import { makeUsedApp, nextOrigin, SETTINGS, waitingOf } from '../../test/limit-setup.ts'

describe('operators while writes are paused', () => {
  let setup: AdminSetup
  before(async () => {
    setup = await openAdminSetup()
  })
  after(() => setup.harness.end())

  const pause = (reason: string | null) =>
    setup.harness.context.ledger.setPause(reason === null ? null : { by: 'a@example.com', reason })

  it('cannot propose or decide a grant until writes resume', async () => {
    const { operator, owner } = setup
    const open = await plantOpenGrant(setup)
    const posted = await grantFields(setup)
    const fields = await grantFields(setup)
    const original = await askAs(setup, operator, grantsEndpoints.proposeGrant, posted)
    assert.equal(original.statusCode, 200, original.body)
    await pause('a test')
    await changesNothing(setup, async () => {
      for (const response of [
        await askAs(setup, operator, grantsEndpoints.proposeGrant, fields),
        await askAs(setup, owner, grantsEndpoints.approveGrant, { id: open.id }),
      ]) {
        assert.equal(response.statusCode, 503, response.body)
        assert.equal(response.headers['retry-after'], '30')
      }
      const repeat = await askAs(setup, operator, grantsEndpoints.proposeGrant, posted)
      assert.deepEqual(repeat.json(), original.json())
    })
    await pause(null)
    for (const response of [
      await askAs(setup, operator, grantsEndpoints.proposeGrant, fields),
      await askAs(setup, owner, grantsEndpoints.approveGrant, { id: open.id }),
    ]) {
      assert.equal(response.json<{ status: string }>().status, 'posted', response.body)
    }
  })

  it('can do everything that moves no money: reading, freezing, apps and their secrets', async () => {
    const { operator, app, harness } = setup
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
      const response = await askAs(setup, operator, endpoint, fields)
      assert.equal(response.statusCode, 200, `${endpoint.path} ${response.body}`)
    }
    await pause(null)
  })

  it('can approve a change of a client app, which moves no money', async () => {
    const { operator, owner } = setup
    const app = await makeUsedApp(setup)
    const wanted = { ...SETTINGS, clientId: app.clientId, allowedOrigins: [nextOrigin()] }
    await askAs(setup, operator, clientAppsEndpoints.changeClientApp, wanted)
    const [grant] = await waitingOf(setup, owner, app)
    assert.equal(grant?.kind, 'app_change')
    await pause('a test')
    const fields = { id: grant.id }
    const response = await askAs(setup, owner, grantsEndpoints.approveGrant, fields)
    await pause(null)
    assert.equal(response.statusCode, 200, response.body)
  })
})
