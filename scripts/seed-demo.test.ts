/** What a visitor of a fresh demo tries first, with the seed, the shop and the service that `npm run demo` uses. */
import assert from 'node:assert/strict'
import { createCoffer } from '@coffer/sdk'
import { after, before, describe, it } from 'node:test'
import { startShop, type RunningShop } from '../example/start-shop.ts'
import { startHarness, TEST_ADMIN_KEY, type Harness } from '../server/test/harness.ts'
import { findFreePorts } from './find-free-ports.ts'
import { seedDemo } from './seed-demo.ts'

let harness: Harness
let url: string
let port: number
let seeded: Awaited<ReturnType<typeof seedDemo>>

before(async () => {
  harness = await startHarness({ ADMIN_KEYS: TEST_ADMIN_KEY })
  url = await harness.app.listen({ port: 0, host: '127.0.0.1' })
  ;[port = 0] = await findFreePorts(1)
  seeded = await seedDemo(harness.context, { url, shopOrigin: `http://localhost:${port}` })
})
after(() => harness.end())

/** The demo's shop keeps nothing on disk: each start is a shop without orders. */
async function openShop(): Promise<RunningShop> {
  const coffer = { serviceUrl: url, ...seeded.shop }
  const shop = await startShop({ coffer, file: ':memory:', port })
  seeded.furnish(shop.store)
  return shop
}

/** Ada in the shop, as the page sends it. */
async function logIn(shop: RunningShop) {
  const headers: Record<string, string> = { origin: shop.url }
  const post = (path: string, fields: Record<string, string>) =>
    fetch(shop.url + path, {
      method: 'POST',
      headers,
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
  const response = await post('/log-in', { name: 'ada', password: 'coffee' })
  headers['cookie'] = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  const user = shop.store.findUser('ada', 'coffee') ?? assert.fail('Ada is not in the shop')
  return {
    /** Presses a button of the newest order and returns where the shop leads. */
    async press(path: '/pay' | '/refund') {
      const order = shop.store.listOrders(user)[0] ?? assert.fail('there is no order')
      return (await post(path, { order: order.id })).headers.get('location')
    },
    order: (product: string) => post('/orders', { product }),
    async balance() {
      const coffer = createCoffer({ serviceUrl: url, ...seeded.shop })
      return (await coffer.wallet({ serviceUserId: user.serviceUserId })).balance
    },
  }
}

describe('the demo', () => {
  it('takes the money of the first orders, gives it back, and takes it again after a restart', async () => {
    let shop = await openShop()
    let ada = await logIn(shop)
    assert.equal(await ada.balance(), 28.5)
    await ada.order('beans')
    assert.equal(await ada.press('/pay'), '/?notice=paid')
    assert.equal(await ada.balance(), 17)
    await ada.order('espresso')
    assert.equal(await ada.press('/pay'), '/?notice=paid')
    assert.equal(await ada.balance(), 14.2)
    assert.equal(await ada.press('/refund'), '/?notice=refunded')
    assert.equal(await ada.balance(), 17)
    await shop.close()

    shop = await openShop()
    ada = await logIn(shop)
    await ada.order('beans')
    assert.equal(await ada.press('/pay'), '/?notice=paid')
    assert.equal(await ada.balance(), 5.5)
    await shop.close()
  })
})
