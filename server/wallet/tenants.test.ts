/** One client app against another: nobody touches, sees or even recognises what is not theirs. */
import type { Endpoint } from '@coffer/contract/endpoint'
import { SERVER_ENDPOINTS as endpoints } from '@coffer/contract/server-api'
import type { Transaction } from '@coffer/contract/shapes'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { issueLinkCode } from '../identity/exchange-link-code.ts'
import { link, unlink } from '../identity/link.ts'
import { makeLinkedUser, makeUser } from '../test/factories.ts'
import { call, furnish, movesNothing, openStage, type Fields, type Stage } from '../test/setup.ts'

/** Whose thing the app names in its call. */
type Whose = 'own' | 'foreign' | 'unlinked' | 'unknown'
const OTHERS = ['foreign', 'unlinked', 'unknown'] as const
type ByOwner = Record<Whose, string>

const UNKNOWN_USER = `su_${'a'.repeat(32)}`
const UNKNOWN_CODE = `lc_${'a'.repeat(48)}`

describe('tenants', () => {
  let stage: Stage
  let users: ByOwner
  let linkCodes: ByOwner
  let references: ByOwner

  before(async () => {
    stage = await openStage()
    const { harness, app, user } = stage
    const { context } = harness
    const neighbour = await furnish(harness)
    const leaver = await makeLinkedUser(context, app, 100_00n)
    users = {
      own: user.serviceUserId,
      foreign: neighbour.user.serviceUserId,
      unlinked: leaver.serviceUserId,
      unknown: UNKNOWN_USER,
    }
    linkCodes = {
      own: await issueLinkCode(context.db, users.own),
      foreign: await issueLinkCode(context.db, users.foreign),
      unlinked: await issueLinkCode(context.db, users.unlinked),
      unknown: UNKNOWN_CODE,
    }
    references = {
      own: await useReference(stage, users.own),
      foreign: await useReference(neighbour, users.foreign),
      unlinked: await useReference({ ...stage, user: leaver }, users.unlinked),
      unknown: randomUUID(),
    }
    await unlink(context.db, app.id, leaver.id)
  })
  after(() => stage.harness.end())

  async function useReference(there: Stage, serviceUserId: string): Promise<string> {
    const referenceId = randomUUID()
    const fields = { serviceUserId, amount: 1, referenceType: 'ORDER', referenceId }
    assert.equal((await call(there, endpoints.credit, fields)).statusCode, 200)
    return referenceId
  }

  /** For every endpoint of the contract: the fields of a call that names somebody's thing. */
  const namings: Record<keyof typeof endpoints, (whose: Whose) => Fields> = {
    readWallet: (whose) => ({ serviceUserId: users[whose] }),
    checkBalance: (whose) => ({ serviceUserId: users[whose], requiredAmount: '1' }),
    debit: (whose) => operation(users[whose]),
    credit: (whose) => operation(users[whose]),
    findOperation: (whose) => ({ referenceType: 'ORDER', referenceId: references[whose] }),
    exchangeLinkCode: (whose) => ({ linkCode: linkCodes[whose] }),
  }
  const operation = (serviceUserId: string) => {
    return { serviceUserId, amount: 1, referenceType: 'ORDER', referenceId: randomUUID() }
  }

  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const naming = (whose: Whose) => namings[name as keyof typeof endpoints](whose)
    const title = `${endpoint.method} ${endpoint.path}`

    it(`${title} serves its own app`, async () => {
      const response = await call(stage, endpoint, naming('own'))
      assert.equal(response.statusCode, 200)
    })

    it(`${title} answers what is foreign, unlinked or unknown alike, to the byte`, async () => {
      await movesNothing(stage.harness.admin, async () => {
        // What became of one's own pair is told for ever, also after the user unlinked.
        const isPair = endpoint === endpoints.findOperation
        const others = OTHERS.filter((whose) => !isPair || whose !== 'unlinked')
        const answers = []
        for (const whose of others)
          answers.push(bytesOf(await call(stage, endpoint, naming(whose))))
        assert(answers.every(({ status }) => status >= 400 && status < 500))
        for (const answer of answers) assert.deepEqual(answer, answers[0])
      })
    })
  }

  it('a foreign user cannot be told from an unknown one by a repeat of a known pair', async () => {
    const fields = operation(users.own)
    const original = await call(stage, endpoints.debit, fields)
    const repeats = []
    for (const whose of ['foreign', 'unknown'] as const) {
      const change = { ...fields, serviceUserId: users[whose] }
      repeats.push(bytesOf(await call(stage, endpoints.debit, change)))
    }
    assert.equal(repeats[0]?.body, original.body)
    assert.equal(repeats[0]?.headers['idempotency-mismatch'], 'serviceUserId')
    assert.deepEqual(repeats[1], repeats[0])
  })

  it('two apps of one user see one balance and disjoint references and descriptions', async () => {
    const { harness } = stage
    const { db } = harness.context
    const person = await makeUser(harness.context, 50_00n)
    const shops: Stage[] = []
    for (const shop of [await furnish(harness), await furnish(harness)]) {
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

  /** What an app sees: its words, and what both must see alike. */
  async function readAll(shop: Stage) {
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

function bytesOf(response: LightMyRequestResponse) {
  const { 'x-request-id': id, date, ...headers } = response.headers
  assert(id !== undefined && date !== undefined)
  return { status: response.statusCode, body: response.body, headers }
}
