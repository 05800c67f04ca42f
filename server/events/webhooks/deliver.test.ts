import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyWebhook } from '../../../sdk/coffer.ts'
import { activateClientApp } from '../../client-app/activate-client-app.ts'
import { listFeed, untilNumbered } from '../../test/events/feed-setup.ts'
import { hasSignature } from '../../test/events/webhook-receiver.ts'
import {
  addEvents,
  makeAttemptsDue,
  openWebhook,
  readDeliveries,
  untilRecorded,
  WEBHOOK_ENV,
  type TestWebhook,
} from '../../test/events/webhook-setup.ts'
import { makeClientApp } from '../../test/factories.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import { one } from '../../database/statement.ts'
import { startDeliverer } from './deliver.ts'
import { READ_DUE } from './delivery-queries.ts'
import { rotateSecret } from './manage-webhooks.ts'
import { RETRY_SECONDS } from './plan-retry.ts'
import { resendEvents } from './resend-events.ts'

let harness: Harness
const open: TestWebhook[] = []
before(async () => {
  harness = await startHarness(WEBHOOK_ENV)
})
after(async () => {
  await harness.end()
  for (const { receiver } of open) receiver.close()
})

async function make(options: Parameters<typeof openWebhook>[1] = {}): Promise<TestWebhook> {
  const webhook = await openWebhook(harness, options)
  open.push(webhook)
  return webhook
}

const sequencesOf = ({ receiver }: TestWebhook) =>
  receiver.received.map(({ event }) => event.sequence).toSorted((a, b) => Number(a) - Number(b))

describe('a delivery', () => {
  it('has the event of the feed, its id, and a signature with the secret', async () => {
    const webhook = await make()
    await addEvents(harness, webhook.app, 3)
    const received = await webhook.receiver.untilReceived(3)
    const feed = await listFeed({ harness, app: webhook.app })
    for (const { event, headers, ...request } of received) {
      assert.deepEqual(await verifyWebhook(request.body, headers, webhook.secret), event)
      const { cursor: _, ...expected } = feed.find(({ id }) => id === event.id) ?? assert.fail()
      assert.deepEqual(event, expected)
      assert.equal(headers['webhook-id'], event.id)
      assert.equal(headers['content-type'], 'application/json')
      assert(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000) < 60)
      assert(hasSignature({ event, headers, ...request }, webhook.secret))
    }
    const recorded = await untilRecorded(harness, webhook)
    assert(recorded.every((each) => each.isDelivered && !each.isWaiting && each.failures === 0))
    assert.deepEqual(
      recorded.map(({ attempts }) => attempts.map(({ status, response }) => [status, response])),
      Array.from({ length: 3 }, () => [[200, 'ok']]),
    )
  })

  it('is made only for wanted types, and never for the events of another app', async () => {
    const all = await make()
    const some = await make({ app: all.app, types: ['link.ended'] })
    const other = await make()
    await addEvents(harness, all.app, 2)
    await harness.admin.query(
      `insert into events.outbox (client_app_id, type, data) values ($1, 'link.ended', '{}')`,
      [all.app.id],
    )
    await all.receiver.untilReceived(3)
    await some.receiver.untilReceived(1)
    await sleep(600)
    assert.deepEqual(sequencesOf(some), [3])
    assert.deepEqual(sequencesOf(all), [1, 2, 3])
    assert.deepEqual(sequencesOf(other), [])
  })

  it('is repeated after a failure, with the same id, and later events do not wait for it', async () => {
    const webhook = await make()
    webhook.receiver.respond = (response, { event }) => {
      response.statusCode = event.sequence === 1 ? 500 : 204
      response.end('no\0t now')
    }
    await addEvents(harness, webhook.app, 1)
    await untilRecorded(harness, webhook)
    const [failed] = await readDeliveries(harness, webhook)
    assert.deepEqual([failed?.isWaiting, failed?.failures], [true, 1])
    assert((failed?.waitsSeconds ?? 0) > 3 && (failed?.waitsSeconds ?? 0) <= 5.5)
    assert.equal(failed?.attempts[0]?.response, 'no\u{FFFD}t now')
    await addEvents(harness, webhook.app, 1)
    await untilNumbered(harness.admin)
    await makeAttemptsDue(harness, webhook)
    await webhook.receiver.untilReceived(3)
    const ids = webhook.receiver.received.map(({ event }) => [event.sequence, event.id])
    assert.deepEqual(ids.filter(([sequence]) => sequence === 1).length, 2)
    assert.equal(new Set(ids.map(([, id]) => id)).size, 2)
  })

  it('is sent by one of several processes, once', async () => {
    const webhook = await make()
    // Long enough for another process to look for work.
    webhook.receiver.respond = (response) => void setTimeout(() => response.end(), 400)
    const others = [startDeliverer(harness.context), startDeliverer(harness.context)]
    try {
      await addEvents(harness, webhook.app, 40)
      await webhook.receiver.untilReceived(40)
      await untilRecorded(harness, webhook)
      assert.deepEqual(
        sequencesOf(webhook),
        Array.from({ length: 40 }, (_, index) => index + 1),
      )
    } finally {
      await Promise.all(others.map((each) => each.stop()))
    }
  })

  it('is sent by another process if the one that leased the webhook stops', async () => {
    const webhook = await make()
    const lease = (until: string) =>
      harness.admin.query(
        `update events.webhooks set lease = gen_random_uuid(), leased_until = now() + $2::interval where id = $1`,
        [webhook.id, until],
      )
    await lease('60 seconds')
    await addEvents(harness, webhook.app, 1)
    await untilNumbered(harness.admin)
    await sleep(700)
    assert.deepEqual(sequencesOf(webhook), [])
    await lease('-1 second')
    await webhook.receiver.untilReceived(1)
  })

  it('waits while the app is not active', async () => {
    const webhook = await make()
    const { db } = harness.context
    await activateClientApp(db, webhook.app.clientId, false)
    await untilNumbered(harness.admin)
    await sleep(700)
    assert.deepEqual(sequencesOf(webhook), [])
    // It is not late, and no process looks for its work again and again.
    assert.deepEqual(await one(db, READ_DUE), { hasDue: false, delaySeconds: 0 })
    await activateClientApp(db, webhook.app.clientId, true)
    await webhook.receiver.untilReceived(2)
  })

  it('is signed with both secrets while they overlap', async () => {
    const webhook = await make()
    const which = { clientAppId: webhook.app.id, secretId: null, webhookId: webhook.webhookId }
    const note = () => Promise.resolve()
    const { secret } = await rotateSecret(harness.context, which, '1h', note)
    await addEvents(harness, webhook.app, 1)
    const [first] = await webhook.receiver.untilReceived(1)
    assert(first && hasSignature(first, webhook.secret) && hasSignature(first, secret))
    const { secret: last } = await rotateSecret(harness.context, which, 'none', note)
    await addEvents(harness, webhook.app, 1)
    const [, second] = await webhook.receiver.untilReceived(2)
    assert(second && hasSignature(second, last))
    assert(!hasSignature(second, webhook.secret) && !hasSignature(second, secret))
  })

  it('is sent again if that is asked for while the first attempt goes on', async () => {
    const webhook = await make()
    const responses: (() => void)[] = []
    webhook.receiver.respond = (response) => responses.push(() => response.end())
    await addEvents(harness, webhook.app, 1)
    const [first] = await webhook.receiver.untilReceived(1)
    const again = { eventId: first?.event.id }
    await resendEvents(harness.context.db, webhook.id, again, () => Promise.resolve())
    responses[0]?.()
    await webhook.receiver.untilReceived(2)
    responses[1]?.()
    const [state] = await untilRecorded(harness, webhook, 2)
    assert.equal(state?.isDelivered, true)
  })

  it('gets all retries if it is sent again after it failed for good', async () => {
    const webhook = await make()
    webhook.receiver.respond = (response) => {
      response.writeHead(500).end()
    }
    await addEvents(harness, webhook.app, 1)
    const [first] = await webhook.receiver.untilReceived(1)
    await untilRecorded(harness, webhook)
    await harness.admin.query(
      'update events.deliveries set failures = $2, next_attempt_at = null where webhook_id = $1',
      [webhook.id, RETRY_SECONDS.length],
    )
    const again = { eventId: first?.event.id }
    await resendEvents(harness.context.db, webhook.id, again, () => Promise.resolve())
    const [state] = await untilRecorded(harness, webhook, 2)
    assert.deepEqual([state?.failures, state?.isWaiting], [1, true])
  })

  it('is the only one at a time while the webhook fails', async () => {
    const webhook = await make()
    webhook.receiver.respond = () => undefined
    await harness.admin.query('update events.webhooks set failing_since = now() where id = $1', [
      webhook.id,
    ])
    await addEvents(harness, webhook.app, 5)
    await untilNumbered(harness.admin)
    await makeAttemptsDue(harness, webhook)
    await webhook.receiver.untilReceived(1)
    await sleep(600)
    assert.equal(webhook.receiver.received.length, 1)
  })

  it('goes on if the secret of another webhook cannot be read', async () => {
    const broken = await make()
    const healthy = await make({ app: broken.app })
    await harness.admin.query(`update events.webhooks set key_id = 'lost' where id = $1`, [
      broken.id,
    ])
    await addEvents(harness, broken.app, 1)
    await healthy.receiver.untilReceived(1)
    await addEvents(harness, broken.app, 1)
    const startMs = performance.now()
    await healthy.receiver.untilReceived(2)
    assert(performance.now() - startMs < 4_000)
    assert.deepEqual(sequencesOf(broken), [])
  })

  it('waits for no other webhook: one that hangs delays only itself', async () => {
    const hanging = await make()
    hanging.receiver.respond = () => undefined
    const healthy = await make({ app: hanging.app })
    await addEvents(harness, hanging.app, 20)
    await healthy.receiver.untilReceived(20)
    assert(hanging.receiver.received.length <= 8)
    await addEvents(harness, hanging.app, 5)
    await healthy.receiver.untilReceived(25)
  })
})

describe('an attempt', () => {
  it('is recorded for its webhook only, also if another one gets the same events', async () => {
    const failing = await make()
    const good = await make({ app: failing.app })
    failing.receiver.respond = (response) => {
      response.writeHead(500).end()
    }
    await addEvents(harness, failing.app, 3)
    for (const each of [failing, good]) await untilRecorded(harness, each)
    const read = async (webhook: TestWebhook) =>
      (await readDeliveries(harness, webhook)).map(({ isDelivered, attempts }) => ({
        isDelivered,
        statuses: [...new Set(attempts.map(({ status }) => status))],
      }))
    const times = <Item>(item: Item) => [item, item, item]
    assert.deepEqual(await read(failing), times({ isDelivered: false, statuses: [500] }))
    assert.deepEqual(await read(good), times({ isDelivered: true, statuses: [200] }))
  })
})

describe('an event', () => {
  it('has its deliveries in the transaction that numbers it', async () => {
    const webhook = await make()
    const other = await makeClientApp(harness.context)
    await harness.admin.query('begin')
    await harness.admin.query(
      `insert into events.events (client_app_id, sequence, id, type, data, created_at)
       select app, 1, gen_random_uuid(), 'link.created', '{}', now() from unnest($1::bigint[]) as app`,
      [[webhook.app.id, other.id]],
    )
    const { rows } = await harness.admin.query(
      'select client_app_id from events.deliveries where client_app_id = any($1)',
      [[webhook.app.id, other.id]],
    )
    await harness.admin.query('rollback')
    assert.deepEqual(rows, [{ client_app_id: String(webhook.app.id) }])
  })
})
