/** Isolation of client apps: an app cannot change, see or detect the data of another app. */
import type { Endpoint } from '@coffer/contract/endpoint'
import { SERVER_ENDPOINTS as endpoints } from '@coffer/contract/server/wallet'
import type { Transaction } from '@coffer/contract/shapes'
import { WEBHOOK_ENDPOINTS } from '@coffer/contract/server/webhooks'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { link, unlink } from '../identity/link.ts'
import { ownWebhookFields } from '../test/events/own-webhook-fields.ts'
import { makeIdleWebhook } from '../test/events/webhook-setup.ts'
import {
  createProof,
  makeLinkCode,
  makeLinkedUser,
  makeUser,
  withWebhookSecret,
} from '../test/factories.ts'
import { call, addShop, movesNothing, openSetup, type Fields, type Setup } from '../test/setup.ts'

/** The owner of the user, code or reference in a request. */
type Whose = 'own' | 'foreign' | 'unlinked' | 'unknown'
const OTHERS = ['foreign', 'unlinked', 'unknown'] as const
type ByOwner = Record<Whose, string>

const UNKNOWN_USER = `su_${'a'.repeat(32)}`
const UNKNOWN_CODE = `lc_${'a'.repeat(48)}`

describe('tenants', () => {
  let setup: Setup
  let users: ByOwner
  let linkCodes: Record<Whose, Fields>
  let references: ByOwner
  let holds: ByOwner
  let webhooks: ByOwner

  before(async () => {
    setup = await openSetup()
    setup.app = await withWebhookSecret(setup.harness.context, setup.app)
    const { harness, app, user } = setup
    const { context } = harness
    const neighbour = await addShop(harness)
    const leaver = await makeLinkedUser(context, app, 100_00n)
    users = {
      own: user.serviceUserId,
      foreign: neighbour.user.serviceUserId,
      unlinked: leaver.serviceUserId,
      unknown: UNKNOWN_USER,
    }
    linkCodes = {
      own: await makeLinkCode(context, users.own),
      foreign: await makeLinkCode(context, users.foreign),
      unlinked: await makeLinkCode(context, users.unlinked),
      unknown: { linkCode: UNKNOWN_CODE, verifier: createProof().verifier },
    }
    const useReferences = async (endpoint: Endpoint) => ({
      own: await useReference(setup, endpoint, users.own),
      foreign: await useReference(neighbour, endpoint, users.foreign),
      unlinked: await useReference({ ...setup, user: leaver }, endpoint, users.unlinked),
      unknown: randomUUID(),
    })
    references = await useReferences(endpoints.debit)
    holds = await useReferences(endpoints.hold)
    webhooks = {
      own: (await makeIdleWebhook(harness, app)).webhookId,
      foreign: (await makeIdleWebhook(harness, neighbour.app)).webhookId,
      unlinked: `wh_${'b'.repeat(32)}`,
      unknown: `wh_${'a'.repeat(32)}`,
    }
    await unlink(context.db, app.id, leaver.id)
  })
  after(() => setup.harness.end())

  async function useReference(
    shop: Setup,
    endpoint: Endpoint,
    serviceUserId: string,
  ): Promise<string> {
    const referenceId = randomUUID()
    const fields = { serviceUserId, amount: 1, referenceType: 'ORDER', referenceId }
    assert.equal((await call(shop, endpoint, fields)).statusCode, 200)
    return referenceId
  }

  /** For every endpoint of the contract: the fields of a request for data of this owner. */
  const namings: Record<keyof typeof endpoints, (whose: Whose) => Fields> = {
    readWallet: (whose) => ({ serviceUserId: users[whose] }),
    checkBalance: (whose) => ({ serviceUserId: users[whose], requiredAmount: '1' }),
    debit: (whose) => operation(users[whose]),
    credit: (whose) => operation(users[whose]),
    refund: (whose) => ({
      debit: { referenceType: 'ORDER', referenceId: references[whose] },
      referenceType: 'REFUND',
      referenceId: randomUUID(),
    }),
    hold: (whose) => operation(users[whose]),
    capture: (whose) => holdChange(whose),
    release: (whose) => holdChange(whose),
    listHolds: (whose) => ({ serviceUserId: users[whose] }),
    batch: (whose) => ({ operations: [{ type: 'debit', ...operation(users[whose]) }] }),
    findOperation: (whose) => ({ referenceType: 'ORDER', referenceId: references[whose] }),
    // A list names nobody, and a cursor is valid for its app only.
    listOwnOperations: (whose) => (whose === 'own' ? {} : { cursor: `1.txn_${'a'.repeat(32)}` }),
    exportOperations: (whose) => (whose === 'own' ? { month: '2026-01' } : { month: '' }),
    // The cursor of another app is an unknown position.
    readEvents: (whose) => (whose === 'own' ? {} : { after: `evc_${'a'.repeat(32)}` }),
    exchangeLinkCode: (whose) => linkCodes[whose],
    ...namingsOfWebhooks(),
  }
  function namingsOfWebhooks() {
    const names = Object.keys(WEBHOOK_ENDPOINTS) as (keyof typeof WEBHOOK_ENDPOINTS)[]
    const of = (name: (typeof names)[number]) => (whose: Whose) =>
      // The list and a new one name no webhook.
      whose !== 'own' && ['listOwnWebhooks', 'createOwnWebhook'].includes(name)
        ? { clientSecret: setup.app.clientSecret }
        : ownWebhookFields(webhooks[whose])[name]
    return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<
      (typeof names)[number],
      (whose: Whose) => Fields
    >
  }
  const holdChange = (whose: Whose) => ({
    hold: { referenceType: 'ORDER', referenceId: holds[whose] },
    amount: 0.5,
    isFinal: false,
    referenceType: 'END',
    referenceId: randomUUID(),
  })
  const operation = (serviceUserId: string) => {
    return { serviceUserId, amount: 1, referenceType: 'ORDER', referenceId: randomUUID() }
  }

  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const naming = (whose: Whose) => namings[name as keyof typeof endpoints](whose)
    const title = `${endpoint.method} ${endpoint.path}`

    it(`${title} serves the app that owns the data`, async () => {
      const response = await call(setup, endpoint, naming('own'))
      assert.equal(response.statusCode, 200)
    })

    it(`${title} returns the same bytes for foreign, unlinked and unknown data`, async () => {
      await movesNothing(setup.harness.admin, async () => {
        // An app can look up, refund, capture and release its own pairs even after the user has unlinked.
        const { findOperation, refund, capture, release } = endpoints
        const isPair = [findOperation, refund, capture, release].some((each) => each === endpoint)
        const others = OTHERS.filter((whose) => !isPair || whose !== 'unlinked')
        const responses = []
        for (const whose of others)
          responses.push(bytesOf(await call(setup, endpoint, naming(whose))))
        const isBatch = endpoint === endpoints.batch
        const statuses = responses.map((each) => (isBatch ? statusInBatch(each) : each.status))
        assert(statuses.every((status) => status >= 400 && status < 500))
        for (const response of responses) assert.deepEqual(response, responses[0])
      })
    })
  }

  it('a repeat of a known pair does not distinguish a foreign user from an unknown one', async () => {
    const fields = operation(users.own)
    const original = await call(setup, endpoints.debit, fields)
    const repeats = []
    for (const whose of ['foreign', 'unknown'] as const) {
      const change = { ...fields, serviceUserId: users[whose] }
      repeats.push(bytesOf(await call(setup, endpoints.debit, change)))
    }
    assert.equal(repeats[0]?.body, original.body)
    assert.equal(repeats[0]?.headers['idempotency-mismatch'], 'serviceUserId')
    assert.deepEqual(repeats[1], repeats[0])
  })

  it('two apps of one user see the same balance, but not the references and descriptions of each other', async () => {
    const { harness } = setup
    const { db } = harness.context
    const person = await makeUser(harness.context, 50_00n)
    const shops: Setup[] = []
    for (const shop of [await addShop(harness), await addShop(harness)]) {
      const serviceUserId = await link(db, shop.app.id, person.id)
      shops.push({ ...shop, user: { ...person, serviceUserId } })
    }
    for (const [index, shop] of [...shops, ...shops].entries()) {
      const description = `words of shop ${index % 2}, ${index}`
      const fields = { ...operation(shop.user.serviceUserId), description }
      const route = index < 2 ? endpoints.debit : endpoints.credit
      assert.equal((await call(shop, route, fields)).statusCode, 200)
    }
    const [first, second] = await Promise.all(shops.map(readAll))
    assert(first && second)
    assert.notEqual(first.serviceUserId, second.serviceUserId)
    assert.equal(first.balance, second.balance)
    assert.deepEqual(first.neutral, second.neutral)
    const seenByBoth = [...first.words].filter((word) => second.words.has(word))
    assert.deepEqual(seenByBoth, ['ORDER'])
    assert.deepEqual([first.words.size, second.words.size], [5, 5])
  })

  /** What an app sees: its own texts, and the fields that both apps see. */
  async function readAll(shop: Setup) {
    const { serviceUserId } = shop.user
    const response = await call(shop, endpoints.readWallet, { serviceUserId })
    const { balance, transactions } = response.json<{
      balance: number
      transactions: Transaction[]
    }>()
    const words = transactions.flatMap((each) => [
      each.referenceType,
      each.referenceId,
      each.description,
    ])
    const neutral = transactions.map(({ type, amount, balanceAfter, createdAt }) => {
      return { type, amount, balanceAfter, createdAt }
    })
    return {
      serviceUserId,
      balance,
      neutral,
      words: new Set(words.filter((word) => word !== null)),
    }
  }
})

function statusInBatch({ body }: { body: string }): number {
  const { results } = JSON.parse(body) as { results: { status: number }[] }
  return results[0]?.status ?? 0
}

function bytesOf(response: LightMyRequestResponse) {
  const { 'x-request-id': id, date, ...headers } = response.headers
  assert(id !== undefined && date !== undefined)
  return { status: response.statusCode, body: response.body, headers }
}
