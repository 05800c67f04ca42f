/** A credit limit changes while batches wait for the account or use it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { clientConfig } from '../database/connect.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { makeUser } from '../test/factories.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { changeCreditLimit, readCreditLimit } from './change-credit-limit.ts'
import { Ledger } from './ledger.ts'
import type { LedgerRequest } from './types.ts'
import { verify } from './verify/verify.ts'

let harness: Harness
before(async () => {
  harness = await startHarness()
})
after(() => harness.end())

async function creditOf(counterAccount: number, amountMinor: bigint): Promise<LedgerRequest> {
  const { walletId } = await makeUser(harness.context)
  const reference = { referenceType: 'TEST', referenceId: randomUUID() }
  return { kind: 'credit', walletId, amountMinor, counterAccount, ...reference, description: null }
}

async function assertSound() {
  const client = new pg.Client(clientConfig(harness.databaseUrl))
  await client.connect()
  const report = await verify(client, {})
  await client.end()
  assert.equal(report.fault, undefined)
}

describe('a credit that waits for the account whose limit changes', () => {
  for (const to of [500n, null]) {
    // After 20 ms the lane itself still waits for the lock. After 300 ms the credit has moved to a side lane.
    for (const heldMs of [20, 300]) {
      it(`is decided by the new limit, ${to ?? 'none'}, after ${heldMs} ms`, async () => {
        const { ledger, db } = harness.context
        const account = await ledger.openAccount('settlement', 0n)
        const request = await creditOf(account, 500n)
        const startedMs = performance.now()
        const posted = await inTransaction(db, async (tx) => {
          assert(await changeCreditLimit(tx, account, { from: 0n, to }))
          const waiting = ledger.post(request)
          await sleep(heldMs)
          return { waiting }
        })
        assert.equal((await posted.waiting).decision.refusal, null)
        assert(performance.now() - startedMs < 3_000)
        assert.equal((await ledger.readAccount(account))?.creditLimit, to)
        assert.equal((await ledger.readAccount(account))?.balance, to === null ? null : -500n)
      })
    }
  }
})

describe('changing a credit limit', () => {
  it('to none while two processes post credits loses nothing, and the books verify', async () => {
    const { ledger, db } = harness.context
    const other = new Ledger({ databaseUrl: harness.databaseUrl })
    const account = await ledger.openAccount('settlement', 1_000n)
    const requests = await Promise.all(Array.from({ length: 200 }, () => creditOf(account, 50n)))
    const outcomes = Promise.all(
      requests.map(async (request, at) => {
        await sleep(at)
        return (at % 2 === 0 ? ledger : other).post(request)
      }),
    )
    await sleep(100)
    await inTransaction(db, async (tx) => {
      assert(await changeCreditLimit(tx, account, { from: 1_000n, to: null }))
    })
    const refused = (await outcomes).filter(({ decision }) => decision.refusal !== null)
    assert(refused.length < 180, `${refused.length} were refused`)
    const { rows } = await harness.admin.query<{ sum: string }>(
      'select sum(amount) from ledger.operations where counter_account = $1',
      [account],
    )
    assert.equal(Number(rows[0]?.sum), (200 - refused.length) * 50)
    await assertSound()
    await other.close()
  })

  it('changes nothing if the limit has changed meanwhile, if there is no limit, or if the new limit is below the amount owed', async () => {
    const { ledger, db } = harness.context
    const limited = await ledger.openAccount('settlement', 1_000n)
    const unlimited = await ledger.openAccount('settlement', null)
    await ledger.post(await creditOf(limited, 600n))
    await inTransaction(db, async (tx) => {
      const change = (account: number, from: bigint, to: bigint | null) =>
        changeCreditLimit(tx, account, { from, to })
      assert.equal(await change(limited, 999n, 2_000n), false)
      assert.equal(await change(limited, 999n, null), false)
      assert.equal(await change(limited, 1_000n, 599n), false)
      assert.equal(await change(unlimited, 0n, 2_000n), false)
      assert.equal(await readCreditLimit(tx, limited), 1_000n)
      assert.equal(await change(limited, 1_000n, 600n), true)
      assert.equal(await readCreditLimit(tx, limited), 600n)
    })
  })
})
