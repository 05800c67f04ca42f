/** The shop with the real service behind it, over a connection that loses responses. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openStore } from './store.ts'
import { PAID, startTestShop, type TestShop } from './test/start-test-shop.ts'

let shop: TestShop

before(async () => {
  shop = await startTestShop()
})
after(() => shop.stop())
beforeEach(() => shop.proxy.clear())

describe('the example shop', () => {
  it('charges once, however often and concurrently "Pay" is pressed', async () => {
    const { press, order, wallet, state } = await shop.orderBeans()
    const notices = await Promise.all(Array.from({ length: 20 }, () => press('/pay', order)))
    assert.deepEqual(new Set(notices), new Set(['paid']))
    assert.equal(await press('/pay', order), 'paid')
    assert.equal(state(), 'paid')
    assert.deepEqual(await shop.readBooks(wallet.walletId), PAID)
  })

  it('sends the same reference again if the outcome is unknown', async () => {
    const { press, order, wallet, state } = await shop.orderBeans()
    shop.proxy.clear()
    shop.proxy.plan('lose response')
    assert.equal(await press('/pay', order), 'unknown')
    assert.equal(state(), 'open')
    assert.equal(await press('/pay', order), 'paid')
    assert.equal(state(), 'paid')
    assert.equal(shop.proxy.seen.length, 2)
    assert.equal(shop.proxy.seen[0]?.body, shop.proxy.seen[1]?.body)
    assert.deepEqual(await shop.readBooks(wallet.walletId), PAID)
  })

  it('finds out after a crash what happened to a payment', async () => {
    const { press, order, wallet } = await shop.orderBeans()
    shop.proxy.clear()
    shop.proxy.plan('lose response')
    assert.equal(await press('/pay', order), 'unknown')
    await shop.restart()
    assert.equal(await press('/pay', order), 'paid')
    assert.deepEqual(await shop.readBooks(wallet.walletId), PAID)
  })

  it('does not charge a second wallet if the first one has paid', async () => {
    const visitor = await shop.orderBeans()
    const other = await shop.makeWallet()
    shop.proxy.clear()
    shop.proxy.plan('lose response')
    assert.equal(await visitor.press('/pay', visitor.order), 'unknown')
    await visitor.post('/wallet/unlink')
    await shop.linkTo(visitor, other.serviceUserId)
    assert.equal(await visitor.press('/pay', visitor.order), 'paid')
    assert.equal(visitor.state(), 'paid')
    assert.deepEqual(await shop.readBooks(visitor.wallet.walletId), PAID)
    assert.deepEqual(await shop.readBooks(other.walletId), ['10000'])
  })

  it('makes a new attempt after a refusal', async () => {
    const { post, press, newestOrder, wallet } = await shop.orderBeans()
    await post('/orders', { product: 'grinder' })
    assert.equal(await press('/pay', newestOrder().id), 'paid')
    await post('/orders', { product: 'grinder' })
    shop.proxy.clear()
    for (const attempt of [1, 2]) {
      assert.equal(await press('/pay', newestOrder().id), 'insufficient')
      assert.match(
        shop.proxy.seen.at(-1)?.body ?? '',
        new RegExp(`"order-[0-9a-f-]{36}-attempt-${attempt}"`),
      )
    }
    assert.deepEqual(await shop.readBooks(wallet.walletId), ['debit 6400', '3600'])
  })

  it('refunds once, and only a paid order', async () => {
    const { press, order, wallet, state } = await shop.orderBeans()
    assert.equal(await press('/refund', order), null)
    assert.equal(state(), 'open')
    await press('/pay', order)
    shop.proxy.clear()
    shop.proxy.plan('lose response')
    assert.equal(await press('/refund', order), 'unknown')
    const notices = await Promise.all(Array.from({ length: 20 }, () => press('/refund', order)))
    assert.deepEqual(new Set(notices), new Set(['refunded']))
    assert.equal(state(), 'refunded')
    assert.deepEqual(await shop.readBooks(wallet.walletId), ['debit 1150', 'refund 1150', '10000'])
  })

  it('removes serviceUserId when the link ends, in the shop or at the service', async () => {
    const { post, user, wallet } = await shop.orderBeans()
    const session = async () =>
      (await (await post('/wallet/session')).json()) as Record<string, string>
    const isSignIn = async () => {
      const { challenge = '', ...rest } = await session()
      assert.match(challenge, /^[\w-]{43}$/)
      assert.deepEqual(rest, {})
    }
    assert.match((await session())['sessionToken'] ?? '', /^ws_/)
    await post('/wallet/unlink')
    assert(!Object.hasOwn(user(), 'serviceUserId'))
    await isSignIn()

    await shop.linkTo({ post }, wallet.serviceUserId)
    await shop.tools.db.query(
      'update directory.links set ended_at = now() where service_user_id = $1',
      [wallet.id],
    )
    await isSignIn()
    assert(!Object.hasOwn(user(), 'serviceUserId'))
  })

  it('asks for sessions that work on its own pages only', async () => {
    const { post } = await shop.orderBeans()
    assert.equal((await post('/wallet/session')).status, 200)
    const { rows } = await shop.tools.db.query(
      'select distinct parent_origin from directory.widget_sessions',
    )
    assert.deepEqual(rows, [{ parent_origin: shop.current().url }])
  })

  it('links nobody with a code that another session asked for, also after it was used', async () => {
    const [owner, attacker] = [await shop.enter(), await shop.enter()]
    const { serviceUserId } = await shop.makeWallet()
    const linkCode = await shop.issueCode(attacker, serviceUserId)
    const isRefused = async () => {
      assert.equal((await owner.post('/wallet/link', { linkCode })).status, 500)
      assert(!Object.hasOwn(owner.user(), 'serviceUserId'))
    }
    // Before the shop has shown the widget to the owner, and afterwards.
    await isRefused()
    await owner.post('/wallet/session')
    await isRefused()
    const link = async () => (await attacker.post('/wallet/link', { linkCode })).status
    assert.equal(await link(), 200)
    await isRefused()
    assert.equal(await link(), 200)
    assert.equal(attacker.user().serviceUserId, serviceUserId)
  })

  it('keeps one challenge per login session, so that two tabs can link', async () => {
    const visitor = await shop.enter()
    const opened = await Promise.all(
      Array.from({ length: 5 }, async () => (await visitor.post('/wallet/session')).json()),
    )
    const again = await (await visitor.post('/wallet/session')).json()
    assert.deepEqual(new Set(opened.map((each) => JSON.stringify(each))).size, 1)
    assert.deepEqual(opened[0], again)
    const other = await (await (await shop.enter()).post('/wallet/session')).json()
    assert.notDeepEqual(other, again)
  })

  it('rejects a file that another version of the shop wrote, and reports what to do', () => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-old-shop-'))
    const file = join(folder, 'shop.db')
    const old = new DatabaseSync(file)
    old.exec('create table orders (id integer primary key)')
    old.close()
    assert.throws(
      () => openStore(file),
      /another version of this shop\. Delete it, or set SHOP_FILE/,
    )
    rmSync(folder, { recursive: true })
  })

  it('returns 403 for a request from a page of another origin', async () => {
    const { post, order, state, wallet } = await shop.orderBeans()
    const foreign = [
      'https://evil.example',
      'null',
      shop.current().url.replace('localhost', '127.0.0.1'),
    ]
    for (const origin of foreign) {
      assert.equal((await post('/pay', { order }, { origin })).status, 403)
    }
    assert.equal(state(), 'open')
    assert.deepEqual(await shop.readBooks(wallet.walletId), ['10000'])
  })

  it('does not let a user pay, refund or see the orders of another user', async () => {
    const ada = await shop.orderBeans()
    const bo = await shop.orderBeans()
    assert.equal(await bo.press('/pay', ada.order), null)
    await ada.press('/pay', ada.order)
    assert.equal(await bo.press('/refund', ada.order), null)
    assert.equal(ada.state(), 'paid')
    assert.deepEqual(await shop.readBooks(bo.wallet.walletId), ['10000'])
    assert.deepEqual(await shop.readBooks(ada.wallet.walletId), PAID)
    assert.equal(shop.current().store.findOrder(bo.user(), ada.order), undefined)
    const stranger = await fetch(`${shop.current().url}/pay`, {
      method: 'POST',
      headers: { origin: shop.current().url },
    })
    assert.equal(stranger.status, 401)
  })
})
