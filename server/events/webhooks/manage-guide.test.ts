/** The request in docs/webhooks.md creates a webhook. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { readBlocks } from '../../../scripts/read-blocks.ts'
import { makeClientApp, withWebhookSecret } from '../../test/factories.ts'
import { startHarness } from '../../test/harness.ts'
import { basicOf } from '../../test/setup.ts'

const guide = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')

it('creates a webhook with the request of docs/webhooks.md', async () => {
  const block = readBlocks(guide).find(({ marks }) => marks['test']?.includes('manage-guide'))
  const [, url = ''] = /^curl "\$COFFER_URL(\S+)" -u /.exec(block?.text ?? '') ?? []
  const [, body = ''] = /-d '(.+)'/.exec(block?.text ?? '') ?? []
  const harness = await startHarness()
  const app = await withWebhookSecret(harness.context, await makeClientApp(harness.context))
  const { clientId, webhookSecret: clientSecret = '' } = app
  const headers = { 'content-type': 'application/json', ...basicOf({ clientId, clientSecret }) }
  // The name in the guide does not resolve.
  const payload = body.replace('https://shop.example', 'https://93.184.215.14')
  const response = await harness.inject({ method: 'POST', url, headers, payload })
  assert.equal(response.statusCode, 200, response.body)
  const made = response.json<{ webhookId: string; secret: string }>()
  assert.match(`${made.webhookId} ${made.secret}`, /^wh_\w+ whsec_/)
  await harness.end()
})
