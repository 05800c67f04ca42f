/** The continuous verifier with many wallets. The service's connections end a statement after 5 s. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openLease } from '../database/leases.ts'
import { one } from '../database/statement.ts'
import { blockTotals } from '../test/books-setup.ts'
import { makeUser } from '../test/factories.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { balanceBooks } from './balance-books.ts'
import { READ_VERIFICATION } from './verification-queries.ts'
import { createBooksVerifier } from './verify-books.ts'

const WALLETS = Number(process.env['VOLUME_WALLETS'] ?? 20_000_000)

describe(`the continuous verifier with ${WALLETS.toLocaleString('en')} wallets`, () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness({ VERIFY_PERCENT: '0' })
    const { admin, context } = harness
    await blockTotals(admin)
    await makeUser(context, 500_00n)
    await admin.query(`insert into ledger.wallets select from generate_series(1, ${WALLETS})`)
    await makeUser(context, 500_00n)
    await admin.query('vacuum analyze ledger.wallets')
  })
  after(() => harness.end())

  it('balances the books', async (test) => {
    const startMs = performance.now()
    const balance = await balanceBooks(harness.context)
    test.diagnostic(`${secondsSince(startMs)} s`)
    assert.equal(balance?.fault, undefined)
    assert.equal(balance?.operations, 2n)
  })

  it('finds a changed balance', async () => {
    const change = (by: number) =>
      harness.admin.query(`update ledger.wallets set balance = balance + ${by}
        where id = (select max(id) from ledger.wallets)`)
    await change(1)
    assert.match(String((await balanceBooks(harness.context))?.fault), /wallets hold 100001/)
    await change(-1)
  })

  it('completes a round', async (test) => {
    const startMs = performance.now()
    const lease = openLease(harness.context.db, 'verify-books')
    assert(await lease.take())
    const verifier = createBooksVerifier(harness.context, lease)
    let longestMs = 0
    for (;;) {
      const portionMs = performance.now()
      await verifier.work()
      longestMs = Math.max(longestMs, performance.now() - portionMs)
      const verification = await one(harness.context.db, READ_VERIFICATION)
      assert.equal(verification?.fault, null)
      if (verification?.position === null && verification.verifiedAt !== null) break
    }
    test.diagnostic(`${secondsSince(startMs)} s, longest portion ${Math.round(longestMs)} ms`)
  })
})

function secondsSince(startMs: number): string {
  return ((performance.now() - startMs) / 1000).toFixed(1)
}
