/** The command with the real service and a local server. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addToOutbox, untilNumbered } from '../../server/test/events/feed-setup.ts'
import { makeClientApp } from '../../server/test/factories.ts'
import { spawnService, startHarness, type Harness } from '../../server/test/harness.ts'
import {
  envOf,
  startListening,
  startReceiver,
  type ReceivedRequest,
} from '../test/start-listening.ts'
import { verifyWebhook } from '../webhook/verify-webhook.ts'

const SECRET = `whsec_${randomBytes(32).toString('base64')}`
let harness: Harness
let url: string
before(async () => {
  harness = await startHarness()
  url = await harness.app.listen({ port: 0, host: '127.0.0.1' })
})
after(() => harness.end())

/** An app with so many events, a receiver, and the command between them. */
async function open(count = 0, args: string[] = []) {
  const app = await makeClientApp(harness.context)
  const add = async (...users: string[]) => {
    for (const user of users) await addToOutbox(harness.admin, app, user)
    await untilNumbered(harness.admin)
  }
  await add(...Array.from({ length: count }, (_, index) => `su_${index + 1}`))
  const receiver = await startReceiver()
  const given = ['--forward-to', receiver.url, '--secret', SECRET, ...args]
  const listening = startListening(given, envOf(app, url))
  await listening.until(/^Ready\./)
  return { app, add, receiver, listening }
}

const usersOf = (received: ReceivedRequest[]) =>
  received
    .map(({ body }) => (JSON.parse(body) as { data: object }).data)
    .map(Object.values)
    .flat()

describe('listen', () => {
  it('sends new events as the service sends webhooks, and prints a line for each', async () => {
    const { add, receiver, listening } = await open(2)
    await add('su_3', 'su_4')
    await receiver.until(2)
    await listening.until(/sequence 4: 204/)
    const { status, shown, stderr } = await listening.end('SIGINT')
    await receiver.close()
    assert.deepEqual([status, stderr], [0, ''])
    const [first, second] = receiver.received
    assert(first && second && receiver.received.length === 2)
    const { method, url: path, headers, body } = first
    assert.deepEqual([method, path], ['POST', '/webhooks'])
    assert.equal(headers['content-type'], 'application/json')
    const event = await verifyWebhook(body, headers, SECRET)
    assert(event.type === 'link.created')
    assert.equal(event.id, headers['webhook-id'])
    assert.deepEqual(Object.keys(event), ['id', 'sequence', 'type', 'createdAt', 'data'])
    assert.deepEqual(
      [event.sequence, event.type, event.data],
      [3, 'link.created', { serviceUserId: 'su_3' }],
    )
    assert.match(
      shown,
      new RegExp(`^link\\.created ${event.id}, sequence 3: 204 \\(\\d+ ms\\)$`, 'm'),
    )
    assert(!shown.includes(SECRET))
  })

  it('begins with the oldest event or after a cursor, and says where to continue', async () => {
    const { app, receiver, listening } = await open(3, ['--since-start'])
    await receiver.until(3)
    await listening.until(/sequence 3: 204/)
    const { shown } = await listening.end('SIGTERM')
    const cursor = /add --after (evc_[0-9a-f]+)$/.exec(shown.trim())?.[1] ?? assert.fail(shown)
    for (const user of ['su_4', 'su_5']) await addToOutbox(harness.admin, app, user)
    const again = ['--forward-to', receiver.url, '--after', cursor]
    const second = startListening(again, { ...envOf(app, url), COFFER_WEBHOOK_SECRET: SECRET })
    await receiver.until(5)
    await second.end('SIGINT')
    await receiver.close()
    assert.deepEqual(usersOf(receiver.received), ['su_1', 'su_2', 'su_3', 'su_4', 'su_5'])
    const { body, headers } = receiver.received.at(-1) ?? assert.fail()
    await verifyWebhook(body, headers, SECRET)
  })

  it('sends an event again if its delivery fails, gives up, and continues with the next', async () => {
    const { add, receiver, listening } = await open()
    receiver.plan.push(500, null, 302, 204, 400, 400, 400, 400)
    await add('su_1', 'su_2', 'su_3')
    await receiver.until(9)
    const found = await listening.until(/sequence 3: 204/)
    await listening.end('SIGINT')
    await receiver.close()
    const users = usersOf(receiver.received)
    const four = (user: string) => Array.from({ length: 4 }, () => user)
    assert.deepEqual(users, [...four('su_1'), ...four('su_2'), 'su_3'])
    const outcomes = found.input.matchAll(/sequence (\d): (.+?) \(\d+ ms\)(.*)/g)
    assert.deepEqual(
      [...outcomes].map(([, ...parts]) => parts.join('|')),
      [
        '1|500|. Sending again in 1 s.',
        '1|no response, UND_ERR_SOCKET|. Sending again in 2 s.',
        '1|302, redirects are not followed|. Sending again in 4 s.',
        '1|204|',
        '2|400|. Sending again in 1 s.',
        '2|400|. Sending again in 2 s.',
        '2|400|. Sending again in 4 s.',
        '2|400|. Given up; continuing with the next event.',
        '3|204|',
      ],
    )
  })

  it('says that nothing listens, and delivers once the server has started', async () => {
    const { add, receiver, listening } = await open()
    const { port } = new URL(receiver.url)
    await receiver.close()
    await add('su_1')
    await listening.until(
      new RegExp(`nothing listens at 127\\.0\\.0\\.1:${port}, start your server`),
    )
    const later = await startReceiver(Number(port))
    await later.until(1)
    await listening.until(/sequence 1: 204/)
    await listening.end('SIGINT')
    await later.close()
  })

  it('waits for a service that has not started, and continues when it is killed and starts again', async () => {
    const app = await makeClientApp(harness.context)
    const first = await spawnService(harness.databaseUrl)
    const { port } = new URL(first.url)
    await first.kill('SIGKILL')
    const receiver = await startReceiver()
    const given = ['--forward-to', receiver.url, '--secret', SECRET]
    const listening = startListening(given, envOf(app, first.url))
    await listening.until(/^Cannot read events from http.*Trying again\.$/m)
    const second = await spawnService(harness.databaseUrl, { PORT: port })
    await listening.until(/^Ready\./m)
    await addToOutbox(harness.admin, app, 'su_1')
    await listening.until(/sequence 1: 204/)
    await second.kill('SIGKILL')
    await addToOutbox(harness.admin, app, 'su_2')
    await listening.until(/again\.\n.*\nCannot read events/s)
    const third = await spawnService(harness.databaseUrl, { PORT: port })
    await listening.until(/sequence 2: 204/)
    await listening.end('SIGINT')
    await third.kill('SIGINT')
    await receiver.close()
    assert.deepEqual(usersOf(receiver.received), ['su_1', 'su_2'])
  })

  it('selects types, and prints a secret that stays the same', async () => {
    const app = await makeClientApp(harness.context)
    const receiver = await startReceiver()
    const args = ['--forward-to', receiver.url, '--types', 'link.created,wallet.frozen']
    const start = () => startListening(args, envOf(app, url))
    const first = start()
    const [, secret = ''] = await first.until(/^Signing secret: (whsec_\S+)$/m)
    await first.until(/Ctrl-C stops/)
    await harness.admin.query(
      `insert into events.outbox (client_app_id, type, data) values ($1, 'wallet.unfrozen', '{}')`,
      [app.id],
    )
    await addToOutbox(harness.admin, app, 'su_1')
    await receiver.until(1)
    const { body, headers } = receiver.received[0] ?? assert.fail()
    assert.equal((await verifyWebhook(body, headers, secret)).type, 'link.created')
    const { shown } = await first.end('SIGINT')
    assert(!shown.includes(app.clientSecret))
    const second = start()
    assert.equal((await second.until(/^Signing secret: (whsec_\S+)$/m))[1], secret)
    await second.end('SIGINT')
    await receiver.close()
  })

  it('stops at once, also while it sends, and delivers that event in the next run', async () => {
    const { app, add, receiver, listening } = await open()
    receiver.plan.push(500)
    await add('su_1')
    await listening.until(/Sending again/)
    const startMs = performance.now()
    const { status, shown } = await listening.end('SIGINT')
    assert(status === 0 && performance.now() - startMs < 900)
    const cursor = /add --after (evc_[0-9a-f]+)$/.exec(shown.trim())?.[1] ?? assert.fail(shown)
    const second = startListening(
      ['--forward-to', receiver.url, '--after', cursor],
      envOf(app, url),
    )
    await receiver.until(2)
    await second.end('SIGINT')
    await receiver.close()
    assert.deepEqual(usersOf(receiver.received), ['su_1', 'su_1'])
  })

  it('begins with new events also after many old ones', async () => {
    const app = await makeClientApp(harness.context)
    await harness.admin.query(
      `insert into events.outbox (client_app_id, type, data)
       select $1, 'link.created', '{"serviceUserId": "su_1"}' from generate_series(1, 20500)`,
      [app.id],
    )
    await untilNumbered(harness.admin)
    const receiver = await startReceiver()
    const listening = startListening(['--forward-to', receiver.url], envOf(app, url))
    await listening.until(/^Ready/)
    await addToOutbox(harness.admin, app, 'su_new')
    await receiver.until(1)
    await sleep(200)
    await listening.end('SIGINT')
    await receiver.close()
    assert.deepEqual(usersOf(receiver.received), ['su_new'])
  })
})
