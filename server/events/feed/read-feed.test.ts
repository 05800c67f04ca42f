import { readEvents as endpoint } from '@coffer/contract/server/events'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  addToOutbox,
  listFeed,
  openFeed,
  readFeed,
  untilNumbered,
  usersOf,
} from '../../test/events/feed-setup.ts'
import { assertRefusal, call, openSetup, type Setup } from '../../test/setup.ts'

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

const makeFeed = (count: number) => openFeed(setup.harness, count)

describe('GET /api/server/events', () => {
  it('200 returns pages, oldest first, and continues after each cursor', async () => {
    const shop = await makeFeed(5)
    const first = await readFeed(shop, { limit: 2 })
    assert.deepEqual(usersOf(first), ['su_1', 'su_2'])
    const second = await readFeed(shop, { limit: 2, after: first.nextCursor })
    assert.deepEqual(usersOf(second), ['su_3', 'su_4'])
    const last = await readFeed(shop, { limit: 2, after: second.nextCursor })
    assert.deepEqual(usersOf(last), ['su_5'])
    const none = await readFeed(shop, { after: last.nextCursor })
    assert.deepEqual(none, { events: [], nextCursor: last.nextCursor })
    const [event] = first.events
    assert.match(event?.id ?? '', /^evt_[0-9a-f]{32}$/)
    assert.deepEqual([event?.sequence, event?.type], [1, 'link.created'])
    assert(Math.abs(Date.parse(event?.createdAt ?? '') - Date.now()) < 60_000)
    const rest = await readFeed(shop, { after: event?.cursor })
    assert.deepEqual(usersOf(rest), ['su_2', 'su_3', 'su_4', 'su_5'])
    // The same event has the same id, number and cursor.
    assert.deepEqual((await readFeed(shop, { limit: 1 })).events, [event])
  })

  it('200 with a cursor for an app without events', async () => {
    const shop = await makeFeed(0)
    const { events, nextCursor } = await readFeed(shop)
    assert.deepEqual(events, [])
    await addToOutbox(setup.harness.admin, shop.app, 'su_1')
    await untilNumbered(setup.harness.admin)
    assert.deepEqual(usersOf(await readFeed(shop, { after: nextCursor })), ['su_1'])
  })

  it('200 returns only the requested types and continues after the others', async () => {
    const shop = await makeFeed(3)
    const none = await readFeed(shop, { types: 'link.ended,wallet.frozen' })
    assert.deepEqual(none.events, [])
    assert.deepEqual((await readFeed(shop, { after: none.nextCursor })).events, [])
    const all = await readFeed(shop, { types: 'link.ended,link.created', limit: 2 })
    assert.deepEqual(usersOf(all), ['su_1', 'su_2'])
    const unknown = await readFeed(shop, { types: 'a_type_of.tomorrow', after: all.nextCursor })
    assert.deepEqual(unknown, none)
  })

  it('200 finds an event of a rare type behind thousands of others, in parts', async () => {
    const shop = await makeFeed(0)
    const { admin } = setup.harness
    await admin.query(
      `insert into events.outbox (client_app_id, type, data)
       select $1, case when number = 10050 then 'link.ended' else 'link.created' end,
         jsonb_build_object('serviceUserId', 'su_' || number)
       from generate_series(1, 10051) as number order by number`,
      [shop.app.id],
    )
    await untilNumbered(admin)
    const part = await readFeed(shop, { types: 'link.ended' })
    assert.deepEqual(part.events, [])
    const rest = await readFeed(shop, { types: 'link.ended', after: part.nextCursor })
    assert.deepEqual(usersOf(rest), ['su_10050'])
    const after10050 = await readFeed(shop, { after: rest.events[0]?.cursor })
    assert.deepEqual(usersOf(after10050), ['su_10051'])
    // With time to wait, the request searches on.
    const all = await readFeed(shop, { types: 'link.ended', waitSeconds: 10 })
    assert.deepEqual(all, rest)
  })

  it('200 never contains events of another app', async () => {
    const [one, other] = [await makeFeed(2), await makeFeed(3)]
    assert.equal((await listFeed(one)).length, 2)
    assert.equal((await listFeed(other)).length, 3)
    const { nextCursor } = await readFeed(one)
    assertRefusal(await call(other, endpoint, { after: nextCursor }), endpoint, 'CURSOR_EXPIRED')
  })

  for (const [field, value] of [
    ['after', 'evc_1'],
    ['after', `txn_${'a'.repeat(32)}`],
    ['types', 'link.created,,link.ended'],
    ['types', 'LINK.CREATED'],
    ['limit', '0'],
    ['limit', '101'],
    ['waitSeconds', '21'],
    ['waitSeconds', '-1'],
  ] as const) {
    it(`400 INVALID_REQUEST for ${field} = ${value}`, async () => {
      const response = await call(setup, endpoint, { [field]: value })
      assertRefusal(response, endpoint, 'INVALID_REQUEST', field)
    })
  }
})

describe('GET /api/server/events', () => {
  const expires = async (shop: Pick<Setup, 'harness' | 'app'>, cursor: string) =>
    assertRefusal(await call(shop, endpoint, { after: cursor }), endpoint, 'CURSOR_EXPIRED')

  it('410 CURSOR_EXPIRED after the database was restored to an earlier state', async () => {
    const { admin } = setup.harness
    const shop = await makeFeed(4)
    const { events, nextCursor } = await readFeed(shop)
    const restore = `with gone as (delete from events.events where client_app_id = $1 and sequence > 2)
      update events.feeds f set last_sequence = 2, last_id = e.id from events.events e
      where f.client_app_id = $1 and e.client_app_id = $1 and e.sequence = 2`
    await admin.query(restore, [shop.app.id])
    await expires(shop, nextCursor)
    // Other events get the same numbers.
    for (const user of ['su_5', 'su_6', 'su_7']) await addToOutbox(admin, shop.app, user)
    await untilNumbered(admin)
    await expires(shop, nextCursor)
    await expires(shop, events[2]?.cursor ?? '')
    // What was read before the state of the backup is still known.
    const known = await readFeed(shop, { after: events[1]?.cursor })
    assert.deepEqual(usersOf(known), ['su_5', 'su_6', 'su_7'])
    assert.equal((await listFeed(shop)).length, 5)
  })

  it('410 CURSOR_EXPIRED if an event after it was deleted because of its age, and only then', async () => {
    const { admin } = setup.harness
    const shop = await makeFeed(5)
    const { events } = await readFeed(shop)
    await admin.query('delete from events.events where client_app_id = $1 and sequence <= 3', [
      shop.app.id,
    ])
    await expires(shop, events[1]?.cursor ?? '')
    assert.deepEqual(usersOf(await readFeed(shop, { after: events[2]?.cursor })), ['su_4', 'su_5'])
    assert.deepEqual(usersOf(await readFeed(shop)), ['su_4', 'su_5'])
    // A reader at the end stays there, also when all events are gone.
    await admin.query('delete from events.events where client_app_id = $1', [shop.app.id])
    assert.deepEqual(await readFeed(shop, { after: events[4]?.cursor }), {
      events: [],
      nextCursor: events[4]?.cursor,
    })
    assert.equal((await readFeed(shop)).nextCursor, events[4]?.cursor)
    await expires(shop, events[3]?.cursor ?? '')
  })
})
