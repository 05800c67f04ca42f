/** The shop acts on verified webhooks only, and once per event. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSecret } from '../sdk/webhook/read-secret.ts'
import { signWebhook } from '../sdk/webhook/sign-webhook.ts'
import { UNLINKED, type Change } from './open-pages.ts'
import { startTestShop, WEBHOOK_SECRET, type TestShop } from './test/start-test-shop.ts'

let shop: TestShop
before(async () => {
  shop = await startTestShop()
})
after(() => shop.stop())

/** An event as the service sends it. */
function write(type: string, data: object) {
  const id = `evt_${randomUUID().replaceAll('-', '')}`
  return { id, sequence: 1, type, createdAt: new Date().toISOString(), data }
}

async function deliver(
  event: { id: string },
  secret = WEBHOOK_SECRET,
  change = (body: string) => body,
) {
  const body = JSON.stringify(event)
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const headers = await signWebhook(readSecret(secret), { id: event.id, timestamp, body })
  const options = { method: 'POST', headers, body: change(body) }
  return (await fetch(`${shop.current().url}/webhooks`, options)).status
}

/** What the open page of this visitor receives. */
async function follow(headers: Record<string, string>) {
  const stop = new AbortController()
  const response = await fetch(`${shop.current().url}/changes`, { headers, signal: stop.signal })
  assert.equal(response.status, 200)
  let text = ''
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk)
  })().catch(() => undefined)
  return {
    async changes(): Promise<Change[]> {
      await sleep(100)
      return [...text.matchAll(/^data: (.+)\n\n/gm)].map(
        ([, json = '']) => JSON.parse(json) as Change,
      )
    },
    close: () => stop.abort(),
  }
}

describe('the webhooks of the shop', () => {
  it('link.ended removes the link of every user of that wallet, and their pages learn it', async () => {
    const [one, two, other] = [await shop.orderBeans(), await shop.enter(), await shop.orderBeans()]
    const { serviceUserId } = one.wallet
    await shop.linkTo(two, serviceUserId)
    const [page, otherPage] = [await follow(one.headers), await follow(other.headers)]
    const event = write('link.ended', { serviceUserId, reason: 'user' })
    assert.equal(await deliver(event), 204)
    assert.deepEqual(
      [one, two, other].map((visitor) => visitor.user().serviceUserId),
      [undefined, undefined, other.wallet.serviceUserId],
    )
    assert.deepEqual(await page.changes(), [UNLINKED])
    assert.deepEqual(await otherPage.changes(), [])
    assert.equal(await one.press('/pay', one.order), 'unlinked')
    page.close()
    otherPage.close()
  })

  it('a session that is refused before link.ended arrives has the same effect, once', async () => {
    const [one, two] = [await shop.orderBeans(), await shop.enter()]
    const { id, serviceUserId } = one.wallet
    await shop.linkTo(two, serviceUserId)
    const pages = [await follow(one.headers), await follow(two.headers)]
    await shop.tools.db.query(
      'update directory.links set ended_at = now() where service_user_id = $1',
      [id],
    )
    const session = await one.post('/wallet/session')
    assert.ok('challenge' in (await session.json()))
    await deliver(write('link.ended', { serviceUserId, reason: 'user' }))
    for (const page of pages) {
      assert.deepEqual(await page.changes(), [UNLINKED])
      page.close()
    }
    assert.deepEqual(
      [one, two].map((visitor) => visitor.user().serviceUserId),
      [undefined, undefined],
    )
  })

  it('an event that arrives again, also after a restart of the shop, has no effect', async () => {
    const { wallet, user, headers } = await shop.orderBeans()
    const event = write('topup.credited', {
      serviceUserId: wallet.serviceUserId,
      amount: 25,
      balance: 125.5,
      currency: 'USD',
    })
    const page = await follow(headers)
    assert.deepEqual([await deliver(event), await deliver(event)], [204, 204])
    const text = '$25.00 arrived in your wallet. You now have $125.50.'
    assert.deepEqual(await page.changes(), [{ isLinked: true, text }])
    page.close()
    const ended = write('link.ended', { serviceUserId: wallet.serviceUserId, reason: 'user' })
    await deliver(ended)
    shop.current().store.saveLink(user(), wallet.serviceUserId)
    await shop.restart()
    assert.equal(await deliver(ended), 204)
    assert.equal(user().serviceUserId, wallet.serviceUserId)
  })

  it('an event whose effect fails is not stored, so the next delivery has it', () => {
    const { store } = shop.current()
    assert.throws(() => store.once('evt_1', () => assert.fail()))
    let count = 0
    for (let times = 0; times < 2; times++) store.once('evt_1', () => count++)
    assert.equal(count, 1)
  })

  it('400 for a request that is not signed, was changed or has another secret', async () => {
    const { wallet, user } = await shop.orderBeans()
    const { serviceUserId } = wallet
    const event = write('link.ended', { serviceUserId, reason: 'user' })
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`
    const options = { method: 'POST', body: JSON.stringify(event) }
    const statuses = [
      (await fetch(`${shop.current().url}/webhooks`, options)).status,
      await deliver(event, WEBHOOK_SECRET, (body) => `${body} `),
      await deliver(event, other),
    ]
    assert.deepEqual(statuses, [400, 400, 400])
    assert.equal(user().serviceUserId, serviceUserId)
    assert.equal(await deliver(event), 204)
    assert.equal(user().serviceUserId, undefined)
  })

  it('204 for a ping, for other types and for wallets that nobody has linked', async () => {
    const { sequence: _, ...ping } = write('ping', {})
    const stranger = { serviceUserId: 'su_1', reason: 'erasure' }
    const events = [ping, write('moon.full', { phase: 4 }), write('link.ended', stranger)]
    for (const event of events) assert.equal(await deliver(event), 204)
  })

  it('401 for the changes of somebody who is not logged in', async () => {
    assert.equal((await fetch(`${shop.current().url}/changes`)).status, 401)
  })
})
