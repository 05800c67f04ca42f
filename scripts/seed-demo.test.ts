/** The data of `npm run demo`, and the first steps of a visitor in the demo's shop. */
import assert from 'node:assert/strict'
import { createCoffer } from '@coffer/sdk'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startShop, type RunningShop } from '../example/start-shop.ts'
import { unlink } from '../server/identity/link.ts'
import { verify } from '../server/ledger/verify/verify.ts'
import { completeTotals, assertTotals } from '../server/test/books-setup.ts'
import { startHarness, TEST_ADMIN_KEY, type Harness } from '../server/test/harness.ts'
import { DEMO_APPS, DEMO_PEOPLE } from './demo-history.ts'
import { findFreePorts } from './find-free-ports.ts'
import { forwardWebhooks } from './forward-webhooks.ts'
import { seedDemo } from './seed-demo.ts'

const WEBHOOK_SECRET = `whsec_${randomBytes(32).toString('base64')}`
let harness: Harness
let url: string
let port: number
let seeded: Awaited<ReturnType<typeof seedDemo>>

before(async () => {
  harness = await startHarness({ ADMIN_KEYS: TEST_ADMIN_KEY })
  url = await harness.app.listen({ port: 0, host: '127.0.0.1' })
  await harness.admin.query('update ledger.demo set is_demo = true')
  ;[port = 0] = await findFreePorts(1)
  seeded = await seedDemo(harness.context, {
    url,
    shopOrigin: `http://localhost:${port}`,
    appPort: 4001,
  })
})
after(() => harness.end())

/** The demo's shop stores nothing on disk: it starts without orders. */
async function openShop(): Promise<RunningShop> {
  const coffer = { serviceUrl: url, ...seeded.shop }
  const shop = await startShop({ coffer, webhookSecret: WEBHOOK_SECRET, file: ':memory:', port })
  seeded.addShop(shop.store)
  return shop
}

async function verifyAsService() {
  const client = await harness.context.db.connect()
  try {
    return await verify(client, {})
  } finally {
    client.release()
  }
}

/** Logs in to the shop as Ada, as the page does. */
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
    /** Presses a button of the newest order and returns the redirect of the shop. */
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
  it('has 90 days of payments in several apps by several users, and the books verify', async () => {
    const { rows } = await harness.admin.query(
      `select count(distinct o.wallet_id)::int as people, count(distinct o.counter_account)::int as accounts,
        count(distinct (o.created_at at time zone 'UTC')::date)::int as days, count(*)::int as operations,
        (select count(*)::int from ledger.operations_default) as strays
      from ledger.operations o where o.kind in ('debit', 'credit')`,
    )
    const { people, accounts, days, operations, strays } = rows[0]
    assert.deepEqual([people, accounts, strays], [DEMO_PEOPLE.length, DEMO_APPS.length, 0])
    assert(days > 75 && operations > 250, JSON.stringify(rows[0]))
    const { fault } = await verifyAsService()
    assert.equal(fault, undefined)
    await assertTotals(harness.admin)
    await completeTotals(harness)
    await assertTotals(harness.admin)
  })

  it('charges the first orders, refunds them, and charges again after a restart', async () => {
    let shop = await openShop()
    let ada = await logIn(shop)
    const start = await ada.balance()
    const spent = async () => Number((start - (await ada.balance())).toFixed(2))
    await ada.order('beans')
    assert.equal(await ada.press('/pay'), '/?notice=paid')
    assert.equal(await spent(), 11.5)
    await ada.order('espresso')
    assert.equal(await ada.press('/pay'), '/?notice=paid')
    assert.equal(await spent(), 14.3)
    assert.equal(await ada.press('/refund'), '/?notice=refunded')
    assert.equal(await spent(), 11.5)
    await shop.close()

    shop = await openShop()
    ada = await logIn(shop)
    await ada.order('beans')
    assert.equal(await ada.press('/pay'), '/?notice=paid')
    assert.equal(await spent(), 23)
    await shop.close()
  })

  it('registers the port of your own app, and writes it to its environment', async () => {
    assert.match(seeded.envFile, /^PORT=4001$/m)
    assert.match(seeded.envFile, /^COFFER_WEBHOOK_SECRET=whsec_\S{44}$/m)
    const clientId = /^COFFER_CLIENT_ID=(.+)$/m.exec(seeded.envFile)?.[1]
    const { rows } = await harness.admin.query(
      'select allowed_iframe_parents as parents from directory.client_apps where client_id = $1',
      [clientId],
    )
    assert.deepEqual(rows, [{ parents: ['http://localhost:4001'] }])
  })

  it('has a shop that forgets the link of Ada when she disconnects it', async () => {
    const shop = await openShop()
    const coffer = { serviceUrl: url, ...seeded.shop }
    const forwarding = forwardWebhooks(coffer, `${shop.url}/webhooks`, WEBHOOK_SECRET)
    await forwarding.isReady
    const linked = () => shop.store.findUser('ada', 'coffee')?.serviceUserId
    assert.match(linked() ?? '', /^su_/)
    const { rows } = await harness.admin.query<{ app: bigint; person: bigint }>(
      `select l.client_app_id as app, l.service_user_id as person from directory.links l
        join directory.client_apps a on a.id = l.client_app_id
        join directory.people p on p.service_user_id = l.service_user_id
        where a.client_id = $1 and p.email = 'ada@example.com'`,
      [seeded.shop.clientId],
    )
    const [{ app, person }] = rows as [{ app: bigint; person: bigint }]
    await unlink(harness.context.db, app, person)
    for (let tries = 0; linked() !== undefined && tries < 400; tries++) await sleep(25)
    assert.equal(linked(), undefined)
    await forwarding.stop()
    await shop.close()
  })
})
