import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Context } from '../../context.ts'
import { IDLE_SETTINGS } from '../../test/events/webhook-setup.ts'
import { makeClientApp } from '../../test/factories.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import {
  changeWebhook,
  createWebhook,
  rotateSecret,
  type Note,
} from '../../events/webhooks/manage-webhooks.ts'
import type { AdminCall } from '../access.ts'
import { changeAsOperator } from './change-as-operator.ts'

let harness: Harness
before(async () => {
  harness = await startHarness()
})
after(() => harness.end())

describe('the contacts of the app', () => {
  it('learn what was changed, and nothing else', async () => {
    const { context } = harness
    const mails: string[] = []
    const send = (_: string, { text }: { text: string }) => mails.push(text)
    const tools = { ...context, mailer: { send } as unknown as Context['mailer'] }
    const app = await makeClientApp(context, { contactEmails: ['dev@shop.example'] })
    const settings = { ...IDLE_SETTINGS }
    const record = () => Promise.resolve()
    const operator = { operatorId: 0n } as AdminCall['operator']
    const change = <Result>(act: (id: bigint, note: Note) => Promise<Result>) =>
      changeAsOperator(tools, { record, operator }, app.clientId, act)
    const { result } = await change((id, note) =>
      createWebhook(context, { clientAppId: id, secretId: null }, settings, note),
    )
    const webhookId = result?.webhookId ?? assert.fail('nothing waits')
    const which = { clientAppId: app.id, secretId: null, webhookId }
    const renamed = { ...settings, description: 'Staging', isEnabled: true }
    await change((_, note) => changeWebhook(context, which, renamed, note))
    await change((_, note) => rotateSecret(context, which, 'none', note))
    const found = mails.map((text) => /A webhook was \w+|The secret of a webhook/.exec(text)?.[0])
    assert.deepEqual(found, [
      'A webhook was created',
      'A webhook was changed',
      'The secret of a webhook',
    ])
  })
})
