/** Rows of the default partition are moved to their months, under load and after a crash at any statement. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { clientConfig } from '../../database/connect.ts'
import { makeUser } from '../../test/factories.ts'
import { connectAdmin, startHarness, testEnv, type Harness } from '../../test/harness.ts'
import {
  addStrays,
  countStrays,
  dropMonths,
  listPartitions,
  monthAhead,
} from '../../test/ledger/partitions.ts'
import { Ledger } from '../ledger.ts'
import { repairPartitions } from './repair-partitions.ts'
import type { LedgerRequest } from '../types.ts'
import { verify } from '../verify/verify.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness({ VERIFY_PERCENT: '0' })
})
afterEach(() => harness.end())

async function findFault(): Promise<string | undefined> {
  const client = new pg.Client(clientConfig(harness.databaseUrl))
  await client.connect()
  const { fault } = await verify(client, {})
  await client.end()
  return fault
}

describe('repairPartitions while two processes write operations of this month', () => {
  it('loses nothing, delays debits only briefly, and the books verify', async () => {
    const { admin, context } = harness
    const { walletId } = await makeUser(context)
    const ledgers = [context.ledger, new Ledger({ databaseUrl: harness.databaseUrl })]
    await dropMonths(admin, [0, 1])
    const writes = { areDone: false }
    const posted: LedgerRequest[] = []
    let longestMs = 0
    const write = async (ledger: Ledger) => {
      const { walletId: own } = await makeUser(context)
      while (!writes.areDone) {
        const startMs = performance.now()
        const request = bonusOf(posted.length % 2 === 0 ? walletId : own)
        await ledger.post(request)
        posted.push(request)
        longestMs = Math.max(longestMs, performance.now() - startMs)
      }
    }
    const writing = Promise.all([...ledgers, ...ledgers].map(write))
    while ((await countStrays(admin)) < 200) await sleep(10)
    const owner = await connectAdmin(harness.databaseUrl)
    const moved: string[] = []
    await repairPartitions(owner, { onMoved: ({ month }) => moved.push(month) })
    const atEnd = posted.length
    while (posted.length < atEnd + 100) await sleep(10)
    writes.areDone = true
    await writing
    assert.deepEqual(moved, [monthAhead(0)])
    assert.equal(await countStrays(admin), 0)
    assert(longestMs < 5_000, `a debit took ${longestMs} ms`)
    for (const request of [posted[0], posted[150], posted.at(-1)]) {
      assert(request)
      const { replayed, decision } = await context.ledger.post(request)
      assert.deepEqual([replayed, decision.refusal, decision.kind], [true, null, 'bonus'])
    }
    assert.equal(await findFault(), undefined)
    await context.ledger.preparePartitions()
    assert.deepEqual(await listPartitions(admin), [0, 1, 2, 3].map(monthAhead))
    await Promise.all([owner.end(), ledgers[1]?.close()])
  })
})

function bonusOf(walletId: bigint): LedgerRequest {
  const pair = { referenceType: 'TEST', referenceId: randomUUID() }
  return { kind: 'bonus', walletId, amountMinor: 5n, counterAccount: 2, ...pair, description: null }
}

describe('repairPartitions', () => {
  it('can be repeated after its connection was lost at any statement', async () => {
    const { admin, context, databaseUrl } = harness
    const { walletId } = await makeUser(context, 100n)
    const far = monthAhead(40)
    await addStrays(admin, walletId, monthAhead(5), 3)
    await addStrays(admin, walletId, far, 2)
    let lost = 0
    for (let statements = 1; (await countStrays(admin)) > 0; statements++) {
      const owner = await connectAdmin(databaseUrl)
      const query = owner.query.bind(owner) as (text: unknown) => Promise<unknown>
      let left = statements
      owner.query = (async (text: unknown) => {
        // What the server has received so far is all that it will receive.
        if (left-- > 0) return query(text)
        await admin.query('select pg_terminate_backend($1)', [(owner as never)['processID']])
        throw new Error('Connection terminated')
      }) as never
      await repairPartitions(owner).catch(() => lost++)
      await owner.end().catch(() => undefined)
      const strays = await countStrays(admin)
      const months = await listPartitions(admin)
      assert.equal(
        strays,
        (months.includes(monthAhead(5)) ? 0 : 3) + (months.includes(far) ? 0 : 2),
      )
    }
    assert(lost > 10, `${lost} runs were interrupted`)
    const { rows } = await admin.query(
      `select count(*)::int as rows, count(distinct tableoid)::int as tables from ledger.operations
       where reference_type = 'STRAY'`,
    )
    assert.deepEqual(rows, [{ rows: 5, tables: 2 }])
  })

  it('waits for a reader with short locks, and refuses a large move unless writes are paused', async () => {
    const { admin, context, databaseUrl } = harness
    const { walletId } = await makeUser(context, 100n)
    await addStrays(admin, walletId, monthAhead(6), 20)
    const reader = await connectAdmin(databaseUrl)
    await reader.query('begin; select count(*) from ledger.operations')
    const waits: string[] = []
    const owner = await connectAdmin(databaseUrl)
    await assert.rejects(
      repairPartitions(owner, { mostUnderLoad: 19 }),
      /20 rows of .* pause writes/,
    )
    await context.ledger.setPause({ by: 'test', reason: 'to move many rows' })
    const repaired = repairPartitions(owner, {
      mostUnderLoad: 19,
      onWait: (month) => waits.push(month),
    })
    while (waits.length < 2) await sleep(20)
    assert.equal((await context.ledger.readHistoryPage(walletId, 9_999n, 10)).length, 1)
    await reader.end()
    await repaired
    assert.equal(await countStrays(admin), 0)
    await owner.end()
  })
})

describe('coffer repair-partitions', () => {
  it('prints the months and rows, and creates the coming months', async () => {
    const { admin, context } = harness
    const { walletId } = await makeUser(context, 100n)
    await dropMonths(admin, [1, 2])
    await addStrays(admin, walletId, monthAhead(1), 2)
    const script = fileURLToPath(new URL('../../coffer.ts', import.meta.url))
    const env = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl) }
    const run = () => promisify(execFile)(process.execPath, [script, 'repair-partitions'], { env })
    const end = 'The default partition is empty, and the coming months have partitions.\n'
    assert.equal((await run()).stdout, `Moved 2 rows to ${monthAhead(1)}.\n${end}`)
    assert.equal((await run()).stdout, end)
    assert.deepEqual(await listPartitions(admin), [0, 1, 2, 3].map(monthAhead))
  })

  it('fails if a month has no partition afterwards', async () => {
    const { admin } = harness
    const table = `ledger.operations_${monthAhead(3).replace('-', '_')}`
    await admin.query(`alter table ledger.operations detach partition ${table}`)
    const script = fileURLToPath(new URL('../../coffer.ts', import.meta.url))
    const env = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl) }
    await assert.rejects(
      promisify(execFile)(process.execPath, [script, 'repair-partitions'], { env }),
      { code: 1, stdout: new RegExp(`^No partition for ${monthAhead(3)}: `) },
    )
    await admin.query(`drop table ${table}`)
    await harness.context.ledger.preparePartitions()
  })

  it('moves the rows at the start of a month in UTC, whatever the time zone of the server is', async () => {
    const { admin, context } = harness
    const { walletId } = await makeUser(context, 100n)
    await dropMonths(admin, [1, 2])
    await addStrays(admin, walletId, monthAhead(1), 2, '01 00:00')
    const { rows } = await admin.query('select current_database() as name')
    await admin.query(`alter database ${rows[0].name} set timezone = 'America/New_York'`)
    const owner = await connectAdmin(harness.databaseUrl)
    await repairPartitions(owner)
    await owner.end()
    assert.equal(await countStrays(admin), 0)
    assert.ok((await listPartitions(admin)).includes(monthAhead(1)))
  })
})
