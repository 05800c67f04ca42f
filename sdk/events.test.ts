import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClientApp } from '../server/test/factories.ts'
import { addToOutbox, untilNumbered } from '../server/test/events/feed-setup.ts'
import { spawnService, startHarness, type Harness } from '../server/test/harness.ts'
import { createCoffer, CursorExpiredError, type CofferEvent } from './coffer.ts'
import type { Fetch } from './types.ts'

let harness: Harness
before(async () => {
  harness = await startHarness()
})
after(() => harness.end())

async function open(serviceUrl: string, fetch?: Fetch) {
  const app = await makeClientApp(harness.context)
  const { clientId, clientSecret } = app
  return { app, coffer: createCoffer({ serviceUrl, clientId, clientSecret, fetch }) }
}

const userOf = ({ data }: CofferEvent) => ('serviceUserId' in data ? data.serviceUserId : '')

describe('events', () => {
  it('continue after the service was killed and started again, none lost and none twice', async () => {
    const first = await spawnService(harness.databaseUrl)
    const { port } = new URL(first.url)
    const { app, coffer } = await open(first.url)
    const abort = new AbortController()
    const found: CofferEvent[] = []
    const reading = (async () => {
      for await (const event of coffer.events({ signal: abort.signal })) {
        found.push(event)
        if (found.length === 30) abort.abort()
      }
    })()
    for (let index = 1; index <= 30; index++) {
      await addToOutbox(harness.admin, app, `su_${index}`)
      if (index === 10) {
        await sleep(600)
        await first.kill('SIGKILL')
      }
    }
    const second = await spawnService(harness.databaseUrl, { PORT: port })
    await reading
    assert.equal(await second.kill('SIGINT'), 0)
    assert.deepEqual(
      found.map((event) => [event.sequence, event.type, userOf(event)]),
      Array.from({ length: 30 }, (_, index) => [index + 1, 'link.created', `su_${index + 1}`]),
    )
  })

  it('continue after a stored cursor, select types and end when they are aborted', async () => {
    const address = await harness.app.listen({ port: 0, host: '127.0.0.1' })
    const { app, coffer } = await open(address)
    for (const user of ['su_1', 'su_2', 'su_3']) await addToOutbox(harness.admin, app, user)
    await untilNumbered(harness.admin)
    let stored: string | undefined
    for await (const event of coffer.events()) {
      stored = event.cursor
      if (event.sequence === 2) break
    }
    for await (const event of coffer.events({ after: stored, types: ['link.created'] })) {
      assert.equal(userOf(event), 'su_3')
      break
    }
    const startedMs = performance.now()
    const signal = AbortSignal.timeout(300)
    for await (const event of coffer.events({ types: ['link.ended'], signal })) {
      assert.fail(event.type)
    }
    assert(performance.now() - startedMs < 5_000)
  })

  it('repeat requests that fail, and throw what a repeat cannot fix', async () => {
    const page = {
      events: [{ id: 'evt_1', sequence: 1, type: 'link.created', data: {}, cursor: 'evc_1' }],
      nextCursor: 'evc_1',
    }
    const refusal = (code: string) => ({ error: 'An error.', code })
    const script: [status: number, body: object, retryAfter?: string][] = [
      [503, refusal('SERVICE_UNAVAILABLE')],
      [429, refusal('RATE_LIMITED'), '0'],
      [502, {}],
      [200, page],
      [410, refusal('CURSOR_EXPIRED')],
    ]
    const urls: string[] = []
    const { coffer } = await open('http://localhost:1', (url) => {
      urls.push(url)
      const [status, body, retryAfter] = script.shift() ?? assert.fail()
      const headers = {
        get: (name: string) => (name === 'retry-after' ? (retryAfter ?? null) : null),
      }
      return Promise.resolve({ status, headers, text: () => Promise.resolve(JSON.stringify(body)) })
    })
    const found: string[] = []
    await assert.rejects(async () => {
      for await (const { id } of coffer.events()) found.push(id)
    }, CursorExpiredError)
    assert.deepEqual(found, ['evt_1'])
    assert.deepEqual(
      urls.map((url) => new URL(url).search),
      [...Array.from({ length: 4 }, () => '?waitSeconds=20'), '?after=evc_1&waitSeconds=20'],
    )
  })
})
