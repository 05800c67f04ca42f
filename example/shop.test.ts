/** The shop with the real service behind it, on a line that loses answers. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import type pg from 'pg'
import { startFaultyLine, type FaultyLine } from '../sdk/test/faulty-line.ts'
import { issueLinkCode } from '../server/account/exchange-link-code.ts'
import { readConfig, type Config } from '../server/config.ts'
import { createPool } from '../server/database/connect.ts'
import { Ledger } from '../server/ledger/ledger.ts'
import { cloneDatabase } from '../server/test/database.ts'
import { makeClientApp, makeLinkedUser, type TestApp } from '../server/test/factories.ts'
import { spawnService, testEnv, type ServiceProcess } from '../server/test/harness.ts'
import { startShop, type RunningShop, type ShopOptions } from './start-shop.ts'

const BEANS = '11.50'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let service: ServiceProcess
let line: FaultyLine
let tools: { db: pg.Pool; ledger: Ledger; config: Config }
let app: TestApp
let shop: RunningShop
const folder = mkdtempSync(join(tmpdir(), 'coffer-shop-'))

before(async () => {
  database = await cloneDatabase()
  service = await spawnService(database.url)
  line = await startFaultyLine(service.url)
  tools = {
    config: readConfig(testEnv(database.url)),
    db: createPool(database.url, { size: 2, barrier: false }),
    ledger: new Ledger({ databaseUrl: database.url }),
  }
  shop = await open()
})

after(async () => {
  await shop.close()
  await tools.ledger.close()
  await tools.db.end()
  await line.stop()
  await service.kill('SIGTERM')
  await database.drop()
  rmSync(folder, { recursive: true })
})

beforeEach(() => line.clear())

/** Registers it as the service's operator would: its address must be known first. */
async function open(options: Partial<ShopOptions> = {}): Promise<RunningShop> {
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const origin = `http://localhost:${port}`
  app ??= await makeClientApp(tools, { allowedIframeParents: [origin] })
  const { clientId, clientSecret } = app
  // Without retries of its own the SDK leaves an unknown outcome to the shop.
  const coffer = { serviceUrl: line.url, clientId, clientSecret, retries: 0 }
  return startShop({ coffer, file: join(folder, 'shop.db'), port, ...options })
}

let visitors = 0

/** Somebody who is logged in at the shop. */
async function enter() {
  const name = `visitor ${++visitors}`
  const headers: Record<string, string> = { origin: shop.url }
  const post = (path: string, fields: Record<string, string> = {}, more = {}) =>
    fetch(shop.url + path, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
  const { headers: answered } = await post('/sign-up', { name, password: 'coffee' })
  headers['cookie'] = answered.get('set-cookie')?.split(';')[0] ?? ''
  /** What the shop says after a press: the notice in the address that it leads back to. */
  const press = async (path: string, order: number) => {
    const response = await post(path, { order: `${order}` })
    assert.equal(response.status, 303)
    return new URL(response.headers.get('location') ?? '', shop.url).searchParams.get('notice')
  }
  const user = () => shop.store.findUser(name, 'coffee') ?? assert.fail('there is no such user')
  const newestOrder = () => shop.store.listOrders(user())[0] ?? assert.fail('there is no order')
  return { post, press, user, newestOrder }
}

/** Somebody with a wallet of 100.00, linked as the widget does it, who has ordered coffee. */
async function orderBeans() {
  const visitor = await enter()
  const wallet = await makeLinkedUser(tools, app, 100_00n)
  await linkTo(visitor, wallet.serviceUserId)
  assert.equal(visitor.user().serviceUserId, wallet.serviceUserId)
  await visitor.post('/orders', { product: 'beans' })
  const { id, price } = visitor.newestOrder()
  assert.equal(price, BEANS)
  return { ...visitor, wallet, order: id, state: () => visitor.newestOrder().status }
}

async function linkTo({ post }: Pick<Awaited<ReturnType<typeof enter>>, 'post'>, id: string) {
  const linkCode = await issueLinkCode(tools.db, id)
  assert.deepEqual(await (await post('/wallet/link', { linkCode })).json(), {})
}

/** What the books say: each operation as kind and amount, then the balance. */
async function readBooks(walletId: bigint) {
  const operations = await tools.db.query<{ kind: string; amount: bigint }>(
    `select kind, abs(amount) as amount from ledger.operations where wallet_id = $1 and kind <> 'bonus' order by seq`,
    [walletId],
  )
  const wallets = await tools.db.query<{ balance: bigint }>(
    'select balance from ledger.wallets where id = $1',
    [walletId],
  )
  const moves = operations.rows.map(({ kind, amount }) => `${kind} ${amount}`)
  return [...moves, `${wallets.rows[0]?.balance}`]
}

const PAID = ['debit 1150', '8850']

describe('the example shop', () => {
  it('takes the money once, however often and at once "Pay" is pressed', async () => {
    const { press, order, wallet, state } = await orderBeans()
    const notices = await Promise.all(Array.from({ length: 20 }, () => press('/pay', order)))
    assert.deepEqual(new Set(notices), new Set(['paid']))
    assert.equal(await press('/pay', order), 'paid')
    assert.equal(state(), 'paid')
    assert.deepEqual(await readBooks(wallet.walletId), PAID)
  })

  it('sends the same reference again when it does not know the outcome', async () => {
    const { press, order, wallet, state } = await orderBeans()
    line.clear()
    line.plan('lose answer')
    assert.equal(await press('/pay', order), 'unknown')
    assert.equal(state(), 'open')
    assert.equal(await press('/pay', order), 'paid')
    assert.equal(state(), 'paid')
    assert.equal(line.seen.length, 2)
    assert.equal(line.seen[0]?.body, line.seen[1]?.body)
    assert.deepEqual(await readBooks(wallet.walletId), PAID)
  })

  it('learns after a crash what it had begun before', async () => {
    const { press, order, wallet } = await orderBeans()
    line.clear()
    line.plan('lose answer')
    assert.equal(await press('/pay', order), 'unknown')
    const port = Number(new URL(shop.url).port)
    await shop.close()
    shop = await open({ port })
    assert.equal(await press('/pay', order), 'paid')
    assert.deepEqual(await readBooks(wallet.walletId), PAID)
  })

  it('does not charge a second wallet for what the first one paid', async () => {
    const visitor = await orderBeans()
    const other = await makeLinkedUser(tools, app, 100_00n)
    line.clear()
    line.plan('lose answer')
    assert.equal(await visitor.press('/pay', visitor.order), 'unknown')
    await visitor.post('/wallet/unlink')
    await linkTo(visitor, other.serviceUserId)
    assert.equal(await visitor.press('/pay', visitor.order), 'paid')
    assert.equal(visitor.state(), 'paid')
    assert.deepEqual(await readBooks(visitor.wallet.walletId), PAID)
    assert.deepEqual(await readBooks(other.walletId), ['10000'])
  })

  it('makes a new attempt after a refusal', async () => {
    const { post, press, newestOrder, wallet } = await orderBeans()
    await post('/orders', { product: 'grinder' })
    assert.equal(await press('/pay', newestOrder().id), 'paid')
    await post('/orders', { product: 'grinder' })
    line.clear()
    for (const attempt of [1, 2]) {
      assert.equal(await press('/pay', newestOrder().id), 'insufficient')
      assert.match(line.seen.at(-1)?.body ?? '', new RegExp(`"order-\\d+-attempt-${attempt}"`))
    }
    assert.deepEqual(await readBooks(wallet.walletId), ['debit 6400', '3600'])
  })

  it('gives a refund once, and only of what was paid', async () => {
    const { press, order, wallet, state } = await orderBeans()
    assert.equal(await press('/refund', order), null)
    assert.equal(state(), 'open')
    await press('/pay', order)
    line.clear()
    line.plan('lose answer')
    assert.equal(await press('/refund', order), 'unknown')
    const notices = await Promise.all(Array.from({ length: 20 }, () => press('/refund', order)))
    assert.deepEqual(new Set(notices), new Set(['refunded']))
    assert.equal(state(), 'refunded')
    assert.deepEqual(await readBooks(wallet.walletId), ['debit 1150', 'credit 1150', '10000'])
  })

  it('removes the field when the link ends, in the shop or at the service', async () => {
    const { post, user, wallet } = await orderBeans()
    const session = async () =>
      (await (await post('/wallet/session')).json()) as { sessionToken: string } | null
    assert.match((await session())?.sessionToken ?? '', /^ws_/)
    await post('/wallet/unlink')
    assert(!Object.hasOwn(user(), 'serviceUserId'))
    assert.equal(await session(), null)

    await linkTo({ post }, wallet.serviceUserId)
    await tools.db.query('update directory.links set ended_at = now() where service_user_id = $1', [
      wallet.id,
    ])
    assert.equal(await session(), null)
    assert(!Object.hasOwn(user(), 'serviceUserId'))
  })

  it('403 what a page of somebody else sends', async () => {
    const { post, order, state, wallet } = await orderBeans()
    const foreign = ['https://evil.example', 'null', shop.url.replace('localhost', '127.0.0.1')]
    for (const origin of foreign) {
      assert.equal((await post('/pay', { order: `${order}` }, { origin })).status, 403)
    }
    assert.equal(state(), 'open')
    assert.deepEqual(await readBooks(wallet.walletId), ['10000'])
  })

  it('does not let anybody pay, refund or see what somebody else ordered', async () => {
    const ada = await orderBeans()
    const bo = await orderBeans()
    assert.equal(await bo.press('/pay', ada.order), null)
    await ada.press('/pay', ada.order)
    assert.equal(await bo.press('/refund', ada.order), null)
    assert.equal(ada.state(), 'paid')
    assert.deepEqual(await readBooks(bo.wallet.walletId), ['10000'])
    assert.deepEqual(await readBooks(ada.wallet.walletId), PAID)
    assert.equal(shop.store.findOrder(bo.user(), ada.order), undefined)
    const stranger = await fetch(`${shop.url}/pay`, {
      method: 'POST',
      headers: { origin: shop.url },
    })
    assert.equal(stranger.status, 401)
  })
})
