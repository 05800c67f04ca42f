/** Slow searches of operators do not take the connections that debits, people and a pause need. */
import { readAudit } from '@coffer/contract/admin/audit'
import { listPeople } from '@coffer/contract/admin/people'
import { confirmOperator } from '@coffer/contract/admin/sign-in'
import { pauseWrites } from '@coffer/contract/admin/switches'
import { debit, readWallet } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { askAs, freshCode, openAdminSetup, type AdminSetup } from '../test/admin-setup.ts'
import { connectAdmin } from '../test/harness.ts'
import { call, addShop } from '../test/setup.ts'

describe('operators who search while the database is slow', () => {
  let setup: AdminSetup
  before(async () => {
    setup = await openAdminSetup()
  })
  after(() => setup.harness.end())

  it('do not delay a debit', async () => {
    const { harness } = setup
    const shop = await addShop(harness)
    const holder = await connectAdmin(harness.databaseUrl)
    await holder.query('begin; lock table admin.audit in access exclusive mode')
    const searches = Array.from({ length: 12 }, () => askAs(setup, setup.viewer, readAudit, {}))
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%admin.audit%'
      and datname = current_database()`
    while ((await harness.admin.query(waiting)).rows.length === 0) await new Promise(setImmediate)
    const { serviceUserId } = shop.user
    const fields = { serviceUserId, amount: 1, referenceType: 'ORDER', referenceId: randomUUID() }
    for (const response of [
      await call(shop, debit, fields),
      await call(shop, readWallet, { serviceUserId }),
    ]) {
      assert.equal(response.statusCode, 200, response.body)
    }
    // The searches are still waiting: nothing that the debit needed was behind them.
    assert.notEqual((await harness.admin.query(waiting)).rows.length, 0)
    await holder.end()
    await Promise.all(searches)
  })

  it('do not delay a pause, nor the confirmation that it needs', async () => {
    const { harness, viewer, owner } = setup
    const holder = await connectAdmin(harness.databaseUrl)
    await holder.query('begin; lock table directory.people in access exclusive mode')
    const searches = Array.from({ length: 12 }, () => askAs(setup, viewer, listPeople, {}))
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock'
      and query like '%directory.people%' and datname = current_database()`
    while ((await harness.admin.query(waiting)).rows.length === 0) await new Promise(setImmediate)
    const proof = { password: owner.password, code: await freshCode(harness, owner) }
    for (const response of [
      await askAs(setup, owner, confirmOperator, proof),
      await askAs(setup, owner, pauseWrites, { isPaused: true, reason: 'A leaked secret' }),
      await askAs(setup, owner, pauseWrites, { isPaused: false }),
    ]) {
      assert.equal(response.statusCode, 200, response.body)
    }
    assert.notEqual((await harness.admin.query(waiting)).rows.length, 0)
    await holder.end()
    await Promise.all(searches)
  })
})
