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
    const there = await makeFeed(5)
    const first = await readFeed(there, { limit: 2 })
    assert.deepEqual(usersOf(first), ['su_1', 'su_2'])
    const second = await readFeed(there, { limit: 2, after: first.nextCursor })
    assert.deepEqual(usersOf(second), ['su_3', 'su_4'])
    const last = await readFeed(there, { limit: 2, after: second.nextCursor })
    assert.deepEqual(usersOf(last), ['su_5'])
    const none = await readFeed(there, { after: last.nextCursor })
    assert.deepEqual(none, { events: [], nextCursor: last.nextCursor })
    const [event] = first.events
    assert.match(event?.id ?? '', /^evt_[0-9a-f]{32}$/)
    assert.deepEqual([event?.sequence, event?.type], [1, 'link.created'])
    assert(Math.abs(Date.parse(event?.createdAt ?? '') - Date.now()) < 60_000)
    const rest = await readFeed(there, { after: event?.cursor })
    assert.deepEqual(usersOf(rest), ['su_2', 'su_3', 'su_4', 'su_5'])
    // The same event has the same id, number and cursor.
    assert.deepEqual((await readFeed(there, { limit: 1 })).events, [event])
  })

  it('200 with a cursor for an app without events', async () => {
    const there = await makeFeed(0)
    const { events, nextCursor } = await readFeed(there)
    assert.deepEqual(events, [])
    await addToOutbox(setup.harness.admin, there.app, 'su_1')
    await untilNumbered(setup.harness.admin)
    assert.deepEqual(usersOf(await readFeed(there, { after: nextCursor })), ['su_1'])
  })

  it('200 returns only the requested types and continues after the others', async () => {
    const there = await makeFeed(3)
    const none = await readFeed(there, { types: 'link.ended,wallet.frozen' })
    assert.deepEqual(none.events, [])
    assert.deepEqual((await readFeed(there, { after: none.nextCursor })).events, [])
    const all = await readFeed(there, { types: 'link.ended,link.created', limit: 2 })
    assert.deepEqual(usersOf(all), ['su_1', 'su_2'])
    const unknown = await readFeed(there, { types: 'a_type_of.tomorrow', after: all.nextCursor })
    assert.deepEqual(unknown, none)
  })

  it('200 finds an event of a rare type behind thousands of others, in parts', async () => {
    const there = await makeFeed(0)
    const { admin } = setup.harness
    await admin.query(
      `insert into events.outbox (client_app_id, type, data)
       select $1, case when number = 10050 then 'link.ended' else 'link.created' end,
         jsonb_build_object('serviceUserId', 'su_' || number)
       from generate_series(1, 10051) as number order by number`,
      [there.app.id],
    )
    await untilNumbered(admin)
    const part = await readFeed(there, { types: 'link.ended' })
    assert.deepEqual(part.events, [])
    const rest = await readFeed(there, { types: 'link.ended', after: part.nextCursor })
    assert.deepEqual(usersOf(rest), ['su_10050'])
    const after10050 = await readFeed(there, { after: rest.events[0]?.cursor })
    assert.deepEqual(usersOf(after10050), ['su_10051'])
    // With time to wait, the request searches on.
    const all = await readFeed(there, { types: 'link.ended', waitSeconds: 10 })
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
  const expires = async (there: Pick<Setup, 'harness' | 'app'>, cursor: string) =>
    assertRefusal(await call(there, endpoint, { after: cursor }), endpoint, 'CURSOR_EXPIRED')

  it('410 CURSOR_EXPIRED after the database was restored to an earlier state', async () => {
    const { admin } = setup.harness
    const there = await makeFeed(4)
    const { events, nextCursor } = await readFeed(there)
    const restore = `with gone as (delete from events.events where client_app_id = $1 and sequence > 2)
      update events.feeds f set last_sequence = 2, last_id = e.id from events.events e
      where f.client_app_id = $1 and e.client_app_id = $1 and e.sequence = 2`
    await admin.query(restore, [there.app.id])
    await expires(there, nextCursor)
    // Other events get the same numbers.
    for (const user of ['su_5', 'su_6', 'su_7']) await addToOutbox(admin, there.app, user)
    await untilNumbered(admin)
    await expires(there, nextCursor)
    await expires(there, events[2]?.cursor ?? '')
    // What was read before the state of the backup is still known.
    const known = await readFeed(there, { after: events[1]?.cursor })
    assert.deepEqual(usersOf(known), ['su_5', 'su_6', 'su_7'])
    assert.equal((await listFeed(there)).length, 5)
  })

  it('410 CURSOR_EXPIRED if an event after it was deleted because of its age, and only then', async () => {
    const { admin } = setup.harness
    const there = await makeFeed(5)
    const { events } = await readFeed(there)
    await admin.query('delete from events.events where client_app_id = $1 and sequence <= 3', [
      there.app.id,
    ])
    await expires(there, events[1]?.cursor ?? '')
    assert.deepEqual(usersOf(await readFeed(there, { after: events[2]?.cursor })), ['su_4', 'su_5'])
    assert.deepEqual(usersOf(await readFeed(there)), ['su_4', 'su_5'])
    // A reader at the end stays there, also when all events are gone.
    await admin.query('delete from events.events where client_app_id = $1', [there.app.id])
    assert.deepEqual(await readFeed(there, { after: events[4]?.cursor }), {
      events: [],
      nextCursor: events[4]?.cursor,
    })
    assert.equal((await readFeed(there)).nextCursor, events[4]?.cursor)
    await expires(there, events[3]?.cursor ?? '')
  })
})
