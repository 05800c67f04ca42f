/** What a batch returns if the database, the queue or a process fails, and that repeating it completes it. */
import { batch as endpoint, type BatchResult } from '@coffer/contract/server/batch'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ledger } from '../ledger/ledger.ts'
import { makeLinkedUser } from '../test/factories.ts'
import { connectAdmin } from '../test/harness.ts'
import {
  assertRefusal,
  call,
  type Fields,
  addShop,
  movesNothing,
  withCuttableDatabase,
  openSetup,
  type Setup,
} from '../test/setup.ts'

type User = Setup['user']

let setup: Setup
before(async () => {
  setup = await openSetup({ APP_REQUESTS_PER_SECOND: '100000' })
})
after(() => setup.harness.end())

function operationOf({ serviceUserId }: User, change: Fields = {}): Fields {
  const reference = { referenceType: 'ORDER', referenceId: randomUUID() }
  return { type: 'debit', serviceUserId, amount: 1, ...reference, ...change }
}

async function send(shop: Pick<Setup, 'harness' | 'app'>, operations: Fields[]) {
  const response = await call(shop, endpoint, { operations })
  assert.equal(response.statusCode, 200, response.body)
  return response.json<{ results: BatchResult[] }>().results
}

const codesOf = (results: readonly BatchResult[]) => results.map(({ code }) => code ?? 'OK')
const statusesOf = (results: readonly BatchResult[]) => results.map(({ status }) => status)

/** Replaces the ledger of the service meanwhile. */
async function withLedger<Result>(ledger: Ledger, act: () => Promise<Result>): Promise<Result> {
  const { context } = setup.harness
  const usual = context.ledger
  context.ledger = ledger
  try {
    return await act()
  } finally {
    context.ledger = usual
  }
}

async function countOperations(operations: Fields[]): Promise<number> {
  const { rows } = await setup.harness.admin.query(
    'select from ledger.operations where reference_id = any($1)',
    [operations.map(({ referenceId }) => referenceId)],
  )
  return rows.length
}

describe('POST /api/server/wallet/batch', () => {
  it('503 OUTCOME_UNKNOWN for the whole batch if it takes too long, and a repeat returns the outcomes', async () => {
    const shop = await addShop(setup.harness)
    const apps = await connectAdmin(setup.harness.databaseUrl)
    const locks = await connectAdmin(setup.harness.databaseUrl)
    await locks.query('begin')
    await locks.query('select from ledger.wallets where id = $1 for update', [shop.user.walletId])
    await apps.query('begin')
    await apps.query('lock table directory.links in access exclusive mode')
    const operations = [operationOf(shop.user), operationOf(shop.user)]
    const response = call(shop, endpoint, { operations })
    await sleep(3_000)
    await apps.query('rollback')
    assertRefusal(await response, endpoint, 'OUTCOME_UNKNOWN')
    await locks.query('rollback')
    await Promise.all([apps.end(), locks.end()])
    assert.deepEqual(statusesOf(await send(shop, operations)), [200, 200])
    assert.equal(await countOperations(operations), 2)
  })
})

describe('an operation that fails', () => {
  it('stops the later ones on its wallet only, and a repeat executes them', async () => {
    const shop = await addShop(setup.harness)
    const other = await makeLinkedUser(setup.harness.context, shop.app, 100_00n)
    const { admin } = setup.harness
    await admin.query(`
      create function poison() returns trigger language plpgsql as
        $$ begin if new.description = 'poison' then raise 'poisoned'; end if; return new; end $$;
      create trigger poison before insert on ledger.operations for each row execute function poison()`)
    const operations = Array.from({ length: 10 }, (_, index) =>
      operationOf(index % 2 ? other : shop.user, index === 4 ? { description: 'poison' } : {}),
    )
    const results = await send(shop, operations)
    assert.deepEqual(
      codesOf(results).filter((_, index) => index % 2 === 0),
      ['OK', 'OK', 'INTERNAL_ERROR', 'EARLIER_OPERATION_FAILED', 'EARLIER_OPERATION_FAILED'],
    )
    assert(results.every(({ status }, index) => index % 2 === 0 || status === 200))
    assert.equal(results[6]?.retryAfter, 1)
    assert.equal(await countOperations(operations), 7)
    await admin.query('drop function poison() cascade')
    const repeated = await send(shop, operations)
    assert.deepEqual(new Set(statusesOf(repeated)), new Set([200]))
    assert.deepEqual(
      repeated.map(({ balance }, index) => (index % 2 ? 0 : balance)),
      [99, 0, 98, 0, 97, 0, 96, 0, 95, 0],
    )
    assert.equal(await countOperations(operations), 10)
  })

  it('is OUTCOME_UNKNOWN if its wallet is locked too long; other wallets are not affected', async () => {
    const shop = await addShop(setup.harness)
    const other = await makeLinkedUser(setup.harness.context, shop.app, 100_00n)
    const { admin, databaseUrl } = setup.harness
    const impatient = new Ledger({ databaseUrl, deadlineMs: 3_000 })
    const operations = [shop.user, other, shop.user, other].map((user) => operationOf(user))
    await admin.query('begin')
    await admin.query('select from ledger.wallets where id = $1 for update', [shop.user.walletId])
    const results = await withLedger(impatient, () => send(shop, operations))
    await admin.query('rollback')
    assert.deepEqual([results[1]?.status, results[3]?.status], [200, 200])
    // They wait for the lock together, so both may be executed later.
    assert.deepEqual(codesOf([results[0], results[2]] as BatchResult[]), [
      'OUTCOME_UNKNOWN',
      'OUTCOME_UNKNOWN',
    ])
    await impatient.close()
    assert.deepEqual(statusesOf(await send(shop, operations)), [200, 200, 200, 200])
    assert.equal(await countOperations(operations), 4)
  })

  it('503 SERVICE_UNAVAILABLE for each if the database is away, and a repeat executes all', () =>
    withCuttableDatabase(async (cuttable, admin, cut) => {
      await send(cuttable, [operationOf(cuttable.user)])
      await cut()
      const operations = Array.from({ length: 5 }, () => operationOf(cuttable.user))
      const response = await call(cuttable, endpoint, { operations })
      // Less than a second after the last poll the client app is still known; later, the whole batch is refused.
      if (response.statusCode === 200) {
        const { results } = response.json<{ results: BatchResult[] }>()
        assert.deepEqual(codesOf(results), Array(5).fill('SERVICE_UNAVAILABLE'))
      } else assertRefusal(response, endpoint, 'SERVICE_UNAVAILABLE')
      const { rows } = await admin.query('select from ledger.operations where kind = $1', ['debit'])
      assert.equal(rows.length, 1)
    }))
})

describe('a full queue', () => {
  it('gives 503 to the operations that find no room before the deadline, not to the batch', async () => {
    const shop = await addShop(setup.harness)
    const users = await Promise.all(
      [1, 2, 3, 4].map(() => makeLinkedUser(setup.harness.context, shop.app, 100_00n)),
    )
    const { admin, databaseUrl } = setup.harness
    const tiny = new Ledger({ databaseUrl, queueCapacity: 4, deadlineMs: 2_000 })
    const [held] = users as [User]
    await admin.query('begin')
    await admin.query('select from ledger.wallets where id = $1 for update', [held.walletId])
    const operations = users.flatMap((user) => [operationOf(user), operationOf(user)])
    const results = await withLedger(tiny, () =>
      send(shop, [...operations.slice(2), ...operations.slice(0, 2), operationOf(shop.user)]),
    )
    await admin.query('rollback')
    await tiny.close()
    assert.deepEqual(codesOf(results).slice(0, 6), Array(6).fill('OK'))
    assert.deepEqual(codesOf(results).slice(6), [
      'OUTCOME_UNKNOWN',
      'OUTCOME_UNKNOWN',
      'SERVICE_UNAVAILABLE',
    ])
  })

  it('does not refuse a batch that is larger than the queue', async () => {
    const shop = await addShop(setup.harness)
    const small = new Ledger({ databaseUrl: setup.harness.databaseUrl, queueCapacity: 8 })
    const operations = Array.from({ length: 100 }, () => operationOf(shop.user, { amount: 0.01 }))
    const results = await withLedger(small, () => send(shop, operations))
    await small.close()
    assert.deepEqual(
      results.map(({ balance }) => balance),
      operations.map((_, index) => (9_999 - index) / 100),
    )
  })

  it('without any place executes nothing', async () => {
    const shop = await addShop(setup.harness)
    const { admin, databaseUrl } = setup.harness
    const full = new Ledger({ databaseUrl, queueCapacity: 0, deadlineMs: 500 })
    await movesNothing(admin, async () => {
      const results = await withLedger(full, () =>
        send(
          shop,
          [1, 2].map(() => operationOf(shop.user)),
        ),
      )
      assert.deepEqual(codesOf(results), ['SERVICE_UNAVAILABLE', 'EARLIER_OPERATION_FAILED'])
      assert.equal(results[0]?.retryAfter, 1)
    })
    await full.close()
  })
})

describe('the metrics', () => {
  it('count each operation by the status of its result', async () => {
    const shop = await addShop(setup.harness)
    const count = async () => {
      const { body } = await setup.harness.inject({ method: 'GET', url: '/metrics' })
      return [200, 404, 500, 503].map((status) => {
        const series = new RegExp(
          `^coffer_batch_results_total\\{status="${status}"\\} (\\d+)$`,
          'm',
        )
        return Number(series.exec(body)?.[1] ?? 0)
      })
    }
    const earlier = await count()
    const unknown = operationOf(shop.user, { serviceUserId: 'su_nobody' })
    await send(shop, [operationOf(shop.user), unknown, operationOf(shop.user)])
    await setup.harness.context.ledger.setPause({ by: 'ada@example.com', reason: 'a test' })
    await send(shop, [operationOf(shop.user)])
    await setup.harness.context.ledger.setPause(null)
    const more = (await count()).map((value, index) => value - (earlier[index] ?? NaN))
    assert.deepEqual(more, [2, 1, 0, 1])
  })
})
