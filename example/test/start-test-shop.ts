/** The shop with the real service behind it, over a connection that can lose responses. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { startFaultyProxy } from '../../sdk/test/faulty-proxy.ts'
import { issueLinkCode } from '../../server/identity/exchange-link-code.ts'
import { readConfig } from '../../server/config.ts'
import { createPool } from '../../server/database/connect.ts'
import { Ledger } from '../../server/ledger/ledger.ts'
import { cloneDatabase } from '../../server/test/database.ts'
import { makeClientApp, makeLinkedUser } from '../../server/test/factories.ts'
import { spawnService, testEnv } from '../../server/test/harness.ts'
import { startShop, type RunningShop } from '../start-shop.ts'

export type TestShop = Awaited<ReturnType<typeof startTestShop>>

interface Visitor {
  post: (path: string, fields?: Record<string, string>) => Promise<Response>
}

export const BEANS = '11.50'
/** The books of a wallet with 100.00 after it has paid for the beans. */
export const PAID = ['debit 1150', '8850']

export const WEBHOOK_SECRET = `whsec_${randomBytes(32).toString('base64')}`

/** The service, the connection to it, and a client app for a shop at this port. */
async function startPlatform(port: number) {
  const database = await cloneDatabase()
  const service = await spawnService(database.url)
  const proxy = await startFaultyProxy(service.url)
  const tools = {
    config: readConfig(testEnv(database.url)),
    db: createPool(database.url, { size: 2, barrier: false }),
    ledger: new Ledger({ databaseUrl: database.url }),
  }
  const allowedIframeParents = [`http://localhost:${port}`]
  const app = await makeClientApp(tools, { allowedIframeParents })
  async function stop() {
    await tools.ledger.close()
    await tools.db.end()
    await proxy.stop()
    await service.kill('SIGINT')
    await database.drop()
  }
  return { app, proxy, tools, stop }
}

export async function startTestShop() {
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const platform = await startPlatform(port)
  const { app, proxy, tools } = platform
  const { clientId, clientSecret } = app
  // Without its own retries, the SDK leaves an unknown outcome to the shop.
  const coffer = { serviceUrl: proxy.url, clientId, clientSecret, retries: 0 }
  const folder = mkdtempSync(join(tmpdir(), 'coffer-shop-'))
  const open = (file: string) =>
    startShop({ coffer, webhookSecret: WEBHOOK_SECRET, file: join(folder, file), port })
  let shop = await open('shop.db')
  const enter = () => enterShop(() => shop)

  async function linkTo({ post }: Visitor, serviceUserId: string) {
    const linkCode = await issueCode({ post }, serviceUserId)
    assert.deepEqual(await (await post('/wallet/link', { linkCode })).json(), {})
  }

  /** What the widget gives to the page of this visitor after a login. */
  async function issueCode({ post }: Visitor, serviceUserId: string) {
    const { challenge } = (await (await post('/wallet/unlink')).json()) as { challenge: string }
    return issueLinkCode(tools.db, serviceUserId, challenge)
  }

  const makeWallet = (balanceMinor = 100_00n) => makeLinkedUser(tools, app, balanceMinor)

  async function order(product: string, expected: string, balanceMinor: bigint) {
    const visitor = await enter()
    const wallet = await makeWallet(balanceMinor)
    await linkTo(visitor, wallet.serviceUserId)
    assert.equal(visitor.user().serviceUserId, wallet.serviceUserId)
    await visitor.post('/orders', { product })
    const { id, price } = visitor.newestOrder()
    assert.equal(price, expected)
    return { ...visitor, wallet, order: id, state: () => visitor.newestOrder().status }
  }

  return {
    app,
    proxy,
    tools,
    enter,
    linkTo,
    issueCode,
    makeWallet,
    current: () => shop,
    readBooks: (walletId: bigint) => readBooks(tools.db, walletId),

    /** A visitor with a linked wallet, as after using the widget, and an order of beans. */
    orderBeans: (balanceMinor = 100_00n) => order('beans', BEANS, balanceMinor),
    /** The same with tea, which is sold by weight. */
    orderTea: (balanceMinor = 100_00n) => order('tea', '15.00', balanceMinor),

    /** Restarts the shop: with the same file it keeps its data, with another file it starts empty. */
    async restart(file = 'shop.db') {
      await shop.close()
      shop = await open(file)
    },

    async stop() {
      await shop.close()
      await platform.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

let visitors = 0

/** A visitor who has just signed up at the shop and is logged in. */
async function enterShop(current: () => RunningShop) {
  const name = `visitor ${++visitors}`
  const headers: Record<string, string> = { origin: current().url }
  const post = (path: string, fields: Record<string, string> = {}, more = {}) =>
    fetch(current().url + path, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
  const { headers: received } = await post('/sign-up', { name, password: 'coffee' })
  headers['cookie'] = received.get('set-cookie')?.split(';')[0] ?? ''
  /** Presses a button of an order and returns the notice that the shop shows. */
  const press = async (path: string, order: string) => {
    const response = await post(path, { order })
    assert.equal(response.status, 303)
    const location = new URL(response.headers.get('location') ?? '', current().url)
    return location.searchParams.get('notice')
  }
  const user = () =>
    current().store.findUser(name, 'coffee') ?? assert.fail('there is no such user')
  const newestOrder = () =>
    current().store.listOrders(user())[0] ?? assert.fail('there is no order')
  return { post, press, user, newestOrder, headers }
}

/** A wallet in the ledger: each operation as kind and amount, then the balance. */
async function readBooks(db: pg.Pool, walletId: bigint) {
  const operations = await db.query<{ kind: string; amount: bigint }>(
    `select kind, abs(amount) as amount from ledger.operations where wallet_id = $1 and kind <> 'bonus' order by seq`,
    [walletId],
  )
  const wallets = await db.query<{ balance: bigint }>(
    'select balance from ledger.wallets where id = $1',
    [walletId],
  )
  const moves = operations.rows.map(({ kind, amount }) => `${kind} ${amount}`)
  return [...moves, `${wallets.rows[0]?.balance}`]
}
