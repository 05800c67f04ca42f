/** A batch that waits for an account applies the credit limit that it reads after it gets the account's lock. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { makeUser } from '../test/factories.ts'
import { startHarness, type Harness } from '../test/harness.ts'

describe('a credit limit that changes while a credit waits for its account', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  for (const { title, from, to, waited, later } of [
    { title: 'raised', from: 0n, to: 1_000n, waited: 'posted', later: 'posted' },
    {
      title: 'lowered',
      from: 1_000n,
      to: 0n,
      waited: 'CREDIT_LIMIT_EXCEEDED',
      later: 'CREDIT_LIMIT_EXCEEDED',
    },
  ]) {
    // Longer than a lane waits for a lock, so that a side lane takes the credit; and shorter, so that the lane keeps
    // it.
    for (const heldMs of [400, 20]) {
      it(`applies the ${title} limit after ${heldMs} ms`, async () => {
        const { ledger } = harness.context
        const { walletId } = await makeUser(harness.context)
        const account = await ledger.openAccount('app', from)
        const credit = async (referenceId: string) => {
          const pair = { referenceType: 'TEST', referenceId, description: null }
          const amount = { walletId, amountMinor: 500n, counterAccount: account }
          const outcome = await ledger.post({ kind: 'credit', ...amount, ...pair })
          return outcome.decision.refusal ?? 'posted'
        }
        await harness.admin.query('begin')
        await harness.admin.query('update ledger.accounts set credit_limit = $2 where id = $1', [
          account,
          to,
        ])
        const waiting = credit('one')
        await sleep(heldMs)
        await harness.admin.query('commit')
        assert.equal(await waiting, waited)
        assert.equal(await credit('one'), waited)
        assert.equal(await credit('two'), later)
      })
    }
  }
})
