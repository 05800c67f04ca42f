/** The hash chain while entries are added: at the same time, and in open transactions. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { inTransaction } from '../../database/in-transaction.ts'
import { many } from '../../database/statement.ts'
import { openAuditSetup, type AuditSetup } from '../../test/audit-setup.ts'
import { readChain } from './chain-queries.ts'

let setup: AuditSetup
before(async () => {
  setup = await openAuditSetup()
})
after(() => setup.harness.end())

/** A transaction with one entry, which commits when it is told to. */
async function openTransaction(): Promise<{ commit(): Promise<void> }> {
  const client: pg.PoolClient = await setup.harness.context.operatorDb.connect()
  await client.query('begin')
  await setup.write(1, client)
  return {
    async commit() {
      await client.query('commit')
      client.release()
    },
  }
}

async function countEntries(): Promise<number> {
  const { rows } = await setup.harness.admin.query<{ count: number }>(
    'select count(*)::int as count from admin.audit',
  )
  return rows[0]?.count ?? 0
}

/** Every entry is in the chain once, and the chain is correct. */
async function assertComplete() {
  assert.equal(await setup.faultOf(), undefined)
  const rows = await many(setup.harness.context.db, readChain(1n, 10_000))
  assert.equal(rows.length, await countEntries())
  assert.equal(new Set(rows.map(({ entryId }) => entryId)).size, rows.length)
}

describe('the hash chain of the audit log', () => {
  it('contains the entries of concurrent transactions, and none of those that are rolled back', async () => {
    const { db } = setup.harness.context
    const failure = new Error('rolled back')
    const works = Array.from({ length: 60 }, (_, index) =>
      inTransaction(db, async (tx) => {
        await setup.write(1 + (index % 3), tx)
        if (index % 4 === 0) throw failure
      }),
    )
    const results = await Promise.allSettled(works)
    const failed = results.filter(({ status }) => status === 'rejected')
    assert.equal(failed.length, 15)
    for (const each of failed) assert.equal(each.status === 'rejected' && each.reason, failure)
    await assertComplete()
  })

  it('is in the order of the commits: an open transaction makes nobody wait', async () => {
    const open = await openTransaction()
    await setup.write(1)
    const { seq } = await setup.head()
    await open.commit()
    const rows = await many(setup.harness.context.db, readChain(seq, 10))
    assert.deepEqual(
      rows.map((row) => row.seq),
      [seq, seq + 1n],
    )
    const [first, second] = rows.map(({ entryId }) => entryId)
    assert(first !== undefined && second !== undefined && first > second)
    await assertComplete()
  })
})
