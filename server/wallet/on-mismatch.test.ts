/** What an app gets that refuses repeats which differ from the first request. */
import { batch, type BatchResult } from '@coffer/contract/server/batch'
import { type ErrorBody, ERRORS } from '@coffer/contract/errors'
import { hold } from '@coffer/contract/server/holds'
import { debit } from '@coffer/contract/server/wallet'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { setOnMismatch } from '../client-app/change-settings.ts'
import { clientConfig } from '../database/connect.ts'
import { verify } from '../ledger/verify/verify.ts'
import { closeConnections, post } from '../test/client.ts'
import { makeClientApp, makeLinkedUser } from '../test/factories.ts'
import { type ServiceProcess, spawnService } from '../test/harness.ts'
import { balanceOf, pairOf } from '../test/ledger/refund-setup.ts'
import { assertReplay, call, type Fields, openSetup, type Setup } from '../test/setup.ts'

let setup: Setup
before(async () => {
  setup = await openSetup({ APP_REQUESTS_PER_SECOND: '100000' })
})
after(() => setup.harness.end())

/** An app that refuses them, with a linked user who has 100.00. */
async function addStrictShop(onMismatch: 'replay' | 'conflict' = 'conflict'): Promise<Setup> {
  const { harness } = setup
  const app = await makeClientApp(harness.context, { onMismatch })
  return { harness, app, user: await makeLinkedUser(harness.context, app, 100_00n) }
}

const ofUser = ({ user: { serviceUserId } }: Setup) => ({ serviceUserId, amount: 5 })

/** Processes remember client apps for less than a second. */
async function withinASecond(check: () => Promise<void>) {
  const untilMs = performance.now() + 1000
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > untilMs) throw error
      await sleep(50)
    }
  }
}

function assertConflict(
  response: LightMyRequestResponse,
  type: string,
  first: LightMyRequestResponse,
  differs: string,
) {
  assert.equal(response.statusCode, 409, response.body)
  assert.deepEqual(response.json(), {
    error: `${ERRORS.REFERENCE_MISMATCH.text} It differs in: ${differs}.`,
    code: 'REFERENCE_MISMATCH',
    original: { status: first.statusCode, type, ...first.json<object>() },
  })
  assert.equal(response.headers['idempotency-replayed'], 'true')
  assert.equal(response.headers['idempotency-mismatch'], differs)
}

describe('an app that refuses repeats which differ', () => {
  it('409 REFERENCE_MISMATCH for another amount, with the first outcome', async () => {
    const shop = await addStrictShop()
    const request = { ...ofUser(shop), ...pairOf('ORDER') }
    const first = await call(shop, debit, request)
    assert.equal(first.statusCode, 200, first.body)
    const changed = { ...request, amount: 6 }
    const refused = await call(shop, debit, changed)
    assertConflict(refused, 'debit', first, 'amount')
    assert.equal((await call(shop, debit, changed)).body, refused.body)
    assert.equal(await balanceOf(shop), 95_00n)
    // The right repeat still gets the same bytes.
    assertReplay(await call(shop, debit, request), first)
  })

  it('409 REFERENCE_MISMATCH shows a recorded refusal as the first outcome', async () => {
    const shop = await addStrictShop()
    const request = { ...ofUser(shop), amount: 100.01, ...pairOf('ORDER') }
    const first = await call(shop, debit, request)
    assert.equal(first.statusCode, 400)
    const smaller = await call(shop, debit, { ...request, amount: 1 })
    assertConflict(smaller, 'debit', first, 'amount')
    assert.equal(await balanceOf(shop), 100_00n)
  })

  it('200 in a batch, with the result of the single call', async () => {
    const shop = await addStrictShop()
    const request = { ...ofUser(shop), ...pairOf('ORDER') }
    await call(shop, debit, request)
    const changed = { ...request, amount: 6 }
    const single = await call(shop, debit, changed)
    const fresh = { ...request, ...pairOf('ORDER') }
    const operations = [changed, fresh, { ...fresh, amount: 7 }, fresh]
    const response = await call(shop, batch, {
      operations: operations.map((each) => ({ type: 'debit', ...each })),
    })
    const { results } = response.json<{ results: BatchResult[] }>()
    const replay = { idempotencyReplayed: true, idempotencyMismatch: 'amount' }
    assert.deepEqual(results[0], { status: 409, ...replay, ...single.json<object>() })
    const [, posted, differing, repeated] = results
    assert.equal(posted?.status, 200)
    assert.deepEqual(differing?.original, { type: 'debit', ...posted })
    assert.equal(differing?.status, 409)
    assert.deepEqual(repeated, { ...posted, idempotencyReplayed: true })
    assert.equal(await balanceOf(shop), 90_00n)
  })

  it('an app with the setting replay gets the first outcome, and a type mismatch without it', async () => {
    const shop = await addStrictShop('replay')
    const request = { ...ofUser(shop), ...pairOf('ORDER') }
    const first = await call(shop, debit, request)
    assertReplay(await call(shop, debit, { ...request, amount: 6 }), first, 'amount')
    const typed = await call(shop, hold, request)
    const { text: error } = ERRORS.REFERENCE_MISMATCH
    assert.deepEqual(typed.json<ErrorBody>(), { error, code: 'REFERENCE_MISMATCH' })
  })

  it('a change of the setting applies to earlier references within a second, in both directions', async () => {
    const shop = await addStrictShop('replay')
    const { db } = shop.harness.context
    const request = { ...ofUser(shop), ...pairOf('ORDER') }
    const first = await call(shop, debit, request)
    const repeat = () => call(shop, debit, { ...request, amount: 6 })
    await setOnMismatch(db, shop.app.clientId, 'conflict')
    await withinASecond(async () => assertConflict(await repeat(), 'debit', first, 'amount'))
    await setOnMismatch(db, shop.app.clientId, 'replay')
    await withinASecond(async () => assertReplay(await repeat(), first, 'amount'))
  })
})

describe('two amounts for one reference at the same time, on two processes', () => {
  let processes: [ServiceProcess, ServiceProcess]
  before(async () => {
    const { databaseUrl } = setup.harness
    processes = [await spawnService(databaseUrl), await spawnService(databaseUrl)]
  })
  after(async () => {
    closeConnections()
    await Promise.all(processes.map((each) => each.kill('SIGINT')))
  })

  it('one is executed; its repeats get its outcome, and the others 409 with that outcome', async () => {
    const shop = await addStrictShop()
    const { clientId, clientSecret } = shop.app
    const { serviceUserId } = shop.user
    for (let round = 1; round <= 5; round++) {
      const shared = { clientId, clientSecret, serviceUserId, ...pairOf('RACE') }
      const atFirst = (await balanceOf(shop)) ?? 0n
      const responses = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const amount = 1 + (index % 2)
          const { url } = processes[(index >> 1) % 2] as ServiceProcess
          const { status, text } = await post(url, debit.path, { ...shared, amount })
          return { amount, status, body: JSON.parse(text) as Fields }
        }),
      )
      const done = responses.filter(({ status }) => status === 200)
      const [winner] = done
      assert(winner !== undefined)
      assert(done.every(({ amount }) => amount === winner.amount))
      assert.equal(done.length, 10)
      for (const { status, amount, body } of responses) {
        if (amount === winner.amount) assert.deepEqual(body, winner.body)
        else {
          assert.equal(status, 409)
          assert.deepEqual(body['original'], { status: 200, type: 'debit', ...winner.body })
        }
      }
      assert.equal(await balanceOf(shop), atFirst - BigInt(winner.amount) * 100n)
    }
    const client = new pg.Client(clientConfig(setup.harness.databaseUrl))
    await client.connect()
    const { fault } = await verify(client, {})
    await client.end()
    assert.equal(fault, undefined)
  })
})
