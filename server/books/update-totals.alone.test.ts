import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { clientConfig } from '../database/connect.ts'
import {
  completeTotals,
  assertTotals,
  countInTotals,
  countOperations,
  blockTotals,
  post,
  updateTotalsOnce,
} from '../test/books-setup.ts'
import { makeClientApp, makeUser, type TestApp, type TestUser } from '../test/factories.ts'
import { connectAdmin, startHarness, type Harness } from '../test/harness.ts'
import { EXTEND_TIMEOUTS, TAKE_PROGRESS } from './totals-queries.ts'
import { updateTotals } from './update-totals.ts'

let harness: Harness
let app: TestApp
let users: TestUser[]
before(async () => {
  harness = await startHarness({ VERIFY_PERCENT: '0' })
  await blockTotals(harness.admin)
  app = await makeClientApp(harness.context)
  users = await Promise.all(Array.from({ length: 8 }, () => makeUser(harness.context, 1_000_00n)))
})
after(() => harness.end())

const randomUser = () => users[Math.floor(Math.random() * users.length)] as TestUser
const pay = (user = randomUser()) =>
  post(harness, Math.random() < 0.7 ? 'debit' : 'credit', {
    walletId: user.walletId,
    account: app.ledgerAccount,
    amountMinor: BigInt(1 + Math.floor(Math.random() * 500)),
  })

/** Inserts an operation with a time in the distant past or in the future, as a wrong clock would. */
async function plant(createdAt: string, seq: number) {
  await harness.admin.query(
    `insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at, counter_account, kind,
       reference_type, reference_id, hash)
     values (999999, $2::bigint, -100, 0, $1, $3, 'debit', 'PLANTED', $2::bigint::text, sha256('x'))`,
    [createdAt, seq, app.ledgerAccount],
  )
}

describe('updating the totals', () => {
  it('counts every operation once while two processes update the totals and operations are posted', async () => {
    const startMs = performance.now()
    let posted = 0
    const over = new AbortController()
    const posting = Promise.all(
      Array.from({ length: 6 }, async () => {
        while (posted < 600 || performance.now() - startMs < 2_500) {
          await pay()
          posted++
        }
      }),
    ).finally(() => over.abort())
    const other = new pg.Pool({ ...clientConfig(harness.databaseUrl), max: 1 })
    const adding = [harness.context.db, other].map(async (db) => {
      while (!over.signal.aborted) await updateTotalsOnce(harness, db)
    })
    await Promise.all([posting, ...adding])
    await other.end()
    await assertTotals(harness.admin)
    await completeTotals(harness)
    await assertTotals(harness.admin)
    const operations = await countOperations(harness.admin)
    assert(operations > 500, `only ${operations} operations were posted`)
    assert.equal(await countInTotals(harness.admin), operations)
  })

  it('waits for a batch that has read the clock but is not committed', async () => {
    const blocker = await connectAdmin(harness.databaseUrl)
    await completeTotals(harness)
    // The batch has its transaction id and its time, but cannot write its keys.
    await blocker.query('begin')
    await blocker.query('lock table ledger.operation_keys in share mode')
    const posted = pay(users[0])
    await sleep(300)
    let totalsUpTo = new Date(0)
    for (let turn = 0; turn < 3; turn++) totalsUpTo = await completeTotals(harness)
    await blocker.query('commit')
    await blocker.end()
    const { decision } = await posted
    assert(
      totalsUpTo.getTime() <= decision.decidedAtMs,
      'it rolled up beyond an uncommitted operation',
    )
    await completeTotals(harness)
    await assertTotals(harness.admin)
    assert.equal(await countInTotals(harness.admin), await countOperations(harness.admin))
  })

  it('leaves nothing half done when it is killed, and the next process continues', async () => {
    await pay()
    await completeTotals(harness)
    await pay()
    const victim = new pg.Client(clientConfig(harness.databaseUrl))
    victim.on('error', () => undefined)
    await victim.connect()
    const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid')
    await victim.query('begin')
    await victim.query(EXTEND_TIMEOUTS)
    assert.equal((await victim.query(TAKE_PROGRESS)).rows.length, 1)
    await victim.query(`update books.totals set count = count + 1`)
    const counted = await countInTotals(harness.admin)
    await updateTotals(harness.context)
    assert.equal(await countInTotals(harness.admin), counted, 'it did not wait for its turn')
    await harness.admin.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await sleep(100)
    await completeTotals(harness)
    await assertTotals(harness.admin)
    assert.equal(await countInTotals(harness.admin), await countOperations(harness.admin))
  })

  it('counts what is held in the parts of an hour', async () => {
    const { walletId } = users[0] as TestUser
    for (let turn = 1; turn <= 3; turn++) {
      const { decision } = await harness.context.ledger.post({
        kind: 'hold',
        referenceType: 'HOLD',
        referenceId: `hold-${turn}`,
        walletId,
        amountMinor: 5n,
        counterAccount: app.ledgerAccount,
        description: null,
        hold: { expiresInMs: 60_000 },
      })
      assert.equal(decision.refusal, null)
      await completeTotals(harness)
      await assertTotals(harness.admin)
    }
  })

  it('uses UTC days, and a second run changes nothing', async () => {
    const { rows } = await harness.admin.query<{ day: string }>(
      `select ((now() at time zone 'UTC')::date - 1)::text as day`,
    )
    const [day] = rows.map((row) => row.day)
    await plant(`${day}T23:59:59.999Z`, 1)
    await plant(`${day}T22:00:00.000Z`, 2)
    await harness.admin.query(
      `truncate books.hours, books.days, books.totals; update books.progress set totals_up_to = now() - interval '3 days'`,
    )
    await completeTotals(harness)
    await assertTotals(harness.admin)
    const planted = await harness.admin.query(
      `select to_char(day, 'YYYY-MM-DD') as day, count::int from books.days
       where account = $1 and day = $2`,
      [app.ledgerAccount, day],
    )
    assert.deepEqual(planted.rows, [{ day, count: 2 }])
    const dump = () => harness.admin.query('select * from books.hours order by 1, 2, 3')
    const first = await dump()
    for (let turn = 0; turn < 3; turn++) await completeTotals(harness)
    assert.deepEqual((await dump()).rows, first.rows)
  })

  it('counts an operation with a time in the future once that time has passed', async () => {
    await plant(new Date(Date.now() + 1_500).toISOString(), 3)
    await completeTotals(harness)
    assert.equal(await countInTotals(harness.admin), (await countOperations(harness.admin)) - 1)
    await sleep(1_600)
    await completeTotals(harness)
    await assertTotals(harness.admin)
    assert.equal(await countInTotals(harness.admin), await countOperations(harness.admin))
  })

  it('replaces a mark that comes from another server, as after restoring a dump', async () => {
    await harness.admin.query(`update books.progress set mark_xid = '4611686018427387904'`)
    await pay()
    await completeTotals(harness)
    await completeTotals(harness)
    assert.equal(await countInTotals(harness.admin), await countOperations(harness.admin))
    await assertTotals(harness.admin)
  })
})
