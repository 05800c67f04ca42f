import { RESEND_MAX } from '@coffer/contract/limits'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { untilNumbered } from '../../test/events/feed-setup.ts'
import { makeIdleWebhook } from '../../test/events/webhook-setup.ts'
import { makeClientApp } from '../../test/factories.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import { resendEvents } from './resend-events.ts'
import { readUuid } from './show-webhook.ts'

describe('events that are sent again', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  it('are queued in parts if there are many, and the response says where the rest begins', async () => {
    const { admin, context } = harness
    const app = await makeClientApp(context)
    const id = readUuid((await makeIdleWebhook(harness, app)).webhookId)
    await admin.query(
      `insert into events.outbox (client_app_id, type, data)
       select $1, 'link.created', '{}' from generate_series(1, $2)`,
      [app.id, RESEND_MAX + 1],
    )
    await untilNumbered(admin)
    const resend = (since: string | null) =>
      resendEvents(context.db, id, { since: since ?? undefined }, () => Promise.resolve())
    const first = await resend(new Date(Date.now() - 60_000).toISOString())
    assert.equal(first.queued, RESEND_MAX)
    const rest = await resend(first.nextSince)
    assert(rest.queued > 0)
    assert.equal(rest.nextSince, null)
    const { rowCount } = await admin.query('select from events.deliveries where webhook_id = $1', [
      id,
    ])
    assert.equal(rowCount, RESEND_MAX + 1)
  })
})
