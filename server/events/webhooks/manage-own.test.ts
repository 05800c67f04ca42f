/** How a client app manages its own webhooks, and what is left of them when its secret is revoked. */
import type { Endpoint } from '@coffer/contract/endpoint'
import { WEBHOOKS_MAX } from '@coffer/contract/limits'
import * as endpoints from '@coffer/contract/server/webhooks'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  findLiveSecrets,
  revokeSecretNow,
  rotateSecret as rotateClientSecret,
} from '../../client-app/rotate-secret.ts'
import type { Context } from '../../context.ts'
import { ownWebhookFields } from '../../test/events/own-webhook-fields.ts'
import { openReceiver } from '../../test/events/webhook-receiver.ts'
import { addEvents, IDLE_SETTINGS, WEBHOOK_ENV } from '../../test/events/webhook-setup.ts'
import { makeClientApp, withWebhookSecret, type TestApp } from '../../test/factories.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import { assertRefusal, call, type Fields } from '../../test/setup.ts'
import { many } from '../../database/statement.ts'
import { changeAsApp } from './change-as-app.ts'
import { createWebhook, rotateSecret } from './manage-webhooks.ts'
import { listWebhooks } from './queries.ts'
import { showWebhookId } from './show-webhook.ts'

let harness: Harness
before(async () => {
  harness = await startHarness(WEBHOOK_ENV)
})
after(() => harness.end())

async function makeManager() {
  const app = await withWebhookSecret(harness.context, await makeClientApp(harness.context))
  const ask = (endpoint: Endpoint, fields: Fields = {}) => call({ harness, app }, endpoint, fields)
  const create = async (fields: Fields = IDLE_SETTINGS) => {
    const response = await ask(endpoints.createOwnWebhook, fields)
    assert.equal(response.statusCode, 200, response.body)
    return response.json<{ webhookId: string; secret: string }>()
  }
  const list = async () => {
    const response = await ask(endpoints.listOwnWebhooks)
    return response.json<{
      webhooks: { id: string; isOwn: boolean; disabled: unknown }[]
    }>().webhooks
  }
  return { app, ask, create, list }
}

/** The id of the secret that manages webhooks. */
async function findGranted(app: TestApp): Promise<bigint> {
  const live = await findLiveSecrets(harness.context.db, app.clientId)
  return live.find(({ restriction }) => restriction)?.id ?? assert.fail()
}

async function revoke(app: TestApp) {
  await revokeSecretNow(harness.context.db, app.clientId, await findGranted(app))
}

async function disabledOf({ id }: TestApp): Promise<(string | null)[]> {
  const webhooks = await many(harness.context.db, listWebhooks(id))
  return webhooks.map(({ disabledReason }) => disabledReason)
}

/** Nobody notes these changes. */
const note = () => Promise.resolve()
const reasonOf = ({ disabled }: { disabled: unknown }) =>
  (disabled as { reason: string } | null)?.reason

describe('an app that manages its webhooks', () => {
  it('creates, tests, changes, lists and deletes one', async () => {
    const receiver = await openReceiver()
    const { app, ask, create, list } = await makeManager()
    const { webhookId, secret } = await create({ ...IDLE_SETTINGS, url: receiver.url })
    assert.match(secret, /^whsec_/)
    const test = await ask(endpoints.testOwnWebhook, { webhookId })
    assert.equal(test.json<{ status: number }>().status, 200)
    assert.equal(receiver.received.length, 1)
    await addEvents(harness, app, 1)
    await receiver.untilReceived(2)
    const deliveries = (await ask(endpoints.listOwnDeliveries, { webhookId })).json<{
      deliveries: { eventId: string; type: string }[]
    }>()
    const { eventId } = deliveries.deliveries[0] ?? assert.fail()
    const sent = await ask(endpoints.resendOwnEvents, { webhookId, eventId })
    assert.deepEqual(sent.json(), { queued: 1, nextSince: null })
    await receiver.untilReceived(3)
    const [known] = await list()
    assert.deepEqual([known?.id, known?.isOwn, known?.disabled], [webhookId, true, null])
    const off = { webhookId, ...IDLE_SETTINGS, isEnabled: false }
    assert.deepEqual((await ask(endpoints.changeOwnWebhook, off)).json(), { webhookId })
    assert.deepEqual((await list()).map(reasonOf), ['switched_off'])
    assert.deepEqual((await ask(endpoints.deleteOwnWebhook, { webhookId })).json(), { webhookId })
    assert.deepEqual((await ask(endpoints.deleteOwnWebhook, { webhookId })).json(), { webhookId })
    assert.deepEqual(await list(), [])
    receiver.close()
  })

  it('needs a secret that has the scope', async () => {
    const { app } = await makeManager()
    const { clientSecret } = app
    const response = await call({ harness, app }, endpoints.listOwnWebhooks, { clientSecret })
    assertRefusal(response, endpoints.listOwnWebhooks, 'SECRET_RESTRICTED')
  })

  it('cannot send events to an address inside the network of the service', async () => {
    const { ask } = await makeManager()
    const url = 'https://10.0.0.1/webhooks'
    const response = await ask(endpoints.createOwnWebhook, { ...IDLE_SETTINGS, url })
    assertRefusal(response, endpoints.createOwnWebhook, 'INVALID_REQUEST', 'url')
  })

  it('notifies the contacts of the app of each change, with the name of the secret', async () => {
    const { context } = harness
    const mails: string[] = []
    const send = (_: string, { text }: { text: string }) => mails.push(text)
    const tools = { ...context, mailer: { send } as unknown as Context['mailer'] }
    const app = await makeClientApp(context, { contactEmails: ['dev@shop.example'] })
    await withWebhookSecret(context, app)
    const secretId = await findGranted(app)
    const restriction = { secretId, name: 'hooks', scopes: [], isAllowedFrom: () => true }
    const known = await context.clientApps.find(app.clientId)
    assert(known)
    const clientApp = { ...known, restriction }
    const { webhookId } = await changeAsApp(tools, clientApp, (actor, noteChange) =>
      createWebhook(context, actor, IDLE_SETTINGS, noteChange),
    )
    await changeAsApp(tools, clientApp, (actor, noteChange) =>
      rotateSecret(context, { ...actor, webhookId }, 'none', noteChange),
    )
    assert.equal(mails.length, 2)
    for (const mail of mails) assert.match(mail, /restricted secret "hooks"/)
  })
})

describe('POST /api/server/webhooks', () => {
  it('409 WEBHOOK_LIMIT for one more than the maximum', async () => {
    const { ask, create } = await makeManager()
    for (let count = 0; count < WEBHOOKS_MAX; count++) await create()
    const response = await ask(endpoints.createOwnWebhook, IDLE_SETTINGS)
    assertRefusal(response, endpoints.createOwnWebhook, 'WEBHOOK_LIMIT')
  })
})

async function refusesOthers(name: keyof typeof endpoints.WEBHOOK_ENDPOINTS) {
  const { webhookId } = await (await makeManager()).create()
  const { ask } = await makeManager()
  const endpoint = endpoints.WEBHOOK_ENDPOINTS[name]
  const response = await ask(endpoint, ownWebhookFields(webhookId)[name])
  assertRefusal(response, endpoint, 'NOT_FOUND')
}

describe('POST /api/server/webhooks/change', () => {
  it('404 NOT_FOUND for the webhook of another app', () => refusesOthers('changeOwnWebhook'))
})

describe('POST /api/server/webhooks/delete', () => {
  it('404 NOT_FOUND for the webhook of another app', () => refusesOthers('deleteOwnWebhook'))
})

describe('POST /api/server/webhooks/rotate', () => {
  it('404 NOT_FOUND for the webhook of another app', () => refusesOthers('rotateOwnWebhookSecret'))
})

describe('POST /api/server/webhooks/test', () => {
  it('404 NOT_FOUND for the webhook of another app', () => refusesOthers('testOwnWebhook'))
})

describe('GET /api/server/webhooks/deliveries', () => {
  it('404 NOT_FOUND for the webhook of another app', () => refusesOthers('listOwnDeliveries'))
})

describe('POST /api/server/webhooks/resend', () => {
  it('404 NOT_FOUND for the webhook of another app', () => refusesOthers('resendOwnEvents'))
})

describe('a secret that is revoked', () => {
  it('disables a webhook that it only changed, and leaves those of others', async () => {
    const { app, ask } = await makeManager()
    const operator = { clientAppId: app.id, secretId: null }
    const { context } = harness
    const { webhookId: changed } = await createWebhook(context, operator, IDLE_SETTINGS, note)
    const { webhookId: rotated } = await createWebhook(context, operator, IDLE_SETTINGS, note)
    const { webhookId: other } = await createWebhook(context, operator, IDLE_SETTINGS, note)
    const fields = { webhookId: changed, ...IDLE_SETTINGS, isEnabled: true }
    assert.equal((await ask(endpoints.changeOwnWebhook, fields)).statusCode, 200)
    const rotation = { webhookId: rotated, overlap: 'none' }
    assert.equal((await ask(endpoints.rotateOwnWebhookSecret, rotation)).statusCode, 200)
    await revoke(app)
    const webhooks = await many(context.db, listWebhooks(app.id))
    assert.deepEqual(
      webhooks.map(({ id, disabledReason }) => [showWebhookId(id), disabledReason]),
      [
        [changed, 'secret_ended'],
        [rotated, 'secret_ended'],
        [other, null],
      ],
    )
  })

  it('creates no webhook if a process accepted it for a moment longer', async () => {
    const { app } = await makeManager()
    const secretId = await findGranted(app)
    await revoke(app)
    const late = createWebhook(
      harness.context,
      { clientAppId: app.id, secretId },
      IDLE_SETTINGS,
      note,
    )
    await assert.rejects(late, { code: 'INVALID_CLIENT' })
  })

  it('waits for a webhook that is being created, and disables it', async () => {
    const { app } = await makeManager()
    const secretId = await findGranted(app)
    const started = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const actor = { clientAppId: app.id, secretId }
    const creating = createWebhook(harness.context, actor, IDLE_SETTINGS, () => {
      started.resolve()
      return held.promise
    })
    await started.promise
    const revoking = revokeSecretNow(harness.context.db, app.clientId, secretId)
    setTimeout(held.resolve, 200)
    await Promise.all([creating, revoking])
    assert.deepEqual(await disabledOf(app), ['secret_ended'])
  })
})

describe('a secret that is rotated', () => {
  const rotate = async (app: TestApp) => {
    const { db, config } = harness.context
    const live = await findLiveSecrets(db, app.clientId)
    const restriction = live.find((each) => each.restriction)?.restriction ?? assert.fail()
    await rotateClientSecret({ db, peppers: config.peppers }, app.clientId, {
      overlap: '1h',
      restriction,
    })
  }
  it('keeps its webhooks if there was an overlap, however often', async () => {
    const { app, create } = await makeManager()
    await create()
    for (let round = 0; round < 3; round++) await rotate(app)
    assert.deepEqual(await disabledOf(app), [null])
    const live = await findLiveSecrets(harness.context.db, app.clientId)
    assert.equal(live.filter(({ restriction }) => restriction).length, 2)
  })
})
