/** Guarantees that hold for any number of concurrent requests and processes, tested through HTTP with two processes. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { clientConfig } from '../database/connect.ts'
import { verify } from '../ledger/verify/verify.ts'
import { closeConnections, percentile, post, type ServiceResponse } from '../test/client.ts'
import { makeClientApp, makeLinkedUser, type TestApp } from '../test/factories.ts'
import {
  connectAdmin,
  spawnService,
  startHarness,
  type Harness,
  type ServiceProcess,
} from '../test/harness.ts'
import pg from 'pg'

const DEBIT = '/api/server/wallet/debit'
const CREDIT = '/api/server/wallet/credit'

let harness: Harness
let processes: [ServiceProcess, ServiceProcess]
let app: TestApp
let reference = 0

before(async () => {
  harness = await startHarness()
  processes = [await spawnService(harness.databaseUrl), await spawnService(harness.databaseUrl)]
  app = await makeClientApp(harness.context)
})

after(async () => {
  closeConnections()
  await Promise.all(processes.map((each) => each.kill('SIGINT')))
  await harness.end()
})

const urlOf = (index: number) => (processes[index % 2] as ServiceProcess).url

function bodyOf(serviceUserId: string, amount: number, referenceId: string, by = app) {
  const { clientId, clientSecret } = by
  const referenceType = 'ORDER_PAYMENT'
  return { clientId, clientSecret, serviceUserId, amount, referenceType, referenceId }
}

const nextReference = () => `r-${++reference}`

async function countOperations(referenceId: string): Promise<number> {
  const { rows } = await harness.admin.query<{ count: string }>(
    'select count(*) from ledger.operations where reference_id = $1',
    [referenceId],
  )
  return Number(rows[0]?.count)
}

function countStatuses(responses: ServiceResponse[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Sends small debits for these users for a while and returns the latencies. */
async function debitFor(durationMs: number, users: { serviceUserId: string }[]): Promise<number[]> {
  const latencies: number[] = []
  const untilMs = performance.now() + durationMs
  while (performance.now() < untilMs) {
    await Promise.all(
      users.map(async ({ serviceUserId }, index) => {
        const sentMs = performance.now()
        const response = await post(
          urlOf(index),
          DEBIT,
          bodyOf(serviceUserId, 0.01, nextReference()),
        )
        assert.equal(response.status, 200)
        latencies.push(performance.now() - sentMs)
      }),
    )
    await sleep(20)
  }
  return latencies
}

describe('two processes on one database', () => {
  it('50 identical concurrent requests: one operation, 50 identical responses', async () => {
    const user = await makeLinkedUser(harness.context, app, 10_000n)
    const id = nextReference()
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        post(urlOf(index), DEBIT, bodyOf(user.serviceUserId, 19.99, id)),
      ),
    )
    assert.deepEqual(new Set(responses.map((each) => `${each.status} ${each.text}`)).size, 1)
    assert.match(
      responses[0]?.text ?? '',
      /^\{"balance":80\.01,"message":"Debit completed\.","currency":"USD","transactionId":"txn_[0-9a-f]{32}"\}$/,
    )
    assert.equal(
      responses.filter((each) => each.headers['idempotency-replayed'] === 'true').length,
      49,
    )
    assert.equal(await countOperations(id), 1)
  })

  it('200 different debits of the last unit: one success', async () => {
    const user = await makeLinkedUser(harness.context, app, 1n)
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        post(urlOf(index), DEBIT, bodyOf(user.serviceUserId, 0.01, nextReference())),
      ),
    )
    assert.deepEqual(countStatuses(responses), { 200: 1, 400: 199 })
    const refused = responses.filter((each) => each.status === 400)
    assert.ok(refused.every((each) => each.text.includes('INSUFFICIENT_BALANCE')))
  })

  it('concurrent requests with the same pair and different users: one operation, no 5xx', async () => {
    const users = await Promise.all(
      Array.from({ length: 8 }, () => makeLinkedUser(harness.context, app, 10_000n)),
    )
    for (let round = 0; round < 50; round++) {
      const id = nextReference()
      const responses = await Promise.all(
        users.map((user, index) => post(urlOf(index), DEBIT, bodyOf(user.serviceUserId, 0.01, id))),
      )
      assert.deepEqual(countStatuses(responses), { 200: 8 })
      assert.equal(new Set(responses.map((each) => each.text)).size, 1)
      assert.equal(await countOperations(id), 1)
      const mismatches = responses.filter((each) => each.headers['idempotency-mismatch'])
      assert.equal(mismatches.length, 7)
    }
  })

  it('the same pairs in opposite order on both, 200 rounds: no error, no deadlock', async () => {
    const PAIRS = 5
    const users = await Promise.all(
      Array.from({ length: 2 * PAIRS }, () => makeLinkedUser(harness.context, app, 1_000_000n)),
    )
    const userOf = (index: number) => (users[index] as { serviceUserId: string }).serviceUserId
    for (let round = 0; round < 200; round++) {
      const ids = Array.from({ length: PAIRS }, nextReference)
      // The other process uses other wallets, so that only the pairs can conflict.
      const forward = ids.map((id, index) => post(urlOf(0), DEBIT, bodyOf(userOf(index), 0.01, id)))
      const backward = ids
        .map((id, index) => [id, index + PAIRS] as const)
        .toReversed()
        .map(([id, index]) => post(urlOf(1), DEBIT, bodyOf(userOf(index), 0.01, id)))
      const responses = await Promise.all([...forward, ...backward])
      assert.deepEqual(countStatuses(responses), { 200: 2 * PAIRS })
    }
  })

  it("concurrent credits on both never exceed an app's credit limit", async () => {
    const limited = await makeClientApp(harness.context, { creditLimit: 1_000n })
    const users = await Promise.all(
      Array.from({ length: 10 }, () => makeLinkedUser(harness.context, limited)),
    )
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const { serviceUserId } = users[index % 10] as { serviceUserId: string }
        return post(urlOf(index), CREDIT, bodyOf(serviceUserId, 0.3, nextReference(), limited))
      }),
    )
    assert.deepEqual(countStatuses(responses), { 200: 33, 403: 167 })
    // A debit frees exactly its own amount of the credit limit.
    const lucky = responses.findIndex((each) => each.status === 200)
    const { serviceUserId } = users[lucky % 10] as { serviceUserId: string }
    const debit = await post(urlOf(0), DEBIT, bodyOf(serviceUserId, 0.2, nextReference(), limited))
    assert.equal(debit.status, 200)
    const more = await post(urlOf(1), CREDIT, bodyOf(serviceUserId, 0.31, nextReference(), limited))
    assert.equal(more.status, 403)
    const exact = await post(urlOf(1), CREDIT, bodyOf(serviceUserId, 0.3, nextReference(), limited))
    assert.equal(exact.status, 200)
    const { rows } = await harness.admin.query(
      'select balance from ledger.accounts where id = $1',
      [limited.ledgerAccount],
    )
    assert.equal(rows[0].balance, '-1000')
  })

  it('a batch of 100 with one failing operation: 99 succeed', async () => {
    await harness.admin.query(`
      create function poison() returns trigger language plpgsql as
        $$ begin if new.description = 'poison' then raise 'poisoned'; end if; return new; end $$;
      create trigger poison before insert on ledger.operations for each row execute function poison()`)
    const users = await Promise.all(
      Array.from({ length: 100 }, () => makeLinkedUser(harness.context, app, 100n)),
    )
    const responses = await Promise.all(
      users.map((user, index) => {
        const body = bodyOf(user.serviceUserId, 0.5, nextReference())
        return post(urlOf(0), DEBIT, index === 57 ? { ...body, description: 'poison' } : body)
      }),
    )
    await harness.admin.query('drop function poison() cascade')
    assert.deepEqual(countStatuses(responses), { 200: 99, 500: 1 })
    assert.equal(responses[57]?.status, 500)
  })

  it('a wallet locked by another transaction for 3 s: other wallets are not affected', async (test) => {
    const [held, ...others] = await Promise.all(
      Array.from({ length: 21 }, () => makeLinkedUser(harness.context, app, 100_000n)),
    )
    assert.ok(held)
    const earlier = percentile(await debitFor(1_000, others), 0.99)
    const foreign = await connectAdmin(harness.databaseUrl)
    await foreign.query('begin')
    await foreign.query('select from ledger.wallets where id = $1 for update', [held.walletId])
    const waiting = [0, 1, 2, 3].map((index) =>
      post(urlOf(index), DEBIT, bodyOf(held.serviceUserId, 0.01, nextReference())),
    )
    const latencies = await debitFor(3_000, others)
    await foreign.query('rollback')
    await foreign.end()
    assert.deepEqual(countStatuses(await Promise.all(waiting)), { 200: 4 })
    const during = percentile(latencies, 0.99)
    test.diagnostic(
      `p99 of the others ${earlier.toFixed(1)} ms before, ${during.toFixed(1)} ms meanwhile`,
    )
    // If the others waited for the lock, it would be 3 s.
    assert.ok(
      during < Math.max(1_500, 3 * earlier),
      `p99 ${earlier} ms before, ${during} ms meanwhile`,
    )
  })

  it('leave books that verify', async () => {
    const client = new pg.Client(clientConfig(harness.databaseUrl))
    await client.connect()
    const report = await verify(client, {})
    await client.end()
    assert.equal(report.fault, undefined)
    assert.ok(report.operations > 2_000)
  })
})
