/** balance.changed when processes run at the same time, stop, or meet other transactions. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readNewOperations } from '../../books/read-new-operations.ts'
import { createPool } from '../../database/connect.ts'
import { unlink } from '../../identity/link.ts'
import {
  moveMark,
  noteBalances,
  openBalanceWatcher,
  makeBalanceEventsDue,
  reportAll,
} from '../../test/events/balance-setup.ts'
import { eventsOf, listFeed, untilNumbered, withoutOutbox } from '../../test/events/feed-setup.ts'
import { giveBonus } from '../../test/factories.ts'
import { connectAdmin, startHarness, type Harness } from '../../test/harness.ts'
import { detachMonths } from '../../test/ledger/partition-setup.ts'
import { balanceOf, pay } from '../../test/ledger/refund-setup.ts'
import type { Setup } from '../../test/setup.ts'
import { NOTE_CHANGED_BALANCES, reportBalances } from './report-balances.ts'

let harness: Harness
before(async () => {
  harness = await startHarness({ VERIFY_PERCENT: '0' })
})
after(() => harness.end())

const give = ({ user }: Setup) => giveBonus(harness.context.ledger, user.walletId, 1_00n)
const openPools = () =>
  [1, 2, 3].map(() => createPool(harness.databaseUrl, { size: 2, barrier: false }))

async function changesOf(shop: Setup) {
  return (await listFeed(shop)).filter(({ type }) => type === 'balance.changed')
}

describe('balance.changed', () => {
  it('is neither lost nor doubled by processes that work at the same time', async () => {
    const watchers = await Promise.all(
      Array.from({ length: 10 }, () => openBalanceWatcher(harness)),
    )
    await reportAll(harness)
    const { admin, context } = harness
    const { metrics } = context
    const pools = openPools()
    await Promise.all(watchers.map(give))
    await moveMark(admin)
    await Promise.all(
      pools.map((db) => readNewOperations({ backgroundDb: db, metrics }, [NOTE_CHANGED_BALANCES])),
    )
    await noteBalances(harness)
    await admin.query('update events.changed_balances set due_at = now()')
    await Promise.all(pools.map((db) => reportBalances(db)))
    await makeBalanceEventsDue(harness)
    for (const shop of watchers) assert.equal((await changesOf(shop)).length, 1)
    for (const pool of pools) await pool.end()
  })

  it('reports the last balance while operations, readers and reports overlap', async () => {
    const watchers = await Promise.all(Array.from({ length: 4 }, () => openBalanceWatcher(harness)))
    const { admin, context } = harness
    const { metrics } = context
    const pools = openPools()
    const work = { isDone: false }
    const working = pools.map(async (db) => {
      while (!work.isDone) {
        await readNewOperations({ backgroundDb: db, metrics }, [NOTE_CHANGED_BALANCES])
        await db.query('update events.changed_balances set due_at = clock_timestamp()')
        await reportBalances(db)
      }
    })
    for (let round = 0; round < 10; round++) {
      await Promise.all(watchers.map(give))
      await moveMark(admin)
    }
    work.isDone = true
    await Promise.all(working)
    await reportAll(harness)
    for (const shop of watchers) {
      const last = (await changesOf(shop)).at(-1)
      assert.equal(last?.data.balance, Number(await balanceOf(shop)) / 100)
    }
    for (const pool of pools) await pool.end()
  })

  it('comes once after its report failed', async () => {
    const shop = await openBalanceWatcher(harness)
    await reportAll(harness)
    await give(shop)
    await noteBalances(harness)
    const found = await eventsOf(shop, async () => {
      await untilNumbered(harness.admin)
      await withoutOutbox(harness.admin, async () => {
        await harness.admin.query('update events.changed_balances set due_at = now()')
        await assert.rejects(reportBalances(harness.context.backgroundDb), /refused/)
      })
      await makeBalanceEventsDue(harness)
      await reportAll(harness)
    })
    assert.equal(found.length, 1)
  })

  it('does not come after link.ended, and waits for a transaction that may end the link', async () => {
    const [shop, staying] = [await openBalanceWatcher(harness), await openBalanceWatcher(harness)]
    await reportAll(harness)
    await give(shop)
    await give(staying)
    await noteBalances(harness)
    const { admin, databaseUrl } = harness
    const ending = await connectAdmin(databaseUrl)
    await ending.query('begin')
    await ending.query(
      'update directory.links set ended_at = now() where service_user_id = any($1::bigint[])',
      [[shop.user.id, staying.user.id]],
    )
    await admin.query('update events.changed_balances set due_at = now()')
    await reportBalances(harness.context.backgroundDb)
    await untilNumbered(admin)
    assert.deepEqual(await changesOf(shop), [])
    await ending.query('rollback')
    await ending.end()
    await unlink(harness.context.db, shop.app.id, shop.user.id)
    await makeBalanceEventsDue(harness)
    assert.deepEqual(await changesOf(shop), [])
    assert.equal((await changesOf(staying)).length, 1)
  })

  it('comes after months were archived, and the wallet of a deleted person causes none', async () => {
    const shop = await openBalanceWatcher(harness)
    const closed = await openBalanceWatcher(harness)
    await reportAll(harness)
    await give(closed)
    await noteBalances(harness)
    await pay(closed, 101)
    await unlink(harness.context.db, closed.app.id, closed.user.id)
    const { db, ledger } = harness.context
    assert.equal(await ledger.closeWallet(closed.user.walletId, db), true)
    const restore = await detachMonths(harness.admin)
    await harness.admin.query(
      `update books.reader_position set read_to = now() - interval '70 days'`,
    )
    await give(shop)
    await reportAll(harness)
    await restore()
    assert.equal((await changesOf(shop)).length, 1)
    assert.deepEqual(await changesOf(closed), [])
  })
})
