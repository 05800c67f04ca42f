import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openLease, type Lease } from '../database/leases.ts'
import { one } from '../database/statement.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { READ_VERIFICATION } from './verification-queries.ts'
import { createBooksVerifier } from './verify-books.ts'
import { FIRST_POSITION } from './verify-portion.ts'

describe('the position of the continuous verifier', () => {
  let harness: Harness
  let lease: Lease
  before(async () => {
    harness = await startHarness({ VERIFY_PERCENT: '0' })
    lease = openLease(harness.context.db, 'verify-books')
  })
  after(async () => {
    await lease.release()
    await harness.end()
  })
  beforeEach(async () => {
    await harness.admin.query(
      'update books.verification set position = null, round_began_at = null',
    )
    assert(await lease.take())
  })

  it('is not changed by a process that was paused while another one took over', async () => {
    const { admin, context } = harness
    const paused = createBooksVerifier(context, lease)
    assert.equal(await paused.work(), 'worked')
    await admin.query(`update directory.leases set held_until = now() where job = 'verify-books'`)
    const next = openLease(context.db, 'verify-books')
    assert(await next.take())
    const { rows } = await admin.query('select * from books.verification')
    await assert.rejects(paused.work(), /another process has taken over the job verify-books/)
    assert.deepEqual((await admin.query('select * from books.verification')).rows, rows)
    await next.release()
  })

  it('ends with an error between two statements when the process stops', async () => {
    const stopped = AbortSignal.abort()
    await assert.rejects(createBooksVerifier(harness.context, lease).work(stopped), /abort/)
  })

  it('allows the round to continue after the trial balance failed', async () => {
    const verifier = createBooksVerifier(harness.context, lease)
    await harness.admin.query('revoke select on ledger.accounts from coffer_service')
    try {
      await assert.rejects(verifier.work(), /permission denied/)
      assert.equal(await verifier.work(), 'worked')
    } finally {
      await harness.admin.query('grant select on ledger.accounts to coffer_service')
    }
    const verification = await one(harness.context.db, READ_VERIFICATION)
    assert.notDeepEqual(verification?.position, FIRST_POSITION)
  })

  it('is not needed to export when the books were last balanced and verified', async () => {
    await harness.admin.query(
      `update books.verification set balanced_at = '2026-01-03', verified_at = '2026-01-02'`,
    )
    await createBooksVerifier(harness.context, lease).updateMetrics()
    const text = await harness.context.metrics.registry.metrics()
    const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    assert.equal(read('coffer_books_balanced_at_seconds'), Date.parse('2026-01-03') / 1000)
    assert.equal(read('coffer_books_verified_at_seconds'), Date.parse('2026-01-02') / 1000)
  })
})
