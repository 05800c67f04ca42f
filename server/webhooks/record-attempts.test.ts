import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  addEvents,
  openWebhook,
  readDeliveries,
  untilRecorded,
  WEBHOOK_ENV,
  type TestWebhook,
} from '../test/events/webhook-setup.ts'
import { startHarness, type Harness } from '../test/harness.ts'

describe('an attempt', () => {
  let harness: Harness
  const open: TestWebhook[] = []
  before(async () => {
    harness = await startHarness(WEBHOOK_ENV)
  })
  after(async () => {
    await harness.end()
    for (const { receiver } of open) receiver.close()
  })

  it('is recorded for its webhook only, also if another one gets the same events', async () => {
    const failing = await openWebhook(harness, {})
    const good = await openWebhook(harness, { app: failing.app })
    open.push(failing, good)
    failing.receiver.respond = (response) => {
      response.statusCode = 500
      response.end()
    }
    await addEvents(harness, failing.app, 3)
    for (const each of open) await untilRecorded(harness, each)
    const read = async (webhook: TestWebhook) =>
      (await readDeliveries(harness, webhook)).map(({ isDelivered, attempts }) => ({
        isDelivered,
        statuses: [...new Set(attempts.map(({ status }) => status))],
      }))
    const times = <Item>(item: Item) => [item, item, item]
    assert.deepEqual(await read(failing), times({ isDelivered: false, statuses: [500] }))
    assert.deepEqual(await read(good), times({ isDelivered: true, statuses: [200] }))
  })
})
