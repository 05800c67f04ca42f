import * as endpoints from '@coffer/contract/admin/webhooks'
import type { AdminEndpoint } from '@coffer/contract/admin/endpoint'
import { WEBHOOKS_MAX } from '@coffer/contract/limits'
import type { Webhook } from '@coffer/contract/server/webhook-shapes'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { askAs, auditOf, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { IDLE_SETTINGS } from '../../test/events/webhook-setup.ts'
import { makeClientApp } from '../../test/factories.ts'
import { assertRefusal, changesNothing, type Fields } from '../../test/setup.ts'

let setup: AdminSetup
const UNKNOWN = `wh_${'0'.repeat(32)}`
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

async function make() {
  const { clientId } = await makeClientApp(setup.harness.context)
  const response = await askAs(setup, setup.operator, endpoints.createWebhook, {
    clientId,
    ...IDLE_SETTINGS,
  })
  assert.equal(response.statusCode, 200, response.body)
  const { webhookId, secret } = response.json<{ webhookId: string; secret: string }>()
  return { which: { clientId, webhookId }, secret }
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
    await changesNothing(setup, refused)
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
      ...IDLE_SETTINGS,
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

  it('404 NOT_FOUND for an unknown webhook and one of another app', () =>
    refuses(endpoint, { ...IDLE_SETTINGS, isEnabled: true }))
})

describe('POST /api/admin/webhooks/delete', () => {
  it('404 NOT_FOUND for an unknown webhook and one of another app', () =>
    refuses(endpoints.deleteWebhook))
})

describe('POST /api/admin/webhooks/rotate', () => {
  it('404 NOT_FOUND for an unknown webhook and one of another app', () =>
    refuses(endpoints.rotateWebhookSecret, { overlap: 'none' }))
})

describe('POST /api/admin/webhooks/test', () => {
  it('404 NOT_FOUND for an unknown webhook and one of another app', () =>
    refuses(endpoints.testWebhook))
})

describe('GET /api/admin/webhooks/deliveries', () => {
  const endpoint = endpoints.listDeliveries

  it('404 NOT_FOUND for an unknown webhook and one of another app', () => refuses(endpoint))
})

describe('POST /api/admin/webhooks/resend', () => {
  const endpoint = endpoints.resendEvents

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
