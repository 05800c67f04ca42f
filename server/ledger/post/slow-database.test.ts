/** Which requests are accepted when the database is slow, and which are refused. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { ServiceError } from '../../service-error.ts'
import { makeUser } from '../../test/factories.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import { Ledger } from '../ledger.ts'
import { verify } from '../verify/verify.ts'

describe('the ledger on a slow database', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  it('executes accepted requests promptly, refuses the rest promptly, and still accepts another app', async (test) => {
    const { walletId: flooded } = await makeUser(harness.context, 1_000_000n)
    const { walletId: other } = await makeUser(harness.context, 1_000n)
    // 4 ms per operation: 1 500 operations would take 6 s.
    await harness.admin.query(`
      create function ledger.slow() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.004); return new; end $$;
      create trigger slow before insert on ledger.operations
        for each row execute function ledger.slow()`)
    const ledger = new Ledger({ databaseUrl: harness.databaseUrl })
    const [flooder, modest] = await Promise.all([
      ledger.openAccount('flooder', null),
      ledger.openAccount('modest', null),
    ])
    const post = async (walletId: bigint, counterAccount: number) => {
      const sentMs = performance.now()
      const reference = { referenceType: 'SLOW', referenceId: randomUUID(), description: null }
      const request = { kind: 'debit', amountMinor: 1n, walletId, counterAccount } as const
      const response = await ledger.post({ ...request, ...reference }).then(
        () => 'posted',
        (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
      )
      return { response, tookMs: performance.now() - sentMs, referenceId: reference.referenceId }
    }
    const flood = Array.from({ length: 1_500 }, () => post(flooded, flooder))
    const beside = await post(other, modest)
    const results = await Promise.all(flood)
    const count = Object.groupBy(results, ({ response }) => response)
    const slowestMs = Math.max(...results.map(({ tookMs }) => tookMs))
    test.diagnostic(
      `${count['posted']?.length} posted, ${count['SERVICE_UNAVAILABLE']?.length} refused, the last after ${slowestMs.toFixed(0)} ms`,
    )
    assert.deepEqual(Object.keys(count).toSorted(), ['SERVICE_UNAVAILABLE', 'posted'])
    assert.ok((count['SERVICE_UNAVAILABLE']?.length ?? 0) > 500)
    assert.ok(slowestMs < 6_000, `the last response came after ${slowestMs} ms`)
    assert.equal(beside.response, 'posted')
    await ledger.close()
    const { rows } = await harness.admin.query<{ reference_id: string }>(
      `select reference_id from ledger.operations where reference_type = 'SLOW' and wallet_id = $1`,
      [flooded],
    )
    assert.deepEqual(
      new Set(rows.map((row) => row.reference_id)),
      new Set(count['posted']?.map(({ referenceId }) => referenceId)),
    )
    const client = await harness.context.db.connect()
    assert.equal((await verify(client, {})).fault, undefined)
    client.release()
  })
})
