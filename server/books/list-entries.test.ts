import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { many } from '../database/statement.ts'
import { BONUS_ACCOUNT } from '../ledger/types.ts'
import { giveBonus, makeUser } from '../test/factories.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { HOUR_MS } from './update-totals.ts'
import { listEntries } from './statement-queries.ts'

describe('the entries of a statement', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  it('contain an operation at the end of an hour once, in the hour that begins', async () => {
    const { admin, context } = harness
    const { walletId } = await makeUser(context, 0n)
    await giveBonus(context.ledger, walletId, 1n)
    const edge = new Date('2025-04-01T13:00:00.000Z')
    await admin.query('update ledger.operations set created_at = $2 where wallet_id = $1', [
      walletId,
      edge,
    ])
    const hourBefore = new Date(edge.getTime() - HOUR_MS)
    const hourAfter = new Date(edge.getTime() + HOUR_MS)
    const countBetween = async (at: Date, end: Date) => {
      const start = { at, walletId: 0n, seq: 0n }
      return (await many(context.db, listEntries(BONUS_ACCOUNT, start, end, 10))).length
    }
    assert.equal(await countBetween(hourBefore, edge), 0)
    assert.equal(await countBetween(edge, hourAfter), 1)
  })
})
