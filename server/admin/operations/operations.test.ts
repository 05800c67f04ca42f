import { lookUpOperation as endpoint } from '@coffer/contract/admin/operations'
import { readHistory } from '@coffer/contract/account/account'
import { credit, debit, findOperation, readWallet } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { askAs, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { link } from '../../identity/link.ts'
import { makeClientApp, makeLinkedUser } from '../../test/factories.ts'
import { ask, makePerson } from '../../test/account-setup.ts'
import { assertRefusal, call, movesNothing, type Setup } from '../../test/setup.ts'

describe('GET /api/admin/operations', () => {
  let setup: AdminSetup
  let shop: Setup
  before(async () => {
    setup = await openAdminSetup()
    const { harness, app } = setup
    shop = { harness, app, user: await makeLinkedUser(harness.context, app, 50_00n) }
  })
  after(() => setup.harness.end())

  const fieldsOf = ({ app }: AdminSetup) => ({
    clientId: app.clientId,
    referenceType: 'ORDER',
    referenceId: 'none',
  })
  const lookUp = async (fields: Record<string, string | undefined>) => {
    const response = await askAs(setup, setup.viewer, endpoint, fields)
    assert.equal(response.statusCode, 200, response.body)
    return response.json()
  }
  function newPair() {
    return { referenceType: 'ORDER', referenceId: randomUUID() }
  }
  const inputOf = (amount: number, more: object = {}) => ({
    serviceUserId: shop.user.serviceUserId,
    amount,
    ...more,
  })
  const bodiesOf = (found: { responses: { call: string; status: number; body: string }[] }) =>
    found.responses.map(({ call: asked, status, body }) => [asked, status, JSON.parse(body)])

  it('200 returns the charge, the person and every response that the client app received', async () => {
    const pair = newPair()
    const input = inputOf(12, { ...pair, description: 'Two coffees' })
    const charged = await call(shop, debit, input)
    assert.equal(charged.statusCode, 200)
    const { clientId } = shop.app
    const found = await lookUp({ clientId, ...pair })
    const { decision, responses, ...others } = found
    assert.deepEqual(others, {
      clientApp: { clientId, name: 'Corner shop' },
      ...pair,
      currency: 'USD',
      attempts: [],
      hasMoreAttempts: false,
      similar: [],
    })
    assert.equal(responses.length, 3)
    assert.deepEqual(decision, {
      status: 'posted',
      kind: 'debit',
      amount: 12,
      code: null,
      balance: charged.json().balance,
      debt: 0,
      refunded: 0,
      description: 'Two coffees',
      decidedAt: decision.decidedAt,
      person: { id: String(shop.user.id), name: 'Ada Example' },
      transactionId: decision.transactionId,
      appTransactionId: charged.json().transactionId,
    })
    const byPerson = await lookUp({ transactionId: decision.transactionId })
    assert.deepEqual(byPerson, found)
    const { serviceUserId } = shop.user
    const seen = (await call(shop, readWallet, { serviceUserId, limit: 1 })).json()
    assert.deepEqual(bodiesOf(found), [
      [`POST ${debit.path}`, 200, charged.json()],
      [`GET ${findOperation.path}`, 200, (await call(shop, findOperation, pair)).json()],
      [`GET ${readWallet.path}`, 200, { transactions: seen.transactions }],
    ])
  })

  it('200 returns a refusal with its original response', async () => {
    const pair = newPair()
    const refused = await call(shop, debit, inputOf(5_000, pair))
    const found = await lookUp({ clientId: shop.app.clientId, ...pair })
    assert.equal(found.decision.status, 'refused')
    assert.equal(found.decision.code, 'INSUFFICIENT_BALANCE')
    assert.equal(found.decision.balance, null)
    assert.deepEqual([found.decision.transactionId, found.decision.appTransactionId], [null, null])
    assert.deepEqual(bodiesOf(found), [
      [`POST ${debit.path}`, refused.statusCode, refused.json()],
      [`GET ${findOperation.path}`, 200, (await call(shop, findOperation, pair)).json()],
    ])
  })

  it('200 returns nothing for an unused pair, and does not use it up', async () => {
    const pair = newPair()
    await movesNothing(setup.harness.admin, async () => {
      const found = await lookUp({ clientId: shop.app.clientId, ...pair })
      assert.equal(found.decision, null)
      const unknown = await call(shop, findOperation, pair)
      assert.deepEqual(bodiesOf(found), [[`GET ${findOperation.path}`, 404, unknown.json()]])
    })
    assert.equal((await call(shop, debit, inputOf(1, pair))).statusCode, 200)
  })

  it('200 returns every later attempt with other values and names them, newest first', async () => {
    const pair = newPair()
    const other = await makeLinkedUser(setup.harness.context, shop.app)
    await call(shop, debit, inputOf(2, pair))
    await call(shop, debit, inputOf(2, pair))
    await call(shop, debit, inputOf(3.5, pair))
    await call(shop, credit, { ...inputOf(2, pair), serviceUserId: other.serviceUserId })
    await call(shop, debit, { ...inputOf(2, pair), serviceUserId: 'su_nobody' })
    const { attempts } = await lookUp({ clientId: shop.app.clientId, ...pair })
    const person = { id: String(shop.user.id), name: 'Ada Example' }
    const shown = attempts.map(({ at, ...rest }: { at: string }) => {
      assert(Date.now() - Date.parse(at) < 60_000)
      return rest
    })
    assert.deepEqual(shown, [
      { kind: 'debit', amount: 2, differs: ['serviceUserId'], person: null },
      {
        kind: 'credit',
        amount: 2,
        differs: ['serviceUserId', 'direction'],
        person: { ...person, id: String(other.id) },
      },
      { kind: 'debit', amount: 3.5, differs: ['amount'], person },
    ])
  })

  it('200 returns the newest hundred attempts, and whether there are more', async () => {
    const pair = newPair()
    await call(shop, debit, inputOf(1, pair))
    const amounts = Array.from({ length: 101 }, (_, index) => index + 2)
    await Promise.all(amounts.map((amount) => call(shop, debit, inputOf(amount, pair))))
    const found = await lookUp({ clientId: shop.app.clientId, ...pair })
    assert.deepEqual([found.attempts.length, found.hasMoreAttempts], [100, true])
  })

  it('200 finds a pair of this app only: other apps and the service have their own pairs', async () => {
    const pair = newPair()
    const { context } = setup.harness
    await call(shop, debit, inputOf(1, pair))
    const second = await makeClientApp(context, { name: 'Tea house' })
    assert.equal((await lookUp({ clientId: second.clientId, ...pair })).decision, null)
    const own = await lookUp(pair)
    assert.deepEqual([own.clientApp, own.decision, own.responses], [null, null, []])
    await context.ledger.post({
      kind: 'bonus',
      ...pair,
      walletId: shop.user.walletId,
      amountMinor: 3_00n,
      counterAccount: 2,
      description: null,
    })
    const given = await lookUp(pair)
    assert.deepEqual(
      [given.decision.kind, given.decision.amount, given.responses],
      ['bonus', 3, []],
    )
  })

  it('200 finds by a transaction id as the app or the person sees it, also for an operation of another app', async () => {
    const { harness } = setup
    const person = await makePerson(harness, 20_00n)
    const maker = await makeClientApp(harness.context, { name: 'Maker' })
    const watcher = await makeClientApp(harness.context, { name: 'Watcher' })
    const pair = newPair()
    const ids: string[] = []
    for (const app of [maker, watcher]) {
      const serviceUserId = await link(harness.context.db, app.id, person.id)
      const other: Setup = { harness, app, user: { ...person, serviceUserId } }
      if (app === maker) await call(other, debit, { serviceUserId, amount: 4, ...pair })
      const seen = (await call(other, readWallet, { serviceUserId })).json()
      ids.push(seen.transactions[0].id)
    }
    const history = (await ask({ harness, person }, readHistory)).json()
    ids.push(history.transactions[0].id)
    assert.equal(new Set(ids).size, 3)
    for (const [index, clientId] of [maker.clientId, watcher.clientId, undefined].entries()) {
      const found = await lookUp({ clientId, transactionId: ids[index] })
      assert.deepEqual(found.clientApp, { clientId: maker.clientId, name: 'Maker' })
      assert.deepEqual([found.referenceId, found.decision.amount], [pair.referenceId, 4])
    }
    // An id that another app received is not found.
    const astray = { clientId: watcher.clientId, transactionId: ids[0] }
    assertRefusal(await askAs(setup, setup.viewer, endpoint, astray), endpoint, 'NOT_FOUND')
  })

  it('200 returns the operation of an erased person without the name', async () => {
    const pair = newPair()
    const gone = await makeLinkedUser(setup.harness.context, shop.app, 5_00n)
    const other = { ...shop, user: gone }
    await call(other, debit, { serviceUserId: gone.serviceUserId, amount: 5, ...pair })
    await setup.harness.admin.query('delete from directory.people where service_user_id = $1', [
      gone.id,
    ])
    const { decision } = await lookUp({ clientId: shop.app.clientId, ...pair })
    assert.deepEqual(decision.person, { id: String(gone.id), name: null })
  })

  it('404 NOT_FOUND for an unknown app or transaction', async () => {
    const unknown = { ...fieldsOf(setup), clientId: `app_${'0'.repeat(24)}` }
    assertRefusal(await askAs(setup, setup.viewer, endpoint, unknown), endpoint, 'NOT_FOUND')
    for (const clientId of [shop.app.clientId, undefined]) {
      const astray = { clientId, transactionId: `txn_${'0'.repeat(32)}` }
      assertRefusal(await askAs(setup, setup.viewer, endpoint, astray), endpoint, 'NOT_FOUND')
    }
  })
})
