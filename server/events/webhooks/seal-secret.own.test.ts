import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readKeys } from '../../admin/switches/read-keys.ts'
import { refuseMissingKeys } from '../../admin/switches/refuse-missing-keys.ts'
import { readConfig } from '../../config.ts'
import { addEvents, openWebhook, WEBHOOK_ENV } from '../../test/events/webhook-setup.ts'
import { hasSignature } from '../../test/events/webhook-receiver.ts'
import { startHarness, TEST_PEPPER, testEnv, type Harness } from '../../test/harness.ts'
import { rotateSecret } from './manage-webhooks.ts'
import { resealSecrets } from './seal-secret.ts'

const NEXT = `next:${Buffer.alloc(32, 5).toString('base64')}`

describe('a new pepper', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness(WEBHOOK_ENV)
  })
  after(() => harness.end())

  it('takes over the secrets of webhooks, and the old one is missed as long as it is needed', async () => {
    const webhook = await openWebhook(harness)
    const which = { clientAppId: webhook.app.id, secretId: null, webhookId: webhook.webhookId }
    const { secret } = await rotateSecret(harness.context, which, '1h', () => Promise.resolve())
    await harness.admin.query('delete from directory.client_secrets')
    const configWith = (SECRET_PEPPERS: string) =>
      readConfig({ ...testEnv(harness.databaseUrl), ...WEBHOOK_ENV, SECRET_PEPPERS })
    await assert.rejects(refuseMissingKeys(configWith(NEXT)), /Webhooks of these client apps/)
    const both = configWith(`${NEXT},${TEST_PEPPER}`)
    const { backgroundDb, db } = harness.context
    const countWebhooks = async () =>
      (await readKeys({ db, config: both })).peppers.map(({ id, webhooks }) => [id, webhooks])
    assert.deepEqual(await countWebhooks(), [
      ['next', 0],
      ['test', 1],
    ])
    assert.equal(await resealSecrets({ backgroundDb, config: both }), 1)
    assert.equal(await resealSecrets({ backgroundDb, config: both }), 0)
    assert.deepEqual(await countWebhooks(), [
      ['next', 1],
      ['test', 0],
    ])
    await refuseMissingKeys(configWith(NEXT))
    // The process of this test gets the new pepper as well.
    harness.context.config.peppers = both.peppers
    await addEvents(harness, webhook.app, 1)
    const [sent] = await webhook.receiver.untilReceived(1)
    assert(sent && hasSignature(sent, secret) && hasSignature(sent, webhook.secret))
    webhook.receiver.close()
  })
})
