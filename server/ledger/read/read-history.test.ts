import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { clientConfig } from '../../database/connect.ts'
import { many, type Statement } from '../../database/statement.ts'
import { makeUser } from '../../test/factories.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import { createPastMonths } from '../../test/ledger/partition-setup.ts'
import { findDecisions } from '../post/decision-queries.ts'
import { readEntries, readHistories, readOperation, searchHistory } from './history-queries.ts'
import { readNewest } from './read-history.ts'
import type { HistoryEntry, Operation } from '../types.ts'

const MONTHS = 24
const OPERATIONS = 40
const ONE = { walletId: 1n, upToSeq: 5n, limit: 10 }

let harness: Harness
let client: pg.Client
before(async () => {
  harness = await startHarness({ VERIFY_PERCENT: '0' })
  await harness.admin.query(createPastMonths(MONTHS))
  client = new pg.Client(clientConfig(harness.databaseUrl))
  await client.connect()
})
after(async () => {
  await client.end()
  await harness.end()
})

/** A wallet whose operation with number n is `monthsAgo(n)` months old. */
function omitUnshown(operation: Operation): HistoryEntry {
  const {
    debtChange: _1,
    debtAfter: _2,
    heldChange: _3,
    heldAfter: _4,
    hash: _5,
    ...entry
  } = operation
  return entry
}

async function makeWallet(monthsAgo: (seq: number) => number): Promise<bigint> {
  const { walletId } = await makeUser(harness.context)
  const rows = Array.from({ length: OPERATIONS }, (_, n) => `(${n + 1}, ${monthsAgo(n + 1)})`)
  await harness.admin
    .query(`insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at,
      counter_account, kind, reference_type, reference_id, hash)
    select ${walletId}, seq, 1, seq, date_trunc('month', now(), 'UTC') - make_interval(months => ago)
      + make_interval(secs => seq), 2, 'bonus', 'T', 'r', sha256('x')
    from (values ${rows.join()}) as x(seq, ago)`)
  return walletId
}

describe('the newest operations of a wallet', () => {
  const WALLETS: Record<string, (seq: number) => number> = {
    'all in this month': () => 0,
    'one per month, older than the oldest monthly partition': (seq) => OPERATIONS - seq,
    'many in each month': (seq) => Math.floor((OPERATIONS - seq) / 7),
    'none in the last year': (seq) => 12 + Math.floor((OPERATIONS - seq) / 10),
    'the clock was set back by months': (seq) => (seq % 5 === 0 ? 9 : 1),
    'the clock was ahead, and the newest are in a future month': (seq) => (seq > 35 ? -2 : 0),
    'all in a future month': () => -1,
  }
  for (const [name, monthsAgo] of Object.entries(WALLETS)) {
    it(`are the same as in a read of all months: ${name}`, async () => {
      const walletId = await makeWallet(monthsAgo)
      for (const upToSeq of [40n, 33n, 12n, 1n, 0n]) {
        for (const limit of [1, 10, 50]) {
          const request = { walletId, upToSeq, limit }
          const entries = await many(client, readHistories([request]))
          const all = entries.map(({ operation }) => operation)
          assert.deepEqual(await readNewest(client, [request], readHistories), [all])
          const shown = all.map((operation) => omitUnshown(operation))
          assert.deepEqual(await readNewest(client, [request], readEntries), [shown])
          assert.equal(all.length, Math.min(limit, Number(upToSeq)))
        }
      }
    })
  }

  it('are those that are left after a month was archived', async () => {
    const walletId = await makeWallet((seq) => Math.floor((OPERATIONS - seq) / 5))
    await harness.admin.query('delete from ledger.operations where wallet_id = $1 and seq <= 20', [
      walletId,
    ])
    const read = async (upToSeq: bigint, limit: number) =>
      (await readNewest(client, [{ walletId, upToSeq, limit }], readHistories)).map((page) =>
        page.map(({ seq }) => seq),
      )
    assert.deepEqual(await read(23n, 10), [[23n, 22n, 21n]])
    assert.deepEqual(await read(20n, 10), [[]])
    // Whatever a forged id decrypts to.
    assert.deepEqual(await read(-(2n ** 63n), 1), [[]])
    assert.deepEqual(await read(2n ** 63n - 1n, 1), [[40n]])
  })

  it('are the same for many wallets in one read, and for the same wallet twice', async () => {
    const made = await Promise.all(Object.values(WALLETS).map(makeWallet))
    const requests = [...made, made[0] as bigint, 0n].flatMap((walletId) =>
      [40n, 12n, 0n].map((upToSeq, index) => ({ walletId, upToSeq, limit: 5 + 7 * index })),
    )
    const alone = []
    for (const request of requests)
      alone.push(...(await readNewest(client, [request], readHistories)))
    assert.deepEqual(await readNewest(client, requests, readHistories), alone)
    assert.deepEqual(await readNewest(client, [], readHistories), [])
  })
})

describe('with the partitions of two years', () => {
  /** How many partitions a statement locks, with the plan that a prepared statement keeps. */
  async function countPartitions(statement: Statement<unknown>): Promise<number> {
    for (let runs = 0; runs < 7; runs++) await client.query(statement)
    await client.query('begin')
    await client.query(statement)
    const { rows } = await client.query<{ count: bigint }>(
      `select count(*) from pg_locks l join pg_class c on c.oid = l.relation
       where l.pid = pg_backend_pid() and c.relname like 'operations\\_%' and c.relkind = 'r'`,
    )
    await client.query('rollback')
    return Number(rows[0]?.count)
  }

  it('replays and look-ups open none', async () => {
    assert.equal(await countPartitions(findDecisions(['0'.repeat(32), 'f'.repeat(32)])), 0)
  })

  it('the read of one operation opens one, and that of the newest two', async () => {
    const now = new Date()
    const firstDay = (month: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), month)).toISOString().slice(0, 10)
    const months = {
      from: firstDay(now.getUTCMonth() - 1),
      before: firstDay(now.getUTCMonth() + 1),
    }
    assert.equal(await countPartitions(readOperation(1n, 1n, now)), 1)
    assert.equal(await countPartitions(readHistories([ONE], months)), 2)
    assert.ok((await countPartitions(readHistories([ONE]))) > MONTHS)
  })

  it('a search with dates opens those of the dates', async () => {
    const search = { walletId: 1n, upToSeq: 9n, downToSeq: 1n, limit: 5, kinds: [], accounts: [] }
    const to = new Date()
    const dates = { from: new Date(to.getTime() - 1), before: to }
    assert.ok((await countPartitions(searchHistory({ ...search, ...dates }))) <= 2)
  })
})
