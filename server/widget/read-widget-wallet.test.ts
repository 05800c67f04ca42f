import { credit, debit } from '@coffer/contract/server/wallet'
import type { Transaction } from '@coffer/contract/shapes'
import { readWidgetWallet as endpoint } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { link, unlink } from '../identity/link.ts'
import { activateClientApp } from '../client-app/activate-client-app.ts'
import { giveBonus, setEmail } from '../test/factories.ts'
import { setLimit } from '../test/ledger/spend-setup.ts'
import { mintSession } from '../test/shop.ts'
import { assertRefusal, call, addShop, openSetup, type Fields, type Setup } from '../test/setup.ts'
import { pruneSessions } from './require-session.ts'

interface WidgetWallet {
  balance: number
  spendable: number
  currency: string
  isActive: boolean
  transactions: Transaction[]
  user: { firstName: string; lastName: string; maskedEmail: string }
}

describe('GET /api/widget/wallet', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  /** Calls like the page, with nothing but the session. */
  function ask(session: string, headers: Record<string, string> = {}) {
    const url = `${endpoint.path}?${new URLSearchParams({ session })}`
    return setup.harness.inject({ method: 'GET', url, headers })
  }

  async function read(session: string): Promise<WidgetWallet> {
    const response = await ask(session)
    assert.equal(response.statusCode, 200, response.body)
    return response.json<WidgetWallet>()
  }

  async function post(shop: Setup, type: 'debit' | 'credit', fields: Fields) {
    const pair = { referenceType: 'ORDER', referenceId: randomUUID() }
    const all = { serviceUserId: shop.user.serviceUserId, ...pair, ...fields }
    const response = await call(shop, type === 'debit' ? debit : credit, all)
    assert.equal(response.statusCode, 200, response.body)
  }

  async function moveExpiry(session: string, interval: string) {
    const { rowCount } = await setup.harness.admin.query(
      `update directory.widget_sessions set expires_at = now() + $2::interval where token_hash = $1`,
      [hash('sha256', session, 'buffer'), interval],
    )
    assert.equal(rowCount, 1)
  }

  async function expiryOf(session: string): Promise<string | undefined> {
    const { rows } = await setup.harness.admin.query<{ at: string }>(
      'select expires_at::text as at from directory.widget_sessions where token_hash = $1',
      [hash('sha256', session, 'buffer')],
    )
    return rows[0]?.at
  }

  it('200 shows what the app may take, if the person has limited it', async () => {
    const shop = await addShop(setup.harness)
    const session = await mintSession(shop)
    await setLimit(shop, { day: 30_00n })
    await post(shop, 'debit', { amount: 10 })
    const { balance, spendable } = await read(session)
    assert.deepEqual([balance, spendable], [90, 20])
    await setLimit(shop, { day: 300_00n })
    assert.equal((await read(session)).spendable, 90)
  })

  it('200 returns the wallet and its owner with a masked email address, and nothing else', async () => {
    const shop = await addShop(setup.harness)
    await setEmail(setup.harness.admin, shop.user, 'ada.lovelace@example.com')
    await post(shop, 'debit', { amount: 0.5, referenceId: 'shape-1', description: 'Stamps' })
    const wallet = await read(await mintSession(shop))
    assert.deepEqual(wallet, {
      balance: 99.5,
      held: 0,
      spendable: 99.5,
      currency: 'USD',
      isActive: true,
      transactions: [
        {
          id: wallet.transactions[0]?.id,
          type: 'debit',
          amount: 0.5,
          balanceAfter: 99.5,
          currency: 'USD',
          referenceType: 'ORDER',
          referenceId: 'shape-1',
          description: 'Stamps',
          source: 'this_app',
          createdAt: wallet.transactions[0]?.createdAt,
        },
        {
          id: wallet.transactions[1]?.id,
          type: 'credit',
          amount: 100,
          balanceAfter: 100,
          currency: 'USD',
          referenceType: null,
          referenceId: null,
          description: null,
          source: 'bonus',
          createdAt: wallet.transactions[1]?.createdAt,
        },
      ],
      user: { firstName: 'Ada', lastName: 'Example', maskedEmail: 'a…@example.com' },
    })
  })

  it('200 returns the same balance to two apps of one user, and each sees only its own references and descriptions', async () => {
    const one = await addShop(setup.harness)
    const other = await addShop(setup.harness)
    const { db, ledger } = setup.harness.context
    const serviceUserId = await link(db, other.app.id, one.user.id)
    const both = [one, { ...other, user: { ...one.user, serviceUserId } }]
    for (const [index, shop] of both.entries()) {
      await post(shop, 'debit', { amount: 1, referenceId: `r${index}`, description: `d${index}` })
    }
    await giveBonus(ledger, one.user.walletId, 5_00n)
    const ids = new Set<string>()
    for (const [index, shop] of both.entries()) {
      const { balance, transactions } = await read(await mintSession(shop))
      assert.equal(balance, 103)
      const [own, foreign] = [`${index}`, `${1 - index}`]
      const text = JSON.stringify(transactions)
      assert(text.includes(`"r${own}"`) && text.includes(`"d${own}"`))
      assert(!text.includes(`"r${foreign}"`) && !text.includes(`"d${foreign}"`))
      const theirs = transactions.filter(({ source }) => source === 'other_app')
      assert.deepEqual(
        theirs.map((entry) => [entry.referenceType, entry.referenceId, entry.description]),
        [[null, null, null]],
      )
      for (const { id } of transactions) ids.add(id)
    }
    // The ids differ too: four entries, seen by two apps.
    assert.equal(ids.size, 8)
  })

  it('200 returns no CORS headers, whatever the origin', async () => {
    const headers = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }
    const response = await ask(await mintSession(setup), headers)
    assert.equal(response.statusCode, 200)
    const names = Object.keys(response.headers)
    assert.deepEqual(
      names.filter((name) => name.startsWith('access-control-')),
      [],
    )
  })

  it('403 ORIGIN_NOT_ALLOWED to a browser that would show the response as a page', async () => {
    const session = await mintSession(setup)
    for (const dest of ['document', 'iframe']) {
      const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': dest }
      assertRefusal(await ask(session, headers), endpoint, 'ORIGIN_NOT_ALLOWED')
    }
    // Our own page, and fetch in Node.
    for (const mode of ['cors', 'same-origin']) {
      assert.equal((await ask(session, { 'sec-fetch-mode': mode })).statusCode, 200)
    }
  })

  it('401 SESSION_EXPIRED after the user unlinked, even after a new link', async () => {
    const shop = await addShop(setup.harness)
    const { db } = setup.harness.context
    const session = await mintSession(shop)
    await read(session)
    await unlink(db, shop.app.id, shop.user.id)
    assertRefusal(await ask(session), endpoint, 'SESSION_EXPIRED')
    await link(db, shop.app.id, shop.user.id)
    assertRefusal(await ask(session), endpoint, 'SESSION_EXPIRED')
  })

  it('401 SESSION_EXPIRED while the client app is inactive', async () => {
    const shop = await addShop(setup.harness)
    const { db } = setup.harness.context
    const session = await mintSession(shop)
    await read(session)
    await activateClientApp(db, shop.app.clientId, false)
    assertRefusal(await ask(session), endpoint, 'SESSION_EXPIRED')
  })

  it('429 RATE_LIMITED above ten requests a second, for that session only', async () => {
    const [busy, other] = [await mintSession(setup), await mintSession(setup)]
    const startedMs = performance.now()
    const responses = await Promise.all(Array.from({ length: 40 }, () => ask(busy)))
    const most = 10 + ((performance.now() - startedMs) / 1000) * 10 + 1
    const refused = responses.filter(({ statusCode }) => statusCode !== 200)
    const served = responses.length - refused.length
    assert(served >= 10 && served <= most, `${served} of 40 were served, at most ${most} may be`)
    for (const response of refused) assertRefusal(response, endpoint, 'RATE_LIMITED')
    await read(other)
  })

  it('deletes an expired session after a day', async () => {
    const [kept, swept, live] = [
      await mintSession(setup),
      await mintSession(setup),
      await mintSession(setup),
    ]
    await moveExpiry(kept, '-23 hours -59 minutes')
    await moveExpiry(swept, '-24 hours -1 minute')
    await pruneSessions(setup.harness.context.db)
    assert.notEqual(await expiryOf(kept), undefined)
    assert.equal(await expiryOf(swept), undefined)
    await read(live)
  })
})
