/** Every call but debit and credit, against the real service on a real socket. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { issueLinkCode } from '../server/identity/exchange-link-code.ts'
import { unlink } from '../server/identity/link.ts'
import { activateClientApp } from '../server/client-app/activate-client-app.ts'
import { makeClientApp, makeLinkedUser } from '../server/test/factories.ts'
import { openShop } from '../server/test/shop.ts'
import { basicOf } from '../server/test/setup.ts'
import { newReference, openSdkStage, thrownBy, type SdkStage } from './test/sdk-stage.ts'

let stage: SdkStage
before(async () => {
  stage = await openSdkStage()
})
after(() => stage.end())
beforeEach(() => stage.line.clear())

describe('wallet', () => {
  it('reads balance, state and history, page by page', async () => {
    const there = await stage.visit()
    const { serviceUserId } = there
    for (const amount of [1, 2, 3]) {
      await there.coffer.debit({ serviceUserId, amount, ...newReference() })
    }
    const first = await there.coffer.wallet({ serviceUserId, limit: 2 })
    const { balance, currency, isActive, transactions, nextCursor } = first
    assert.deepEqual(
      { balance, currency, isActive },
      { balance: 94, currency: 'USD', isActive: true },
    )
    assert.deepEqual(
      transactions.map(({ amount, source }) => [amount, source]),
      [
        [3, 'this_app'],
        [2, 'this_app'],
      ],
    )
    assert(nextCursor !== null)
    const second = await there.coffer.wallet({ serviceUserId, cursor: nextCursor })
    assert.deepEqual(
      second.transactions.map(({ amount }) => amount),
      [1, 100],
    )
    assert.equal(second.nextCursor, null)
  })

  it('USER_NOT_FOUND after an unlink, and the user must authenticate', async () => {
    const there = await stage.visit()
    await unlink(there.harness.context.db, there.app.id, there.user.id)
    const { serviceUserId } = there
    const read = await thrownBy(there.coffer.wallet({ serviceUserId }), 'USER_NOT_FOUND')
    assert.equal(read.requiresAuth, true)
    assert.equal(read.status, 401)
    const debit = there.coffer.debit({ serviceUserId, amount: 1, ...newReference() })
    const write = await thrownBy(debit, 'USER_NOT_FOUND')
    assert.equal(write.requiresAuth, true)
    assert.equal(write.status, 404)
    assert.match(write.requestId ?? '', /^[0-9a-f-]{36}$/)
  })
})

describe('checkBalance', () => {
  it('compares with a number or a decimal text', async () => {
    const { coffer, serviceUserId } = await stage.visit()
    assert.deepEqual(await coffer.checkBalance({ serviceUserId, requiredAmount: 100 }), {
      balance: 100,
      requiredAmount: 100,
      hasSufficientBalance: true,
      currency: 'USD',
    })
    const more = await coffer.checkBalance({ serviceUserId, requiredAmount: '100.01' })
    assert.equal(more.hasSufficientBalance, false)
  })
})

describe('operation', () => {
  it('tells what was decided, posted or refused, and null for what was not', async () => {
    const { coffer, serviceUserId } = await stage.visit()
    const reference = newReference()
    assert.equal(await coffer.operation(reference), null)
    await coffer.debit({ serviceUserId, amount: 25, ...reference })
    const posted = await coffer.operation(reference)
    assert.equal(posted?.status, 'posted')
    assert.equal(posted.balance, 75)
    const refusal = newReference()
    await assert.rejects(coffer.debit({ serviceUserId, amount: 76, ...refusal }))
    const operation = await coffer.operation(refusal)
    assert.equal(operation?.status, 'refused')
    assert.equal(operation.code, 'INSUFFICIENT_BALANCE')
  })
})

describe('createSession', () => {
  it('gives a token that shows the wallet', async () => {
    const shop = await openShop(stage)
    const { serviceUserId } = shop.user
    const session = await stage.as(shop.app).createSession({
      serviceUserId,
      parentOrigin: shop.parents[0],
    })
    assert.match(session.sessionToken, /^ws_[0-9a-f-]{36}$/)
    assert(Date.parse(session.expiresAt) > Date.now())
    const url = `/api/widget/wallet?session=${session.sessionToken}`
    assert.equal((await shop.harness.inject({ method: 'GET', url })).statusCode, 200)
  })

  it('ORIGIN_NOT_ALLOWED for a page that is not registered', async () => {
    const { coffer, serviceUserId } = await stage.visit()
    const input = { serviceUserId, parentOrigin: 'https://other.example' }
    await thrownBy(coffer.createSession(input), 'ORIGIN_NOT_ALLOWED')
  })
})

describe('exchangeLinkCode', () => {
  it('gives the serviceUserId, as often as it is asked', async () => {
    const { coffer, serviceUserId } = await stage.visit()
    const linkCode = await issueLinkCode(stage.harness.context.db, serviceUserId)
    assert.deepEqual(await coffer.exchangeLinkCode({ linkCode }), { serviceUserId })
    assert.deepEqual(await coffer.exchangeLinkCode({ linkCode }), { serviceUserId })
  })

  it('LINK_CODE_INVALID', async () => {
    const { coffer } = await stage.visit()
    const exchange = coffer.exchangeLinkCode({ linkCode: 'lc_wrong' })
    await thrownBy(exchange, 'LINK_CODE_INVALID')
  })
})

describe('every call', () => {
  it('INVALID_CLIENT for a wrong secret and for an app that was deactivated', async () => {
    const wrong = { ...stage.app, clientSecret: `${stage.app.clientSecret}x` }
    const inactive = await makeClientApp(stage.harness.context)
    await activateClientApp(stage.harness.context.db, inactive.clientId, false)
    for (const app of [wrong, inactive]) {
      const look = stage.as(app).operation(newReference())
      const error = await thrownBy(look, 'INVALID_CLIENT')
      assert.equal(error.status, 401)
    }
  })

  it('INSUFFICIENT_SCOPE', async () => {
    const app = await makeClientApp(stage.harness.context, { scopes: ['wallet:read'] })
    const { serviceUserId } = await makeLinkedUser(stage.harness.context, app, 100n)
    const debit = stage.as(app).debit({ serviceUserId, amount: 1, ...newReference() })
    await thrownBy(debit, 'INSUFFICIENT_SCOPE')
  })

  it('ACCOUNT_NOT_LINKED without a serviceUserId, before any request', async () => {
    const { coffer } = await stage.visit()
    for (const serviceUserId of [undefined, null, '']) {
      const calls = [
        () => coffer.wallet({ serviceUserId }),
        () => coffer.checkBalance({ serviceUserId, requiredAmount: 1 }),
        () => coffer.debit({ serviceUserId, amount: 1, ...newReference() }),
        () => coffer.credit({ serviceUserId, amount: 1, ...newReference() }),
        () => coffer.createSession({ serviceUserId }),
      ]
      for (const call of calls) {
        const error = await thrownBy(call(), 'ACCOUNT_NOT_LINKED')
        assert.equal(error.requiresAuth, true)
        assert.equal(error.status, undefined)
      }
    }
    assert.deepEqual(stage.line.seen, [])
  })

  it('carries the credentials in a header only, and a serviceUserId never in the address of a write', async () => {
    const { coffer, serviceUserId, app } = await stage.visit()
    const linkCode = await issueLinkCode(stage.harness.context.db, serviceUserId)
    await coffer.wallet({ serviceUserId })
    await coffer.checkBalance({ serviceUserId, requiredAmount: 1 })
    await coffer.operation(newReference())
    await coffer.debit({ serviceUserId, amount: 1, ...newReference() })
    await coffer.credit({ serviceUserId, amount: 1, ...newReference() })
    await coffer.createSession({ serviceUserId })
    await coffer.exchangeLinkCode({ linkCode })
    const basic = basicOf(app).authorization
    assert.equal(stage.line.seen.length, 7)
    for (const { method, url, body, headers } of stage.line.seen) {
      assert.equal(headers.authorization, basic)
      for (const secret of [app.clientSecret, app.clientId, basic.slice(6)]) {
        assert(!decodeURIComponent(`${url}${body}`).includes(secret), url)
      }
      if (method === 'POST') assert(!url.includes('?'), url)
    }
  })
})
