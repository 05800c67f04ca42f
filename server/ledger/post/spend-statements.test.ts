/** What limits cost a batch. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { clientConfig } from '../../database/connect.ts'
import { makeClientApp, makeLinkedUser, type TestApp } from '../../test/factories.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import { setLimit } from '../../test/ledger/spend-setup.ts'
import { runBatch, type LaneClient } from './batch.ts'
import { digestPair } from '../digest.ts'

let harness: Harness
let client: pg.Client
let app: TestApp
let reference = 0
before(async () => {
  harness = await startHarness({ VERIFY_PERCENT: '0' })
  app = await makeClientApp(harness.context)
  client = new pg.Client(clientConfig(harness.databaseUrl))
  await client.connect()
})
after(async () => {
  await client.end()
  await harness.end()
})

/** Debits each wallet in one batch. Returns the names of the statements and the refusals. */
async function debit(walletIds: bigint[]) {
  const names: string[] = []
  const watched = Object.create(client) as LaneClient
  watched.query = ((statement: string | pg.QueryConfig) => {
    names.push(typeof statement === 'string' ? statement : (statement.name ?? statement.text))
    return client.query(statement)
  }) as LaneClient['query']
  const requests = walletIds.map((walletId) => {
    const pair = { referenceType: 'TEST', referenceId: `statement-${++reference}` }
    const digest = digestPair(app.ledgerAccount, pair.referenceType, pair.referenceId)
    const sent = { kind: 'debit' as const, walletId, amountMinor: 1_00n, description: null }
    return { ...sent, ...pair, counterAccount: app.ledgerAccount, scope: app.ledgerAccount, digest }
  })
  const outcomes = await runBatch(watched, requests, { mode: 'wait' })
  return { names, refusals: outcomes.map((each) => 'decision' in each && each.decision.refusal) }
}

const PLAIN = [
  'begin',
  'lock-wallets-wait',
  'read-clock',
  'lock-running-balances-wait',
  'find-decisions',
  'write-batch',
  'commit',
]

describe('a batch', () => {
  it('has no statement about limits if none of its wallets has one', async () => {
    const users = await Promise.all(
      [1, 2, 3].map(() => makeLinkedUser(harness.context, app, 10_00n)),
    )
    const { names } = await debit(users.map(({ walletId }) => walletId))
    assert.deepEqual(names, PLAIN)
  })

  it('reads the limits of its wallets, and writes those whose counters changed', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => makeLinkedUser(harness.context, app, 10_00n)),
    )
    assert(first && second)
    await setLimit({ harness, app, user: first }, { day: 1_00n })
    const ids = [first.walletId, second.walletId]
    const more = await debit(ids)
    assert.deepEqual(more.names, [
      ...PLAIN.slice(0, 5),
      'read-spend-limits',
      'write-batch',
      'write-spends',
      'commit',
    ])
    assert.deepEqual(more.refusals, [null, null])
    const refused = await debit(ids)
    assert.ok(!refused.names.includes('write-spends'))
    assert.deepEqual(refused.refusals, ['SPEND_LIMIT_EXCEEDED', null])
  })

  it('has no statement about them after the last limit of the wallet is removed', async () => {
    const user = await makeLinkedUser(harness.context, app, 10_00n)
    const other = await makeClientApp(harness.context)
    const { spendLimits } = harness.context.ledger
    await setLimit({ harness, app, user }, { day: 5_00n })
    await setLimit({ harness, app: other, user }, { day: 5_00n })
    await spendLimits.set(user.walletId, app.ledgerAccount, null)
    assert.ok((await debit([user.walletId])).names.includes('read-spend-limits'))
    await spendLimits.set(user.walletId, other.ledgerAccount, null)
    assert.deepEqual((await debit([user.walletId])).names, PLAIN)
  })

  it('is rolled back if the row of a limit is missing', async () => {
    const user = await makeLinkedUser(harness.context, app, 10_00n)
    await setLimit({ harness, app, user }, { day: 5_00n })
    await harness.admin.query(`
      create function hide() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger hide before update on ledger.spend_limits for each row execute function hide()`)
    try {
      await assert.rejects(debit([user.walletId]), /only 0 spending limits were updated/)
    } finally {
      await client.query('rollback')
      await harness.admin.query('drop function hide() cascade')
    }
    const wallet = await harness.context.ledger.readWallet(user.walletId)
    assert.equal(wallet?.balance, 10_00n)
  })
})
