/** The URL of a webhook is part of emails, so it must not contain lines of its own. */
import * as endpoints from '@coffer/contract/server/webhooks'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { IDLE_SETTINGS, WEBHOOK_ENV } from '../../test/events/webhook-setup.ts'
import { makeClientApp, withWebhookSecret } from '../../test/factories.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import { assertRefusal, call, type Fields } from '../../test/setup.ts'

let harness: Harness
before(async () => {
  harness = await startHarness(WEBHOOK_ENV)
})
after(() => harness.end())

const CREATE = endpoints.createOwnWebhook
const CHANGE = endpoints.changeOwnWebhook

describe('the URL of a webhook', () => {
  const open = async () => {
    const app = await withWebhookSecret(harness.context, await makeClientApp(harness.context))
    const ask = (endpoint: typeof CREATE | typeof CHANGE, fields: Fields) =>
      call({ harness, app }, endpoint, { ...IDLE_SETTINGS, ...fields })
    const readUrl = async () => {
      const response = await call({ harness, app }, endpoints.listOwnWebhooks, {})
      return response.json<{ webhooks: { url: string }[] }>().webhooks.map(({ url }) => url)
    }
    return { ask, readUrl }
  }

  it('is stored as requests are sent to it', async () => {
    const { ask, readUrl } = await open()
    const created = await ask(CREATE, { url: 'https://8.8.8.8/hook\u202egnp' })
    assert.deepEqual(await readUrl(), ['https://8.8.8.8/hook%E2%80%AEgnp'])
    const { webhookId } = created.json<{ webhookId: string }>()
    await ask(CHANGE, { webhookId, isEnabled: true, url: ' HTTPS://8.8.8.8/a b ' })
    assert.deepEqual(await readUrl(), ['https://8.8.8.8/a%20b'])
  })

  it('400 INVALID_REQUEST with a control character', async () => {
    const { ask, readUrl } = await open()
    const { webhookId } = (await ask(CREATE, {})).json<{ webhookId: string }>()
    const [known] = await readUrl()
    for (const character of ['\n', '\r', '\t', '\0']) {
      const url = `https://8.8.8.8/hook${character}${character}No webhook was created.`
      assertRefusal(await ask(CREATE, { url }), CREATE, 'INVALID_REQUEST', 'url')
      const change = { webhookId, isEnabled: true, url }
      assertRefusal(await ask(CHANGE, change), CHANGE, 'INVALID_REQUEST', 'url')
    }
    assert.deepEqual(await readUrl(), [known])
  })
})
