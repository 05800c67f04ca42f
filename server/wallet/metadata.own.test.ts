/** What an app stores with an operation: it gets it back, and nobody else does. */
import { batch, type BatchResult } from '@coffer/contract/server/batch'
import {
  debit,
  findOperation,
  listOwnOperations,
  readWallet,
  refund,
} from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { clientConfig } from '../database/connect.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { verify } from '../ledger/verify/verify.ts'
import { makeClientApp, makeLinkedUser } from '../test/factories.ts'
import { pairOf, pay } from '../test/ledger/refund-setup.ts'
import { assertReplay, call, openSetup, type Fields, type Setup } from '../test/setup.ts'

let setup: Setup
before(async () => {
  setup = await openSetup()
})
after(() => setup.harness.end())

const METADATA = { orderId: '1001', 'campaign name': 'Frühling 🌱', quote: '"\\', empty: '' }

/** A client app with a linked user who has 100.00. */
async function addShop(): Promise<Setup> {
  const { harness } = setup
  const app = await makeClientApp(harness.context)
  return { harness, app, user: await makeLinkedUser(harness.context, app, 100_00n) }
}

const lookUp = (shop: Setup, pair: Fields) =>
  call(shop, findOperation, pair).then((response) => response.json())

describe('metadata', () => {
  const ofUser = ({ user: { serviceUserId } }: Setup) => ({ serviceUserId, amount: 5 })

  it('of an operation is returned by the look-up and in the list; the others have none', async () => {
    const shop = await addShop()
    const pair = pairOf('ORDER')
    await pay(shop, 5)
    const fields = { ...ofUser(shop), ...pair, metadata: METADATA }
    assert.equal((await call(shop, debit, fields)).statusCode, 200)
    assert.deepEqual((await lookUp(shop, pair)).metadata, METADATA)
    const { operations } = (await call(shop, listOwnOperations, {})).json()
    assert.deepEqual(operations[0].metadata, METADATA)
    assert.equal('metadata' in operations[1], false)
  })

  it('of an operation in a batch is stored with it, and the others have none', async () => {
    const shop = await addShop()
    const [first, second] = [pairOf('ORDER'), pairOf('ORDER')]
    const operations = [
      { type: 'debit', ...ofUser(shop), ...first, metadata: { n: '1' } },
      { type: 'debit', ...ofUser(shop), ...second },
    ]
    const { results } = (await call(shop, batch, { operations })).json() as {
      results: BatchResult[]
    }
    assert.deepEqual(
      results.map(({ status }) => status),
      [200, 200],
    )
    assert.deepEqual((await lookUp(shop, first)).metadata, { n: '1' })
    assert.equal('metadata' in (await lookUp(shop, second)), false)
  })

  it('of a refused operation is returned by the look-up', async () => {
    const shop = await addShop()
    const fields = { ...ofUser(shop), ...pairOf('ORDER'), amount: 1000, metadata: METADATA }
    assert.equal((await call(shop, debit, fields)).json().code, 'INSUFFICIENT_BALANCE')
    const { referenceType, referenceId } = fields
    const found = await lookUp(shop, { referenceType, referenceId })
    assert.equal(found.status, 'refused')
    assert.deepEqual(found.metadata, METADATA)
  })

  it('of the first request stays, and a repeat that differs only in it is a replay', async () => {
    const shop = await addShop()
    const pair = pairOf('ORDER')
    const fields = { ...ofUser(shop), ...pair }
    const first = await call(shop, debit, { ...fields, metadata: { n: '1' } })
    for (const metadata of [{ n: '2' }, undefined]) {
      const repeated = await call(shop, debit, { ...fields, metadata })
      assertReplay(repeated, first)
      assert.equal(repeated.headers['idempotency-mismatch'], undefined)
    }
    assert.deepEqual((await lookUp(shop, pair)).metadata, { n: '1' })
  })

  it('is stored once if equal requests arrive together', async () => {
    const shop = await addShop()
    const pair = pairOf('ORDER')
    const fields = { ...ofUser(shop), ...pair }
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        call(shop, debit, { ...fields, metadata: { n: String(n) } }),
      ),
    )
    assert.ok(responses.every(({ statusCode }) => statusCode === 200))
    const { rowCount } = await shop.harness.context.db.query(
      `select from ledger.metadata where wallet_id = $1`,
      [shop.user.walletId],
    )
    assert.equal(rowCount, 1)
  })

  it('is not shown to another app of the same person, nor in the history', async () => {
    const shop = await addShop()
    const pair = pairOf('ORDER')
    const canary = { secret: 'canary-9471' }
    await call(shop, debit, { ...ofUser(shop), ...pair, metadata: canary })
    const history = await call(shop, readWallet, { serviceUserId: shop.user.serviceUserId })
    assert.doesNotMatch(history.body, /canary-9471/)
    const other = await addShop()
    await call(other, debit, { ...ofUser(other), ...pair })
    assert.equal('metadata' in (await lookUp(other, pair)), false)
    assert.doesNotMatch((await call(other, listOwnOperations, {})).body, /canary-9471/)
  })

  it('can be changed or deleted by nobody who has the role of the service', async () => {
    const { db } = setup.harness.context
    for (const text of [`update ledger.metadata set data = '{}'`, 'delete from ledger.metadata']) {
      await assert.rejects(db.query(text), /permission denied/)
    }
  })
})

describe('the texts of a closed wallet', () => {
  const texts = { description: 'Two coffees', metadata: METADATA }
  const readTexts = async ({ harness: { context }, user: { walletId } }: Setup) => {
    const { rows } = await context.db.query(
      `select (select count(*) from ledger.metadata where wallet_id = $1)::int as metadata,
        (select count(description) from ledger.operations where wallet_id = $1)::int as descriptions`,
      [walletId],
    )
    return rows[0]
  }

  it('are erased when the account is deleted; other wallets and the books do not change', async () => {
    const [shop, other] = [await addShop(), await addShop()]
    const pair = pairOf('ORDER')
    for (const each of [shop, other]) {
      const { serviceUserId } = each.user
      const paid = await call(each, debit, { serviceUserId, amount: 100, ...pair, ...texts })
      assert.equal(paid.statusCode, 200)
    }
    const { context, databaseUrl } = shop.harness
    assert.deepEqual(await readTexts(shop), { metadata: 1, descriptions: 1 })
    const { walletId } = shop.user
    assert.equal(
      await inTransaction(context.db, (tx) => context.ledger.closeWallet(walletId, tx)),
      true,
    )
    assert.deepEqual(await readTexts(shop), { metadata: 0, descriptions: 0 })
    assert.deepEqual(await readTexts(other), { metadata: 1, descriptions: 1 })
    const found = await lookUp(shop, pair)
    assert.deepEqual([found.status, found.amount, 'metadata' in found], ['posted', 100, false])
    const client = new pg.Client(clientConfig(databaseUrl))
    await client.connect()
    try {
      assert.equal((await verify(client, {})).fault, undefined)
    } finally {
      await client.end()
    }
  })

  it('are not stored with a refund that is refused because the wallet is closed', async () => {
    const shop = await addShop()
    const paid = await pay(shop, 100)
    const { context } = shop.harness
    const { walletId } = shop.user
    await inTransaction(context.db, (tx) => context.ledger.closeWallet(walletId, tx))
    const pair = pairOf('REFUND')
    const refused = await call(shop, refund, { debit: paid, ...pair, ...texts })
    assert.equal(refused.json().code, 'WALLET_CLOSED')
    assert.deepEqual(await readTexts(shop), { metadata: 0, descriptions: 0 })
  })

  it('stay if the wallet has money, and the service cannot erase those of an open wallet', async () => {
    const shop = await addShop()
    const { serviceUserId, walletId } = shop.user
    await call(shop, debit, { serviceUserId, amount: 5, ...pairOf('ORDER'), ...texts })
    const { db, ledger } = shop.harness.context
    assert.equal(await inTransaction(db, (tx) => ledger.closeWallet(walletId, tx)), false)
    await assert.rejects(db.query('select ledger.erase_texts($1)', [walletId]), /is not closed/)
    assert.deepEqual(await readTexts(shop), { metadata: 1, descriptions: 1 })
  })
})

describe('metadata that is refused', () => {
  const elevenKeys = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`k${n}`, '']))
  const tenLongValues = Object.fromEntries(
    Array.from({ length: 10 }, (_, n) => [`k${n}`, 'é'.repeat(110)]),
  )
  const CASES: [string, unknown][] = [
    ['eleven keys', elevenKeys],
    ['an empty key', { '': 'x' }],
    ['a key of 41 characters', { ['k'.repeat(41)]: 'x' }],
    ['a value of 201 characters', { k: 'v'.repeat(201) }],
    ['a number', { k: 5 }],
    ['null', { k: null }],
    ['an object', { k: { nested: 'x' } }],
    ['a control character in a key', { 'a\nb': 'x' }],
    ['NUL in a value', { k: 'a\u0000b' }],
    ['half of a surrogate pair', { k: '\uD800' }],
    ['more than 2048 bytes', tenLongValues],
    ['a list', ['x']],
    ['text', 'x'],
    ['null instead of an object', null],
  ]
  for (const [name, metadata] of CASES) {
    it(`400 INVALID_REQUEST for ${name}, and nothing is debited`, async () => {
      const shop = await addShop()
      const { serviceUserId } = shop.user
      const pair = pairOf('ORDER')
      const response = await call(shop, debit, { serviceUserId, amount: 5, ...pair, metadata })
      const { code, field, error } = response.json()
      assert.deepEqual([response.statusCode, code, field], [400, 'INVALID_REQUEST', 'metadata'])
      assert.match(error, /The field metadata must be an object with at most 10 keys/)
      assert.equal((await lookUp(shop, pair)).code, 'OPERATION_NOT_FOUND')
    })
  }

  it('is accepted at every limit', async () => {
    const shop = await addShop()
    const pair = pairOf('ORDER')
    const metadata = Object.fromEntries(
      Array.from({ length: 10 }, (_, n) => [
        `${n}`.padStart(40, 'k'),
        '🌱'.repeat(n === 0 ? 200 : 5),
      ]),
    )
    const { serviceUserId } = shop.user
    const response = await call(shop, debit, { serviceUserId, amount: 5, ...pair, metadata })
    assert.equal(response.statusCode, 200)
    assert.deepEqual((await lookUp(shop, pair)).metadata, metadata)
  })
})
