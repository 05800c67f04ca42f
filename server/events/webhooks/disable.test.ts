import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN_ENV, makeNewOperator } from '../../test/admin-setup.ts'
import { eventsOf, untilNumbered } from '../../test/events/feed-setup.ts'
import {
  addEvents,
  makeAttemptsDue,
  openWebhook,
  untilRecorded,
  WEBHOOK_ENV,
  type TestWebhook,
} from '../../test/events/webhook-setup.ts'
import { makeClientApp } from '../../test/factories.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import { startMailServer, type MailServer } from '../../test/mail-server.ts'
import { inventEmail } from '../../test/sign-in.ts'
import { changeWebhook } from './manage-webhooks.ts'

let harness: Harness
let mail: MailServer
const open: TestWebhook[] = []
before(async () => {
  mail = await startMailServer()
  harness = await startHarness({ ...ADMIN_ENV, ...WEBHOOK_ENV, ...mail.env })
})
after(async () => {
  await harness.end()
  await mail.stop()
  for (const { receiver } of open) receiver.close()
})

async function make(options: Parameters<typeof openWebhook>[1] = {}): Promise<TestWebhook> {
  const webhook = await openWebhook(harness, options)
  open.push(webhook)
  return webhook
}

describe('a webhook', () => {
  it('is never sent to where a redirect leads', async () => {
    const target = await make()
    const webhook = await make()
    webhook.receiver.respond = (response) => {
      response.writeHead(307, { location: target.receiver.url }).end()
    }
    await addEvents(harness, webhook.app, 1)
    const [state] = await untilRecorded(harness, webhook)
    assert.match(state?.attempts[0]?.error ?? '', /redirect \(307\)/)
    assert.deepEqual(target.receiver.received, [])
  })

  it('is disabled by a response with 410, and the app learns it from its feed', async () => {
    const webhook = await make()
    webhook.receiver.respond = (response) => {
      response.writeHead(410).end()
    }
    const found = await eventsOf({ harness, app: webhook.app }, async () => {
      await addEvents(harness, webhook.app, 1)
      await untilNumbered(harness.admin)
      await untilRecorded(harness, webhook)
    })
    const data = { webhookId: webhook.webhookId, reason: 'gone' }
    assert.deepEqual(found.at(-1), ['webhook.disabled', data])
    await addEvents(harness, webhook.app, 2)
    await untilNumbered(harness.admin)
    await sleep(600)
    assert.equal(webhook.receiver.received.length, 1)
  })

  it('is disabled after five days of failures, and a success ends them', async () => {
    const webhook = await make()
    const failFor = (days: number) =>
      harness.admin.query(
        `update events.webhooks set failing_since = now() - make_interval(days => $2) where id = $1`,
        [webhook.id, days],
      )
    webhook.receiver.respond = (response) => {
      response.writeHead(500).end()
    }
    await failFor(4)
    await addEvents(harness, webhook.app, 1)
    await untilRecorded(harness, webhook)
    webhook.receiver.respond = (response) => response.end()
    await makeAttemptsDue(harness, webhook)
    const [state] = await untilRecorded(harness, webhook, 2)
    assert.equal(state?.isDelivered, true)
    const since = () =>
      harness.admin.query<{ failing_since: Date | null; disabled_reason: string | null }>(
        'select failing_since, disabled_reason from events.webhooks where id = $1',
        [webhook.id],
      )
    assert.deepEqual((await since()).rows, [{ failing_since: null, disabled_reason: null }])
    webhook.receiver.respond = (response) => {
      response.writeHead(500).end()
    }
    await failFor(6)
    const found = await eventsOf({ harness, app: webhook.app }, async () => {
      await addEvents(harness, webhook.app, 1)
      await untilNumbered(harness.admin)
      await untilRecorded(harness, webhook)
    })
    assert.equal(found.at(-1)?.[1].reason, 'failing')
  })

  it('does not fail while it accepts other events: one that it rejects says nothing about it', async () => {
    const webhook = await make()
    webhook.receiver.respond = (response, { event }) => {
      response.writeHead(event.sequence === 1 ? 400 : 204).end()
    }
    // Both are due in the same moment, so one process sends both.
    await harness.admin.query(
      `insert into events.outbox (client_app_id, type, data) select $1, 'link.created', '{}' from generate_series(1, 2)`,
      [webhook.app.id],
    )
    await untilNumbered(harness.admin)
    const states = await untilRecorded(harness, webhook)
    assert.deepEqual(
      states.map(({ isDelivered }) => isDelivered),
      [false, true],
    )
    const { rows } = await harness.admin.query(
      'select failing_since from events.webhooks where id = $1',
      [webhook.id],
    )
    assert.deepEqual(rows, [{ failing_since: null }])
  })

  it('that is switched on again is not disabled by its first failure', async () => {
    const webhook = await make()
    webhook.receiver.respond = (response) => {
      response.writeHead(500).end()
    }
    await harness.admin.query(
      `update events.webhooks set failing_since = now() - interval '6 days', disabled_at = now(),
        disabled_reason = 'failing' where id = $1`,
      [webhook.id],
    )
    const { app, webhookId } = webhook
    const which = { clientAppId: app.id, secretId: null, webhookId }
    const settings = { url: webhook.receiver.url, types: null, description: '', isEnabled: true }
    await changeWebhook(harness.context, which, settings, () => Promise.resolve())
    await addEvents(harness, app, 1)
    await untilRecorded(harness, webhook)
    const { rows } = await harness.admin.query(
      `select disabled_at, failing_since > now() - interval '1 hour' as "failsNow"
       from events.webhooks where id = $1`,
      [webhook.id],
    )
    assert.deepEqual(rows, [{ disabled_at: null, failsNow: true }])
  })

  it('notifies its contacts, and the operators who are active and can change it', async () => {
    const [former, viewer, owner] = [
      await makeNewOperator(harness, 'operator'),
      await makeNewOperator(harness, 'viewer'),
      await makeNewOperator(harness, 'owner'),
    ]
    await harness.admin.query('update admin.operators set is_active = false where email = $1', [
      former.email,
    ])
    const contact = inventEmail()
    const app = await makeClientApp(harness.context, { contactEmails: [contact] })
    const webhook = await make({ app })
    webhook.receiver.respond = (response) => {
      response.writeHead(410).end()
    }
    await addEvents(harness, app, 1)
    const subject = /a webhook was disabled/
    for (const email of [contact, owner.email]) {
      const { text } = await mail.readSubject(email, subject)
      assert.match(text ?? '', /responded with the status 410/)
    }
    await sleep(300)
    const others = [former, viewer].map(({ email }) => mail.count(email, subject))
    assert.deepEqual(others, [0, 0])
  })
})
