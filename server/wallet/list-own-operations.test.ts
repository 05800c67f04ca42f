import {
  credit,
  debit,
  listOwnOperations as endpoint,
  refund,
} from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { link, unlink } from '../identity/link.ts'
import { makeClientApp, makeLinkedUser, type TestApp } from '../test/factories.ts'
import { assertRefusal, call, openSetup, type Fields, type Setup } from '../test/setup.ts'

interface Listed {
  type: 'debit' | 'credit' | 'refund'
  referenceId: string
  serviceUserId: string
  transactionId: string
  refundOf?: string
}

let setup: Setup
let other: TestApp
let user: Awaited<ReturnType<typeof makeLinkedUser>>
/** In the order in which they were posted. */
const posted: string[] = []

before(async () => {
  setup = await openSetup()
  const { context } = setup.harness
  other = await makeClientApp(context)
  user = await makeLinkedUser(context, setup.app, 100_00n)
  const otherId = await link(context.db, other.id, user.id)
  for (let index = 0; index < 12; index++) {
    const endpoints = [debit, credit, refund]
    const amount = (index + 1) / 100
    posted.push(await post(endpoints[index % 3] as typeof debit, { amount }))
    await post(debit, { serviceUserId: otherId, amount: 0.5 }, other)
  }
})
after(() => setup.harness.end())

let paid: Fields = {}
async function post(
  to: typeof debit | typeof refund,
  fields: Fields,
  app: TestApp = setup.app,
): Promise<string> {
  const pair = { referenceType: 'LIST', referenceId: randomUUID() }
  const { serviceUserId } = user
  const about = to === refund ? { debit: paid, amount: 0.01 } : { serviceUserId, ...fields }
  const response = await call({ ...setup, app }, to, { ...about, ...pair })
  assert.equal(response.statusCode, 200, response.body)
  if (to === debit && app === setup.app) paid = pair
  return pair.referenceId
}

async function list(fields: Fields = {}, app: TestApp = setup.app) {
  const response = await call({ ...setup, app }, endpoint, fields)
  assert.equal(response.statusCode, 200, response.body)
  return response.json<{ operations: Listed[]; nextCursor: string | null }>()
}

async function listAll(fields: Fields = {}): Promise<Listed[]> {
  const found: Listed[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await list(cursor ? { ...fields, cursor } : fields)
    found.push(...page.operations)
    cursor = page.nextCursor
  }
  return found
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const DAY_MS = 86_400_000

describe('GET /api/server/operations/list', () => {
  it('lists all operations of the app, newest first, and none of another app', async () => {
    for (const limit of [3, 100]) {
      const found = await listAll({ limit })
      assert.deepEqual(
        found.map(({ referenceId }) => referenceId),
        posted.toReversed(),
      )
      assert.equal(new Set(found.map(({ transactionId }) => transactionId)).size, 12)
    }
    assert.equal((await list({}, other)).operations.length, 12)
    const [refunded, , paidBefore] = await listAll()
    assert.deepEqual(refunded?.type, 'refund')
    assert.equal(refunded?.refundOf, paidBefore?.transactionId)
    assert.equal(refunded?.serviceUserId, user.serviceUserId)
  })

  it('lists only the given days', async () => {
    const tomorrow = dayOf(Date.now() + DAY_MS)
    assert.deepEqual((await list({ from: tomorrow })).operations, [])
    assert.deepEqual((await list({ to: dayOf(Date.now() - DAY_MS) })).operations, [])
    const today = dayOf(Date.now())
    assert.equal((await listAll({ from: dayOf(Date.now() - DAY_MS), to: today })).length, 12)
  })

  it('shows the id that the user had at that time, also after unlinking and linking again', async () => {
    const { db } = setup.harness.context
    await unlink(db, setup.app.id, user.id)
    const renewed = await link(db, setup.app.id, user.id)
    assert.notEqual(renewed, user.serviceUserId)
    const ids = new Set((await listAll()).map(({ serviceUserId }) => serviceUserId))
    assert.deepEqual([...ids], [user.serviceUserId])
  })

  it('400 INVALID_REQUEST for a cursor of another app and for days in the wrong order', async () => {
    const { nextCursor } = await list({ limit: 1 })
    const foreign = await call({ ...setup, app: other }, endpoint, { cursor: nextCursor })
    assertRefusal(foreign, endpoint, 'INVALID_REQUEST', 'cursor')
    const days = { from: '2026-02-01', to: '2026-01-31' }
    assertRefusal(await call(setup, endpoint, days), endpoint, 'INVALID_REQUEST', 'to')
  })
})
