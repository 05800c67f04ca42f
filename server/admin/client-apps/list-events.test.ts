import { listAppEvents as endpoint } from '@coffer/contract/admin/client-app-events'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { z } from 'zod'
import { askAs, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { listFeed, openFeed, untilNumbered } from '../../test/events/feed-setup.ts'
import { assertRefusal, type Fields } from '../../test/setup.ts'

type Page = z.output<typeof endpoint.response>

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

async function list(clientId: string, fields: Fields = {}): Promise<Page> {
  const response = await askAs(setup, setup.viewer, endpoint, { clientId, ...fields })
  assert.equal(response.statusCode, 200, response.body)
  return response.json<Page>()
}

/** Adds events as if they had got these numbers. */
async function plant({ id }: { id: bigint }, from: number, to: number) {
  await setup.harness.admin.query(
    `insert into events.events (client_app_id, sequence, id, type, data, created_at)
       select $1, n, gen_random_uuid(), 'wallet.frozen', '{"serviceUserId": "su_1"}', now()
       from generate_series($2::int, $3::int) n`,
    [id, from, to],
  )
  await setup.harness.admin.query(
    'update events.feeds set last_sequence = $2 where client_app_id = $1',
    [id, to],
  )
}

describe('GET /api/admin/client-apps/events', () => {
  it('200 pages through the events of the app as its feed has them, newest first', async () => {
    const reader = await openFeed(setup.harness, 60)
    await openFeed(setup.harness, 3)
    const first = await list(reader.app.clientId)
    const rest = await list(reader.app.clientId, { cursor: first.nextCursor })
    assert.deepEqual([first.events.length, rest.events.length, rest.nextCursor], [50, 10, null])
    const feed = (await listFeed(reader)).toReversed()
    assert.deepEqual(
      [...first.events, ...rest.events],
      feed.map(({ id, sequence, type, createdAt, data }) => ({
        id,
        sequence,
        type,
        createdAt,
        serviceUserId: data.serviceUserId ?? null,
        body: JSON.stringify({ id, sequence, type, createdAt, data }),
      })),
    )
  })

  it('200 with one type, also if it is far behind the newest event', async () => {
    const { app } = await openFeed(setup.harness, 2)
    await setup.harness.admin.query(
      `insert into events.outbox (client_app_id, type, data) values ($1, 'client_app.changed', '{"changes": ["name"]}')`,
      [app.id],
    )
    await untilNumbered(setup.harness.admin)
    const changed = await list(app.clientId, { type: 'client_app.changed' })
    assert.deepEqual(
      changed.events.map(({ sequence, serviceUserId }) => [sequence, serviceUserId]),
      [[3, null]],
    )
    assert.equal(changed.nextCursor, null)
    await plant(app, 4, 12_000)
    const none = await list(app.clientId, { type: 'link.created' })
    assert.deepEqual(none.events, [])
    const found = await list(app.clientId, { type: 'link.created', cursor: none.nextCursor })
    assert.deepEqual(
      found.events.map(({ sequence }) => sequence),
      [2, 1],
    )
    assert.equal(found.nextCursor, null)
  })

  it('200 ends where old events are deleted, and is empty for an app without events', async () => {
    const { app } = await openFeed(setup.harness, 1)
    await plant(app, 30_000, 30_049)
    await setup.harness.admin.query(
      'delete from events.events where client_app_id = $1 and sequence = 1',
      [app.id],
    )
    const page = await list(app.clientId)
    assert.deepEqual([page.events.length, page.nextCursor], [50, null])
    const { app: other } = await openFeed(setup.harness, 0)
    assert.deepEqual(await list(other.clientId), { events: [], nextCursor: null })
  })

  it('400 INVALID_REQUEST for an unknown type and a cursor that is not a number', async () => {
    const { clientId } = setup.app
    for (const [field, value] of [
      ['type', 'link'],
      ['cursor', 'evc_1'],
      ['cursor', '0'],
    ] as const) {
      const response = await askAs(setup, setup.viewer, endpoint, { clientId, [field]: value })
      assertRefusal(response, endpoint, 'INVALID_REQUEST', field)
    }
  })

  it('404 NOT_FOUND for an unknown client app', async () => {
    const response = await askAs(setup, setup.viewer, endpoint, { clientId: 'app_unknown' })
    assertRefusal(response, endpoint, 'NOT_FOUND')
  })
})
