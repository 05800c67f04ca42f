import * as endpoints from '@coffer/contract/admin/client-apps'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { askAs, auditOf, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { makeClientApp, makeLinkedUser } from '../../test/factories.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

describe('POST /api/admin/client-apps/change', () => {
  const endpoint = endpoints.changeClientApp

  it('200 changes whether the app gets balance.changed only if the field is sent, without a second operator', async () => {
    const { context, admin } = setup.harness
    const app = await makeClientApp(context)
    await makeLinkedUser(context, app)
    const { clientId } = app
    const origins = { allowedOrigins: [], allowedIframeParents: [] }
    const fields = {
      clientId,
      name: 'Shop',
      scopes: ['wallet:read'],
      ...origins,
      accentColor: null,
    }
    const starts: (Date | null)[] = []
    for (const [sent, expected] of [
      [undefined, false],
      [true, true],
      [undefined, true],
      [true, true],
      [false, false],
      [true, true],
    ]) {
      const wanted = { ...fields, getsBalanceEvents: sent }
      const changed = await askAs(setup, setup.operator, endpoint, wanted)
      assert.equal(changed.json<{ changesWait: boolean }>().changesWait, false)
      const read = await askAs(setup, setup.viewer, endpoints.readClientApp, { clientId })
      assert.equal(read.json<{ getsBalanceEvents: boolean }>().getsBalanceEvents, expected)
      const entry = (await auditOf(setup, clientId)).at(-1)
      assert.partialDeepStrictEqual(entry?.after, { getsBalanceEvents: expected })
      const { rows } = await admin.query<{ start: Date | null }>(
        'select balance_events_since as start from directory.client_apps where client_id = $1',
        [clientId],
      )
      starts.push(rows[0]?.start ?? null)
    }
    // Saving again does not start again, and enabling it again does.
    const [, first, second, third, off, last] = starts.map((start) => start?.getTime())
    assert.deepEqual([second, third, off], [first, first, undefined])
    assert((last ?? 0) > (first ?? 0))
  })
})
