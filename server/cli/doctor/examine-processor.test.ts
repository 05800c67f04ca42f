import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startSandbox, type RunningSandbox } from '../../../sandbox/start-sandbox.ts'
import { stripeEnv } from '../../../sandbox/stripe-env.ts'
import { readConfig } from '../../config.ts'
import { testEnv } from '../../test/harness.ts'
import { examineProcessor } from './examine-processor.ts'

const ORIGIN = 'http://wallet.example'
const PATH = '/api/processor/webhook'

describe('the card processor and its webhook', () => {
  let sandbox: RunningSandbox
  before(async () => {
    sandbox = await startSandbox()
  })
  after(() => sandbox.close())

  async function examine() {
    const env = { ...testEnv('postgres://nowhere'), ...stripeEnv(sandbox), PUBLIC_URL: ORIGIN }
    const { state, text } = (await examineProcessor(readConfig(env))).at(-1) ?? assert.fail()
    return [state, text]
  }

  it('is reported if it is not registered, lacks events or is disabled', async () => {
    const url = `${ORIGIN}${PATH}`
    sandbox.addWebhookEndpoint(`${ORIGIN}.other${PATH}`)
    assert.deepEqual(await examine(), [
      'warning',
      `The webhook ${url} is not registered at the card processor.`,
    ])
    const { id } = sandbox.addWebhookEndpoint(url, undefined, ['payment_intent.succeeded'])
    const [, missing = ''] = await examine()
    assert.match(missing, /does not receive payment_intent\.canceled, .*charge\.dispute\.created/)
    const endpoint = sandbox.state.webhookEndpoints.get(id) ?? assert.fail()
    endpoint.enabled_events = ['*']
    assert.deepEqual(await examine(), ['ok', `The webhook ${url} is registered.`])
    endpoint.status = 'disabled'
    assert.deepEqual(await examine(), [
      'warning',
      `The webhook ${url} is disabled at the card processor.`,
    ])
  })

  it('is not asked about while the processor does not respond', async () => {
    const env = { ...stripeEnv(sandbox), STRIPE_API_URL: 'http://127.0.0.1:1' }
    const config = readConfig({ ...testEnv('postgres://nowhere'), ...env, PUBLIC_URL: ORIGIN })
    const [finding, ...more] = await examineProcessor(config)
    assert.deepEqual([finding?.state, more], ['error', []])
    assert.match(finding?.text ?? '', /^The card processor does not respond: .*Connection/)
    assert.match(finding?.fix ?? '', /^Check the connection of this machine/)
  })
})
