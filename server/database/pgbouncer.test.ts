/** Behind PgBouncer: session mode works, transaction mode is refused. */
import { debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skipWithout } from '../../scripts/find-program.ts'
import { cloneDatabase } from '../test/database.ts'
import { startHarness } from '../test/harness.ts'
import { startPgBouncer } from '../test/pgbouncer.ts'
import { call, addShop } from '../test/setup.ts'
import { refuseTransactionPooling } from './refuse-transaction-pooling.ts'

const skip = skipWithout('pgbouncer')

describe('PgBouncer', { skip }, () => {
  it('in session mode: the service has its role and its timeouts, and debits work', async () => {
    const database = await cloneDatabase()
    const bouncer = await startPgBouncer(database.url, 'session')
    await refuseTransactionPooling(bouncer.url)
    const harness = await startHarness({ DATABASE_URL: bouncer.url })
    const { rows } = await harness.context.db.query(
      `select current_user as role, current_setting('statement_timeout') as timeout`,
    )
    assert.deepEqual(rows, [{ role: 'coffer_service', timeout: '5s' }])
    const shop = await addShop(harness)
    const { serviceUserId } = shop.user
    const fields = { serviceUserId, amount: 1, referenceType: 'ORDER', referenceId: '1' }
    const [first, again] = [await call(shop, debit, fields), await call(shop, debit, fields)]
    assert.equal(first.statusCode, 200, first.body)
    assert.equal(again.headers['idempotency-replayed'], 'true')
    await harness.end()
    await bouncer.stop()
    await database.drop()
  })

  it('in transaction mode: the service does not start', async () => {
    const database = await cloneDatabase()
    const bouncer = await startPgBouncer(database.url, 'transaction')
    await assert.rejects(refuseTransactionPooling(bouncer.url), /pooler in transaction mode/)
    await bouncer.stop()
    await database.drop()
  })
})

describe('a direct connection', () => {
  it('is accepted', async () => {
    const database = await cloneDatabase()
    await refuseTransactionPooling(database.url)
    await database.drop()
  })
})
