import * as endpoints from '@coffer/contract/admin/client-apps'
import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { askAs, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { completeTotals, post } from '../../test/books-setup.ts'
import { makeClientApp, makeLinkedUser } from '../../test/factories.ts'
import { placeHold } from '../../test/ledger/hold-setup.ts'
import { assertRefusal, call } from '../../test/setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

interface Page {
  clientApps: { clientId: string; name: string; linkedUsers: number; lastUsedAt: string | null }[]
  nextCursor: string | null
}

describe('GET /api/admin/client-apps', () => {
  const endpoint = endpoints.listClientApps
  const list = async (fields: Record<string, string> = {}) =>
    (await askAs(setup, setup.viewer, endpoint, fields)).json<Page>()

  it('200 pages through every client app exactly once, newest first', async () => {
    const { context } = setup.harness
    const made = [setup.app.clientId]
    for (let count = 0; count < 55; count++) {
      made.push((await makeClientApp(context, { name: `Shop ${count}` })).clientId)
    }
    const first = await list()
    assert.equal(first.clientApps.length, 50)
    const second = await list({ cursor: first.nextCursor ?? '' })
    assert.equal(second.nextCursor, null)
    const found = [...first.clientApps, ...second.clientApps].map(({ clientId }) => clientId)
    assert.deepEqual(found, made.toReversed())
  })

  it('200 searches names and ids, and treats special characters literally', async () => {
    const { context } = setup.harness
    const odd = await makeClientApp(context, { name: '100% Büro_Bedarf' })
    for (const search of ['büro_', '100%', odd.clientId.slice(0, 20)]) {
      const { clientApps } = await list({ search })
      assert.deepEqual(
        clientApps.map(({ clientId }) => clientId),
        [odd.clientId],
      )
    }
    assert.deepEqual((await list({ search: '%%' })).clientApps, [])
    assert.deepEqual((await list({ state: 'inactive' })).clientApps, [])
  })
})

describe('GET /api/admin/client-apps/one', () => {
  const endpoint = endpoints.readClientApp
  const read = async (clientId: string) =>
    (await askAs(setup, setup.viewer, endpoint, { clientId })).json()

  it('200 returns settings, settlement, secrets with their last use, and recent refusals', async () => {
    const { harness } = setup
    const parent = 'https://one.example'
    const app = await makeClientApp(harness.context, {
      name: 'Seen shop',
      creditLimit: 50_00n,
      allowedIframeParents: [parent],
    })
    const user = await makeLinkedUser(harness.context, app, 100_00n)
    const pay = (amount: number, referenceId: string) =>
      call({ harness, app, user }, debit, {
        serviceUserId: user.serviceUserId,
        amount,
        referenceType: 'ORDER',
        referenceId,
      })
    assert.equal((await pay(20.5, 'r-1')).statusCode, 200)
    for (const reference of ['r-2', 'r-3']) {
      assert.equal((await pay(500, reference)).json().code, 'INSUFFICIENT_BALANCE')
    }
    const frame = { url: `/widget/wallet?clientId=${app.clientId}`, method: 'GET' } as const
    const headers = { referer: 'https://foreign.example/page?secret=1' }
    await harness.inject({ ...frame, headers })
    await harness.context.appActivity.write()
    const shown = await read(app.clientId)
    const { createdAt, lastUsedAt, secrets, seen, ...others } = shown
    assert.deepEqual(others, {
      clientId: app.clientId,
      name: 'Seen shop',
      isActive: true,
      pause: null,
      scopes: ['wallet:read', 'wallet:write'],
      linkedUsers: 1,
      allowedOrigins: [],
      allowedIframeParents: [parent],
      accentColor: null,
      onMismatch: 'replay',
      getsBalanceEvents: false,
      contactEmails: [],
      isInUse: true,
      creditLimit: 50,
      waitingLimit: null,
      debitAlert: { above: null, pauses: false },
      settlement: 20.5,
      currency: 'USD',
    })
    assert(Date.parse(createdAt) <= Date.parse(lastUsedAt))
    assert.equal(secrets.length, 1)
    assert.equal(secrets[0].lastUsedAt, lastUsedAt)
    assert.equal(secrets[0].expiresAt, null)
    const [origin] = seen.refusedOrigins
    assert.deepEqual([origin.origin, origin.count], ['https://foreign.example', 1])
    await harness.admin.query(
      `update directory.client_apps set allowed_iframe_parents = allowed_iframe_parents || $2
       where client_id = $1`,
      [app.clientId, ['https://foreign.example']],
    )
    // It is listed now, so it is not refused anymore.
    assert.deepEqual((await read(app.clientId)).seen.refusedOrigins, [])
    const [error] = seen.errors
    assert.deepEqual([error.code, error.count], ['INSUFFICIENT_BALANCE', 2])
    assert(!JSON.stringify(shown).includes(app.clientSecret))
  })

  it('200 returns the fifty newest refusals, and counts all', async () => {
    const { harness } = setup
    const { appActivity } = harness.context
    const { clientId } = await makeClientApp(harness.context)
    for (let count = 0; count < 60; count++) {
      appActivity.recordRefusal(clientId, 'origin', `https://${count}.example`)
    }
    await appActivity.write()
    appActivity.recordRefusal(clientId, 'error', 'INVALID_REQUEST')
    appActivity.recordRefusal(clientId, 'origin', `https://${'x'.repeat(300)}.example`)
    await appActivity.write()
    appActivity.recordRefusal(clientId, 'error', 'INVALID_REQUEST')
    await appActivity.write()
    const { seen } = await read(clientId)
    assert.equal(seen.refusedOrigins.length, 49)
    assert.equal(seen.errors.length, 1)
    assert.equal(seen.errors[0].count, 2)
  })

  it('200 returns when a refusal happened last', async () => {
    const { context, admin } = setup.harness
    const { id, clientId } = await makeClientApp(context)
    const refuse = () => {
      context.appActivity.recordRefusal(clientId, 'error', 'INVALID_REQUEST')
      return context.appActivity.write()
    }
    await refuse()
    await admin.query(
      `update admin.app_activity set last_at = last_at - interval '1 day' where client_app_id = $1`,
      [id],
    )
    await refuse()
    const [error] = (await read(clientId)).seen.errors
    assert(Date.now() - Date.parse(error.at) < 60 * 60_000, error.at)
  })

  it('200 returns the refusals of an app also if others have many at the same time', async () => {
    const { context } = setup.harness
    const [busy, quiet] = [await makeClientApp(context), await makeClientApp(context)]
    context.appActivity.recordRefusal(quiet.clientId, 'origin', 'https://z.example')
    for (let count = 0; count < 60; count++) {
      context.appActivity.recordRefusal(busy.clientId, 'origin', `https://${count}.example`)
    }
    await context.appActivity.write()
    assert.equal((await read(busy.clientId)).seen.refusedOrigins.length, 50)
    assert.equal((await read(quiet.clientId)).seen.refusedOrigins.length, 1)
  })

  it('200 returns no limit for an unlimited app, and its settlement up to now', async () => {
    const { context } = setup.harness
    const app = await makeClientApp(context)
    const untouched = await read(app.clientId)
    assert.deepEqual([untouched.creditLimit, untouched.settlement], [null, 0])
    const user = await makeLinkedUser(context, app, 100_00n)
    const { walletId } = user
    for (const [kind, amountMinor, settlement] of [
      ['debit', 20_50n, 20.5],
      ['credit', 30_75n, -10.25],
    ] as const) {
      await post(setup.harness, kind, { walletId, account: app.ledgerAccount, amountMinor })
      assert.equal((await read(app.clientId)).settlement, settlement)
      await completeTotals(setup.harness)
      assert.equal((await read(app.clientId)).settlement, settlement)
    }
    const shop = { harness: setup.harness, app, user }
    await placeHold(shop, 5)
    assert.equal((await read(app.clientId)).settlement, -10.25)
    await completeTotals(setup.harness)
    assert.equal((await read(app.clientId)).settlement, -10.25)
  })

  it('404 NOT_FOUND for an unknown client app', async () => {
    for (const clientId of ['app_000000000000000000000000', 'x', '']) {
      const response = await askAs(setup, setup.viewer, endpoint, { clientId })
      assertRefusal(response, endpoint, 'NOT_FOUND')
    }
  })
})
