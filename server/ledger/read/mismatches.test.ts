/** The table of mismatches stays small. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeUser } from '../../test/factories.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import { SERVICE_SCOPE } from '../types.ts'

describe('mismatches', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness({ VERIFY_PERCENT: '0' })
  })
  after(() => harness.end())

  const count = async () => (await harness.admin.query('select from ledger.mismatches')).rows.length

  it('are recorded about 200 times per pair, and for other pairs still', async () => {
    const { ledger } = harness.context
    const { walletId } = await makeUser(harness.context)
    const post = (referenceId: string, amountMinor: bigint) => {
      const pair = { referenceType: 'TEST', referenceId, description: null }
      return ledger.post({ kind: 'bonus', walletId, amountMinor, counterAccount: 2, ...pair })
    }
    await post('loop', 1n)
    for (let round = 0; round < 4; round++) {
      const repeats = Array.from({ length: 150 }, (_, index) => post('loop', BigInt(2 + index)))
      for (const { mismatch } of await Promise.all(repeats)) assert.deepEqual(mismatch, ['amount'])
    }
    const recorded = await count()
    assert(recorded >= 200 && recorded < 200 + 256, `${recorded} are recorded`)
    await post('other', 1n)
    await post('other', 2n)
    assert.equal((await ledger.listMismatches(SERVICE_SCOPE, 'TEST', 'other', 10)).length, 1)
  })

  it('are recorded also for a caller that may only repeat', async () => {
    const { ledger } = harness.context
    const { walletId } = await makeUser(harness.context)
    const pair = { referenceType: 'TEST', referenceId: 'replayed' }
    const lookup = { kind: 'bonus', walletId, counterAccount: 2, ...pair } as const
    await ledger.post({ ...lookup, amountMinor: 1n, description: null })
    assert.deepEqual((await ledger.replay({ ...lookup, amountMinor: 1n }))?.mismatch, [])
    assert.deepEqual((await ledger.replay({ ...lookup, amountMinor: 2n }))?.mismatch, ['amount'])
    const recorded = await ledger.listMismatches(SERVICE_SCOPE, 'TEST', 'replayed', 10)
    assert.deepEqual(
      recorded.map(({ amountMinor, differs }) => [amountMinor, differs]),
      [[2n, ['amount']]],
    )
  })

  it('are deleted after 90 days, and not before', async () => {
    const { ledger, db } = harness.context
    await harness.admin.query('delete from ledger.mismatches')
    await harness.admin.query(
      `insert into ledger.mismatches (digest, kind, amount, differs, attempted_at)
       select gen_random_uuid(), 'bonus', 1, '{amount}', now() - make_interval(days => (array[92, 91, 89, 88])[1 + n / 1000])
       from generate_series(0, 3999) n`,
    )
    assert.equal(await ledger.pruneMismatches(), 2_000)
    assert.equal(await count(), 2_000)
    assert.equal(await ledger.pruneMismatches(), 0)
    await assert.rejects(db.query('delete from ledger.mismatches'), /permission denied/)
  })
})
