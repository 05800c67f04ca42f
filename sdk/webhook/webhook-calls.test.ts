import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { IDLE_SETTINGS } from '../../server/test/events/webhook-setup.ts'
import { withWebhookSecret } from '../../server/test/factories.ts'
import { isCofferError } from '../errors.ts'
import { openSdkSetup, thrownBy, type SdkSetup } from '../test/sdk-setup.ts'

/** Of a webhook that gets no event. */
const INPUT = { ...IDLE_SETTINGS, types: ['webhook.disabled' as const] }

describe('webhooks', () => {
  let setup: SdkSetup
  before(async () => {
    setup = await openSdkSetup()
  })
  after(() => setup.end())

  async function openManager() {
    const { app, harness } = await setup.addShop()
    const { webhookSecret: clientSecret = '' } = await withWebhookSecret(harness.context, app)
    // The process learns of the secret.
    await sleep(400)
    return setup.as({ clientId: app.clientId, clientSecret }).webhooks
  }

  it('creates, lists, changes, rotates, tests, resends and deletes', async () => {
    const webhooks = await openManager()
    const { webhookId, secret } = await webhooks.create(INPUT)
    assert.match(secret, /^whsec_/)
    const [listed] = await webhooks.list()
    assert.deepEqual([listed?.id, listed?.url, listed?.isOwn], [webhookId, INPUT.url, true])
    await webhooks.change({ webhookId, ...INPUT, description: 'Staging', isEnabled: false })
    const [changed] = await webhooks.list()
    assert.deepEqual([changed?.description, changed?.disabled?.reason], ['Staging', 'switched_off'])
    assert.notEqual((await webhooks.rotate({ webhookId, overlap: 'none' })).secret, secret)
    const since = new Date().toISOString()
    assert.deepEqual(await webhooks.resend({ webhookId, since }), { queued: 0, nextSince: null })
    for await (const delivery of webhooks.deliveries({ webhookId })) assert.fail(delivery.eventId)
    await webhooks.delete({ webhookId })
    await webhooks.delete({ webhookId })
    assert.deepEqual(await webhooks.list(), [])
  })

  it('creates at most one, also if the response is lost', async () => {
    const webhooks = await openManager()
    setup.proxy.plan('lose response')
    await assert.rejects(webhooks.create(INPUT), isCofferError)
    assert.equal((await webhooks.list()).length, 1)
  })

  it('rotates at most once, also if the response is lost, because a second rotation ends the first secret', async () => {
    const webhooks = await openManager()
    const { webhookId } = await webhooks.create(INPUT)
    setup.proxy.plan('lose response')
    await assert.rejects(webhooks.rotate({ webhookId, overlap: 'none' }), isCofferError)
  })

  it('needs a secret with the scope', async () => {
    const { coffer } = await setup.addShop()
    await thrownBy(coffer.webhooks.list(), 'SECRET_RESTRICTED')
  })
})
