import * as endpoints from '@coffer/contract/admin/webhooks'
import type { AdminEndpoint } from '@coffer/contract/admin/endpoint'
import { WEBHOOKS_MAX } from '@coffer/contract/limits'
import type { Delivery, Webhook } from '@coffer/contract/webhook-shapes'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { askAs, auditOf, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { hasSignature, openReceiver, type Receiver } from '../../test/events/webhook-receiver.ts'
import { addEvents, IDLE_SETTINGS, WEBHOOK_ENV } from '../../test/events/webhook-setup.ts'
import { makeClientApp, type TestApp } from '../../test/factories.ts'
import { assertRefusal, changesNothing, type Fields } from '../../test/setup.ts'

let setup: AdminSetup
let receiver: Receiver
const UNKNOWN = `wh_${'0'.repeat(32)}`
before(async () => {
  setup = await openAdminSetup(WEBHOOK_ENV)
  receiver = await openReceiver()
})
after(async () => {
  await setup.harness.end()
  receiver.close()
})

async function ask<Body>(endpoint: AdminEndpoint, fields: Fields): Promise<Body> {
  const response = await askAs(setup, setup.operator, endpoint, fields)
  assert.equal(response.statusCode, 200, response.body)
  return response.json<Body>()
}

interface Made {
  app: TestApp
  which: { clientId: string; webhookId: string }
  secret: string
}

async function make(given?: TestApp): Promise<Made> {
  const app = given ?? (await makeClientApp(setup.harness.context))
  const fields = { clientId: app.clientId, ...IDLE_SETTINGS, url: receiver.url }
  const made = await ask<{ webhookId: string; secret: string }>(endpoints.createWebhook, fields)
  return { app, which: { clientId: app.clientId, webhookId: made.webhookId }, secret: made.secret }
}

async function read({ which: { clientId, webhookId } }: Made): Promise<Webhook | undefined> {
  const { webhooks } = await ask<{ webhooks: Webhook[] }>(endpoints.listWebhooks, { clientId })
  return webhooks.find(({ id }) => id === webhookId)
}

/** A webhook that does not exist, or belongs to another app. */
async function refuses(endpoint: AdminEndpoint, more: Fields = {}) {
  const one = await make()
  const other = await makeClientApp(setup.harness.context)
  for (const which of [
    { ...one.which, webhookId: UNKNOWN },
    { ...one.which, clientId: other.clientId },
    { ...one.which, clientId: 'app_unknown' },
  ]) {
    const fields = { ...which, ...more }
    const refused = async () =>
      assertRefusal(await askAs(setup, setup.operator, endpoint, fields), endpoint, 'NOT_FOUND')
    // Deliveries of other tests may still be recorded.
    await changesNothing(setup, refused, ['events.webhooks', 'events.deliveries'])
  }
}

describe('GET /api/admin/webhooks', () => {
  it('200 lists the webhooks of the app, and no secret', async () => {
    const made = await make()
    const response = await askAs(setup, setup.viewer, endpoints.listWebhooks, made.which)
    const { webhooks } = response.json<{ webhooks: Webhook[] }>()
    assert.equal(webhooks.length, 1)
    const { createdAt: _, ...others } = webhooks[0] ?? assert.fail()
    assert.deepEqual(others, {
      id: made.which.webhookId,
      url: receiver.url,
      types: null,
      description: 'Tests',
      isOwn: false,
      disabled: null,
      failingSince: null,
      waiting: 0,
      oldSecretUntil: null,
    })
    assert(!response.body.includes('whsec_') && !response.body.includes('sealed'))
  })

  it('404 NOT_FOUND for an unknown app', async () => {
    const response = await askAs(setup, setup.viewer, endpoints.listWebhooks, { clientId: 'app_1' })
    assertRefusal(response, endpoints.listWebhooks, 'NOT_FOUND')
  })
})

describe('POST /api/admin/webhooks', () => {
  const endpoint = endpoints.createWebhook

  it('200 shows the secret once; it is stored encrypted and is not in the audit log', async () => {
    const made = await make()
    assert.match(made.secret, /^whsec_[\w+/]{43}=$/)
    const key = Buffer.from(made.secret.slice(6), 'base64')
    const { rows } = await setup.harness.admin.query<{ sealed_secret: Buffer }>(
      'select sealed_secret from events.webhooks order by created_at desc limit 1',
    )
    assert(rows[0] && !rows[0].sealed_secret.includes(key))
    const entries = await auditOf(setup, 'webhook.create')
    assert(!JSON.stringify(entries).includes(made.secret))
  })

  it('400 INVALID_REQUEST for a URL that does not lead to a public address', async () => {
    const fields = { clientId: setup.app.clientId, ...IDLE_SETTINGS, url: 'https://10.0.0.1/' }
    const response = await askAs(setup, setup.operator, endpoint, fields)
    assertRefusal(response, endpoint, 'INVALID_REQUEST', 'url')
    assert.equal(
      response.json<{ error: string }>().error,
      'Invalid request. The field url must lead to a public address: this one is private or reserved.',
    )
  })

  it('409 WEBHOOK_LIMIT, also for concurrent requests', async () => {
    const { clientId } = await makeClientApp(setup.harness.context)
    const fields = { clientId, ...IDLE_SETTINGS }
    const responses = await Promise.all(
      Array.from({ length: WEBHOOKS_MAX + 3 }, () =>
        askAs(setup, setup.operator, endpoint, fields),
      ),
    )
    const refused = responses.filter(({ statusCode }) => statusCode !== 200)
    assert.equal(refused.length, 3)
    for (const response of refused) assertRefusal(response, endpoint, 'WEBHOOK_LIMIT')
  })

  it('404 NOT_FOUND for an unknown app', async () => {
    const fields = { clientId: 'app_1', ...IDLE_SETTINGS }
    const response = await askAs(setup, setup.operator, endpoint, fields)
    assertRefusal(response, endpoint, 'NOT_FOUND')
  })
})

describe('POST /api/admin/webhooks/change', () => {
  const endpoint = endpoints.changeWebhook

  it('200 switches it off and on: meanwhile it gets no events', async () => {
    const made = await make()
    const change = (isEnabled: boolean, types: string[] | null = null) =>
      ask(endpoint, { ...made.which, url: receiver.url, types, description: 'new', isEnabled })
    await change(false)
    assert.equal((await read(made))?.disabled?.reason, 'switched_off')
    await addEvents(setup.harness, made.app, 1)
    await change(true, ['link.created'])
    const { description, types, disabled } = (await read(made)) ?? assert.fail()
    assert.deepEqual([description, types, disabled], ['new', ['link.created'], null])
  })

  it('404 NOT_FOUND for an unknown webhook and one of another app', () =>
    refuses(endpoint, { ...IDLE_SETTINGS, isEnabled: true }))
})

describe('POST /api/admin/webhooks/delete', () => {
  it('200 removes it from the list', async () => {
    const made = await make()
    await ask(endpoints.deleteWebhook, made.which)
    assert.equal(await read(made), undefined)
  })

  it('404 NOT_FOUND for an unknown webhook and one of another app', () =>
    refuses(endpoints.deleteWebhook))
})

describe('POST /api/admin/webhooks/rotate', () => {
  it('200 shows the new secret, and the old one signs too during the overlap', async () => {
    const made = await make()
    const fields = { ...made.which, overlap: '1h' }
    const { secret } = await ask<{ secret: string }>(endpoints.rotateWebhookSecret, fields)
    assert.notEqual(secret, made.secret)
    const until = Date.parse((await read(made))?.oldSecretUntil ?? '')
    assert(Math.abs(until - Date.now() - 3_600_000) < 60_000)
  })

  it('404 NOT_FOUND for an unknown webhook and one of another app', () =>
    refuses(endpoints.rotateWebhookSecret, { overlap: 'none' }))
})

describe('POST /api/admin/webhooks/test', () => {
  it('200 sends a signed ping without a number and returns the response', async () => {
    const made = await make()
    const known = receiver.received.length
    const result = await ask<Delivery['attempts'][number]>(endpoints.testWebhook, made.which)
    assert.deepEqual([result.status, result.error, result.response], [200, null, 'ok'])
    const sent = receiver.received[known] ?? assert.fail()
    assert(hasSignature(sent, made.secret))
    assert.equal(sent.event.type, 'ping')
    assert(!('sequence' in sent.event))
  })

  it('404 NOT_FOUND for an unknown webhook and one of another app', () =>
    refuses(endpoints.testWebhook))
})

describe('GET /api/admin/webhooks/deliveries', () => {
  const endpoint = endpoints.listDeliveries
  const list = (made: Made, more: Fields = {}) =>
    ask<{ deliveries: Delivery[]; nextCursor: string | null }>(endpoint, { ...made.which, ...more })

  it('200 pages through the deliveries, newest first, with attempts and body', async () => {
    const made = await make()
    const known = receiver.received.length
    await addEvents(setup.harness, made.app, 60)
    await receiver.untilReceived(known + 60)
    const first = await list(made)
    assert.deepEqual([first.deliveries.length, first.deliveries[0]?.sequence], [50, 60])
    const rest = await list(made, { cursor: first.nextCursor })
    assert.deepEqual([rest.deliveries.length, rest.nextCursor], [10, null])
    const [newest] = first.deliveries
    const sent = receiver.received.find(({ event }) => event.id === newest?.eventId)
    assert.equal(newest?.body, sent?.body)
    assert.deepEqual((await list(made, { state: 'failed' })).deliveries, [])
  })

  it('404 NOT_FOUND for an unknown webhook and one of another app', () => refuses(endpoint))
})

describe('POST /api/admin/webhooks/resend', () => {
  const endpoint = endpoints.resendEvents

  it('200 sends one event again, and all since a time', async () => {
    const made = await make()
    const known = receiver.received.length
    await addEvents(setup.harness, made.app, 3)
    await receiver.untilReceived(known + 3)
    const eventId = receiver.received[known]?.event.id
    assert.deepEqual(await ask(endpoint, { ...made.which, eventId }), {
      queued: 1,
      nextSince: null,
    })
    await receiver.untilReceived(known + 4)
    const since = new Date(Date.now() - 60_000).toISOString()
    assert.deepEqual(await ask(endpoint, { ...made.which, since }), { queued: 3, nextSince: null })
    await receiver.untilReceived(known + 7)
    const ids = receiver.received.slice(known).map(({ event }) => event.id)
    assert.equal(new Set(ids).size, 3)
  })

  it('400 INVALID_REQUEST without a choice', async () => {
    const { which } = await make()
    const response = await askAs(setup, setup.operator, endpoint, which)
    assertRefusal(response, endpoint, 'INVALID_REQUEST', 'eventId')
  })

  it('404 NOT_FOUND for an unknown webhook, one of another app and an unknown event', async () => {
    await refuses(endpoint, { since: new Date().toISOString() })
    const { which } = await make()
    const fields = { ...which, eventId: `evt_${'0'.repeat(32)}` }
    const response = await askAs(setup, setup.operator, endpoint, fields)
    assertRefusal(response, endpoint, 'NOT_FOUND')
  })
})
