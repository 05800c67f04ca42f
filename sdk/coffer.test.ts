/** Every call except debit and credit, against the real service on a real socket. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { issueLinkCode } from '../server/identity/exchange-link-code.ts'
import { unlink } from '../server/identity/link.ts'
import { activateClientApp } from '../server/client-app/activate-client-app.ts'
import { makeClientApp, makeLinkCode } from '../server/test/factories.ts'
import { openShop } from '../server/test/shop.ts'
import { basicOf } from '../server/test/setup.ts'
import { createVerifier } from './create-verifier.ts'
import type { ListedOperation } from './types.ts'
import { newReference, openSdkSetup, thrownBy, type SdkSetup } from './test/sdk-setup.ts'

let setup: SdkSetup
before(async () => {
  setup = await openSdkSetup()
})
after(() => setup.end())
beforeEach(() => setup.proxy.clear())

describe('wallet', () => {
  it('reads balance, state and history, page by page', async () => {
    const shop = await setup.addShop()
    const { serviceUserId } = shop
    for (const amount of [1, 2, 3]) {
      await shop.coffer.debit({ serviceUserId, amount, ...newReference() })
    }
    const first = await shop.coffer.wallet({ serviceUserId, limit: 2 })
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
    const second = await shop.coffer.wallet({ serviceUserId, cursor: nextCursor })
    assert.deepEqual(
      second.transactions.map(({ amount }) => amount),
      [1, 100],
    )
    assert.equal(second.nextCursor, null)
  })

  it('USER_NOT_FOUND after an unlink, with requiresAuth', async () => {
    const shop = await setup.addShop()
    await unlink(shop.harness.context.db, shop.app.id, shop.user.id)
    const { serviceUserId } = shop
    const read = await thrownBy(shop.coffer.wallet({ serviceUserId }), 'USER_NOT_FOUND')
    assert.equal(read.requiresAuth, true)
    assert.equal(read.status, 401)
    const debit = shop.coffer.debit({ serviceUserId, amount: 1, ...newReference() })
    const write = await thrownBy(debit, 'USER_NOT_FOUND')
    assert.equal(write.requiresAuth, true)
    assert.equal(write.status, 404)
    assert.match(write.requestId ?? '', /^[0-9a-f-]{36}$/)
  })
})

describe('checkBalance', () => {
  it('compares with a number or a decimal text', async () => {
    const { coffer, serviceUserId } = await setup.addShop()
    assert.deepEqual(await coffer.checkBalance({ serviceUserId, requiredAmount: 100 }), {
      balance: 100,
      requiredAmount: 100,
      hasSufficientBalance: true,
      spendable: 100,
      currency: 'USD',
    })
    const more = await coffer.checkBalance({ serviceUserId, requiredAmount: '100.01' })
    assert.equal(more.hasSufficientBalance, false)
  })
})

describe('operation', () => {
  it('returns the decision, posted or refused, and null if there is none', async () => {
    const { coffer, serviceUserId } = await setup.addShop()
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

describe('operations', () => {
  it('lists every operation once, over all pages, and those of a day', async () => {
    const { coffer, serviceUserId } = await setup.addShop()
    const references = Array.from({ length: 103 }, () => newReference())
    await Promise.all(
      references.map((reference) => coffer.debit({ serviceUserId, amount: 0.5, ...reference })),
    )
    const listed: ListedOperation[] = []
    for await (const operation of coffer.operations()) listed.push(operation)
    const idsOf = (all: readonly { referenceId: string }[]) =>
      all.map(({ referenceId }) => referenceId).toSorted()
    assert.deepEqual(idsOf(listed), idsOf(references))
    assert.ok(listed.every(({ type, amount }) => type === 'debit' && amount === 0.5))
    for await (const operation of coffer.operations({ to: '2000-01-01' })) {
      assert.fail(operation.referenceId)
    }
  })

  it('throws the error of a page', async () => {
    const { coffer } = await setup.addShop()
    const pages = coffer.operations({ from: 'yesterday' })[Symbol.asyncIterator]()
    await thrownBy(pages.next(), 'INVALID_REQUEST')
  })
})

describe('createSession', () => {
  it('returns a token that opens the wallet', async () => {
    const shop = await openShop(setup)
    const { serviceUserId } = shop.user
    const session = await setup.as(shop.app).createSession({
      serviceUserId,
      parentOrigin: shop.parents[0],
    })
    assert.match(session.sessionToken, /^ws_[0-9a-f-]{36}$/)
    assert(Date.parse(session.expiresAt) > Date.now())
    const url = `/api/widget/wallet?session=${session.sessionToken}`
    assert.equal((await shop.harness.inject({ method: 'GET', url })).statusCode, 200)
  })
})

describe('exchangeLinkCode', () => {
  it('returns the serviceUserId, however often it is called', async () => {
    const { coffer, serviceUserId } = await setup.addShop()
    const link = await makeLinkCode(setup.harness.context, serviceUserId)
    assert.deepEqual(await coffer.exchangeLinkCode(link), { serviceUserId })
    assert.deepEqual(await coffer.exchangeLinkCode(link), { serviceUserId })
  })

  it('sends the verifier, and every other one is refused', async () => {
    const { coffer, serviceUserId } = await setup.addShop()
    const { verifier, challenge } = await createVerifier()
    assert.match(verifier, /^[\w-]{43}$/)
    const other = await createVerifier()
    assert.notEqual(other.verifier, verifier)
    const linkCode = await issueLinkCode(setup.harness.context.db, serviceUserId, challenge)
    for (const wrong of [other.verifier, challenge]) {
      const refused = coffer.exchangeLinkCode({ linkCode, verifier: wrong })
      await thrownBy(refused, 'LINK_CODE_INVALID')
    }
    assert.deepEqual(await coffer.exchangeLinkCode({ linkCode, verifier }), { serviceUserId })
  })

  it('INVALID_REQUEST without a verifier', async () => {
    const { coffer, serviceUserId } = await setup.addShop()
    const { linkCode } = await makeLinkCode(setup.harness.context, serviceUserId)
    await thrownBy(coffer.exchangeLinkCode({ linkCode } as never), 'INVALID_REQUEST')
  })
})

describe('every call', () => {
  it('INVALID_CLIENT for a wrong secret and for a deactivated app', async () => {
    const wrong = { ...setup.app, clientSecret: `${setup.app.clientSecret}x` }
    const inactive = await makeClientApp(setup.harness.context)
    await activateClientApp(setup.harness.context.db, inactive.clientId, false)
    for (const app of [wrong, inactive]) {
      const look = setup.as(app).operation(newReference())
      const error = await thrownBy(look, 'INVALID_CLIENT')
      assert.equal(error.status, 401)
    }
  })

  it('ACCOUNT_NOT_LINKED without a serviceUserId, before any request', async () => {
    const { coffer } = await setup.addShop()
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
    assert.deepEqual(setup.proxy.seen, [])
  })

  it('sends the credentials only in a header, and never a serviceUserId in the URL of a write', async () => {
    const { coffer, serviceUserId, app } = await setup.addShop()
    const link = await makeLinkCode(setup.harness.context, serviceUserId)
    await coffer.wallet({ serviceUserId })
    await coffer.checkBalance({ serviceUserId, requiredAmount: 1 })
    await coffer.operation(newReference())
    await coffer.debit({ serviceUserId, amount: 1, ...newReference() })
    await coffer.credit({ serviceUserId, amount: 1, ...newReference() })
    await coffer.createSession({ serviceUserId })
    await coffer.exchangeLinkCode(link)
    const basic = basicOf(app).authorization
    assert.equal(setup.proxy.seen.length, 7)
    for (const { method, url, body, headers } of setup.proxy.seen) {
      assert.equal(headers.authorization, basic)
      for (const secret of [app.clientSecret, app.clientId, basic.slice(6)]) {
        assert(!decodeURIComponent(`${url}${body}`).includes(secret), url)
      }
      if (method === 'POST') assert(!url.includes('?'), url)
    }
  })
})

describe('metadata', () => {
  it('of every kind that accepts it is returned by operation and operations', async () => {
    const { coffer, serviceUserId } = await setup.addShop()
    const at = { serviceUserId, amount: 1 }
    const paid = newReference()
    const metadata = { table: '12' }
    await coffer.debit({ ...at, ...paid, metadata })
    await coffer.credit({ ...at, ...newReference(), metadata })
    await coffer.refund({ debit: paid, ...newReference(), metadata })
    await coffer.hold({ ...at, ...newReference(), metadata })
    assert.deepEqual((await coffer.operation(paid))?.metadata, metadata)
    const listed: ListedOperation[] = []
    for await (const each of coffer.operations()) listed.push(each)
    assert.deepEqual(
      listed.slice(0, 4).map(({ type, metadata: stored }) => [type, stored]),
      ['hold', 'refund', 'credit', 'debit'].map((type) => [type, metadata]),
    )
  })
})
