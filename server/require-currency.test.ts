import { findCurrency, type Currency } from '@coffer/contract/money'
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type pg from 'pg'
import { startTemporaryPostgres, type TemporaryPostgres } from '../scripts/temporary-postgres.ts'
import { createPool } from './database/connect.ts'
import { migrate } from './database/migrate.ts'
import { connectAdmin } from './test/harness.ts'
import { requireCurrency } from './require-currency.ts'

const [USD, JPY] = ['USD', 'JPY'].map(findCurrency) as [Currency, Currency]

/** Uses its own PostgreSQL, because commits wait for a standby that does not exist. */
describe('the currency of a database', () => {
  let postgres: TemporaryPostgres
  let admin: pg.Client
  before(async () => {
    postgres = await startTemporaryPostgres({ settings: { fsync: 'off' } })
    await migrate(postgres.url, () => undefined)
    admin = await connectAdmin(postgres.url)
  })
  after(async () => {
    await admin.end()
    await postgres.stop()
  })
  beforeEach(() => admin.query('delete from ledger.currency'))

  async function start(currency: Currency): Promise<void> {
    const db = createPool(postgres.url, { size: 1, barrier: false })
    try {
      await requireCurrency(db, currency)
    } finally {
      await db.end()
    }
  }

  async function readRecorded(): Promise<string[]> {
    const { rows } = await admin.query<{ code: string }>('select code from ledger.currency')
    return rows.map(({ code }) => code)
  }

  it('is recorded by the first start and does not change', async () => {
    await start(JPY)
    await start(JPY)
    await assert.rejects(start(USD), /are in JPY, but CURRENCY is USD\.\nSet CURRENCY=JPY/)
    assert.deepEqual(await readRecorded(), ['JPY'])
  })

  it('is recorded by exactly one of two processes that start at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      await admin.query('delete from ledger.currency')
      const outcomes = await Promise.allSettled([start(USD), start(JPY)])
      const won = [USD, JPY].filter((_, at) => outcomes[at]?.status === 'fulfilled')
      assert.equal(won.length, 1)
      assert.deepEqual(await readRecorded(), [won[0]?.code])
    }
  })

  it('is recorded without waiting for a standby that is not attached', async () => {
    await setSystem('synchronous_standby_names', 'nobody')
    try {
      await start(USD)
      await assert.rejects(start(JPY), /are in USD/)
    } finally {
      await setSystem('synchronous_standby_names', '')
    }
  })

  it('is compared but not recorded on a read-only server', async () => {
    await start(USD)
    await setSystem('default_transaction_read_only', 'on')
    try {
      await start(USD)
      await assert.rejects(start(JPY), /are in USD/)
    } finally {
      await setSystem('default_transaction_read_only', 'off')
    }
    await admin.query('delete from ledger.currency')
    await setSystem('default_transaction_read_only', 'on')
    try {
      await assert.rejects(start(USD), /read-only.*\nPoint DATABASE_URL at the primary/)
    } finally {
      await setSystem('default_transaction_read_only', 'off')
    }
  })

  it('cannot be changed or removed by the service', async () => {
    await start(USD)
    const db = createPool(postgres.url, { size: 1, barrier: false })
    for (const statement of [
      `update ledger.currency set code = 'JPY'`,
      'delete from ledger.currency',
      `insert into ledger.currency (only_row, code) values (false, 'JPY')`,
    ]) {
      await assert.rejects(db.query(statement), /permission denied|violates check/)
    }
    await db.end()
  })

  async function setSystem(name: string, value: string) {
    await admin.query('set default_transaction_read_only = off')
    await admin.query(`alter system set ${name} = '${value}'`)
    await admin.query('select pg_reload_conf()')
    for (let attempt = 0; attempt < 50; attempt++) {
      const other = await connectAdmin(postgres.url)
      const { rows } = await other.query<{ value: string }>(
        `select current_setting('${name}') as value`,
      )
      await other.end()
      if (rows[0]?.value === value) return
    }
    throw new Error(`${name} was not set`)
  }
})
