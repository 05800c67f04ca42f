import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startHarness, type Harness } from '../test/harness.ts'
import { one } from '../database/statement.ts'
import { READ_PROOF } from './proof-queries.ts'
import { createProver } from './prove-books.ts'
import { FIRST_PLACE } from './walk-books.ts'

describe('the claim of the continuous verifier', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness({ VERIFY_PERCENT: '0' })
  })
  after(() => harness.end())

  it('is kept during a long rest, and free soon after a rest that does not end', async () => {
    const { admin, context } = harness
    const [resting, other] = [1, 2].map(() => createProver(context, randomUUID()))
    await resting?.hold(20_000)
    assert.equal(await other?.work(), 'idle')
    // As if so much time had passed: the rest, and the longest that a portion can take.
    await admin.query(`update books.proof set held_until = held_until - interval '110 seconds'`)
    assert.equal(await other?.work(), 'worked')
  })

  const release = () =>
    harness.admin.query(
      'update books.proof set held_until = now(), place = null, round_began_at = null',
    )

  it('ends with an error between two statements when the process stops', async () => {
    await release()
    const stopped = AbortSignal.abort()
    await assert.rejects(createProver(harness.context, randomUUID(), stopped).work(), /abort/)
  })

  it('allows the round to continue after the trial balance failed', async () => {
    await release()
    const prover = createProver(harness.context, randomUUID())
    await harness.admin.query('revoke select on ledger.accounts from coffer_service')
    try {
      await assert.rejects(prover.work(), /permission denied/)
      assert.equal(await prover.work(), 'worked')
    } finally {
      await harness.admin.query('grant select on ledger.accounts to coffer_service')
    }
    const proof = await one(harness.context.db, READ_PROOF)
    assert.notDeepEqual(proof?.place, FIRST_PLACE)
  })

  it('is not needed to export when the books were last balanced and proved', async () => {
    await release()
    await harness.admin.query(
      `update books.proof set balanced_at = '2026-01-02', proved_at = '2026-01-01'`,
    )
    assert.equal(await createProver(harness.context, randomUUID()).work(), 'worked')
    await harness.admin.query(
      `update books.proof set balanced_at = '2026-01-03', proved_at = '2026-01-02'`,
    )
    assert.equal(await createProver(harness.context, randomUUID()).work(), 'idle')
    const text = await harness.context.metrics.registry.metrics()
    const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    assert.equal(read('coffer_books_balanced_at_seconds'), Date.parse('2026-01-03') / 1000)
    assert.equal(read('coffer_books_proved_at_seconds'), Date.parse('2026-01-02') / 1000)
  })
})
