/** A batch that does not update every wallet that it decided about is rolled back. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { clientConfig } from '../../database/connect.ts'
import { makeUser } from '../../test/factories.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import { decide } from './decide.ts'
import { digestPair } from '../digest.ts'
import * as query from '../queries.ts'
import { writeBatch } from './write-queries.ts'
import type { WalletState } from '../types.ts'

describe('the write statement of a batch', () => {
  let harness: Harness
  let client: pg.Client
  before(async () => {
    harness = await startHarness({ VERIFY_PERCENT: '0' })
    client = new pg.Client(clientConfig(harness.databaseUrl))
    await client.connect()
  })
  after(async () => {
    await client.end()
    await harness.end()
  })

  /** Writes a batch with a bonus for each wallet, after `change` has changed what the locks returned. */
  async function writeBonuses(
    walletIds: bigint[],
    change: (locked: query.LockedWalletRow[]) => void,
  ): Promise<unknown> {
    await client.query('begin')
    try {
      const { rows } = await client.query<query.LockedWalletRow>(
        query.lockWallets(walletIds, 'wait'),
      )
      change(rows)
      const nowMs = Date.now()
      const requests = walletIds.map((walletId) => {
        const pair = { referenceType: 'TEST', referenceId: randomUUID() }
        const bonus = { kind: 'bonus' as const, walletId, amountMinor: 5n, counterAccount: 2 }
        const digest = digestPair(0, pair.referenceType, pair.referenceId)
        return { ...bonus, ...pair, description: null, scope: 0, digest }
      })
      const wallets = new Map(rows.map((row) => [row.id, query.toWallet(row)]))
      const output = decide({
        wallets,
        decided: new Map(),
        runningBalances: new Map(),
        requests,
        nowMs,
      })
      const places = new Map(rows.map((row) => [row.id, row.place]))
      await client.query(writeBatch(output, nowMs, places))
      return undefined
    } catch (error) {
      return error instanceof pg.DatabaseError ? error.code : error
    } finally {
      await client.query('commit')
    }
  }

  async function read(walletIds: bigint[]): Promise<Pick<WalletState, 'balance' | 'seq'>[]> {
    const found = await Promise.all(walletIds.map((id) => harness.context.ledger.readWallet(id)))
    return found.map((wallet) => ({ balance: wallet?.balance ?? 0n, seq: wallet?.seq ?? 0n }))
  }

  it('updates every wallet', async () => {
    const ids = [await makeUser(harness.context), await makeUser(harness.context)].map(
      ({ walletId }) => walletId,
    )
    assert.equal(await writeBonuses(ids, () => undefined), undefined)
    assert.deepEqual(await read(ids), [
      { balance: 5n, seq: 1n },
      { balance: 5n, seq: 1n },
    ])
  })

  for (const [title, change] of [
    ['is at another place', (row: query.LockedWalletRow) => (row.place = '(999,1)')],
    ['already has this number of operations', (row: query.LockedWalletRow) => (row.seq -= 1n)],
  ] as const) {
    it(`is rolled back if a wallet ${title}`, async () => {
      const users = [await makeUser(harness.context, 100n), await makeUser(harness.context, 100n)]
      const ids = users.map(({ walletId }) => walletId)
      const spoil = (rows: query.LockedWalletRow[]) => rows.slice(1).forEach(change)
      assert.equal(await writeBonuses(ids, spoil), '22P02')
      assert.deepEqual(await read(ids), [
        { balance: 100n, seq: 1n },
        { balance: 100n, seq: 1n },
      ])
      const { rowCount } = await harness.admin.query(
        'select from ledger.operations where wallet_id = any($1)',
        [ids],
      )
      assert.equal(rowCount, 2)
    })
  }
})
