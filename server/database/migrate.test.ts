import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { giveBonus, makeUser } from '../test/factories.ts'
import { databaseUrlFor } from '../test/database.ts'
import { connectAdmin, startHarness, type Harness } from '../test/harness.ts'
import { clientConfig } from './connect.ts'
import { migrate } from './migrate.ts'

let harness: Harness
before(async () => {
  harness = await startHarness()
})
after(() => harness.end())

describe('migrate', () => {
  it('runs each migration once when many processes start at the same time', async () => {
    const name = `coffer_migrate_${randomBytes(4).toString('hex')}`
    const admin = await connectAdmin(databaseUrlFor('postgres'))
    await admin.query(`create database ${name}`)
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => migrate(databaseUrlFor(name), () => undefined)),
    )
    const applied = runs.flat()
    assert.ok(applied.length >= 3)
    assert.equal(new Set(applied).size, applied.length)
    await sleep(300)
    await admin.query(`drop database ${name}`)
    await admin.end()
  })

  it('creates the partitions of this month and the next three, and can run again', async () => {
    await harness.context.ledger.preparePartitions()
    const { rows } = await harness.admin.query(
      `select count(*)::int as count from pg_inherits where inhparent = 'ledger.operations'::regclass`,
    )
    assert.equal(rows[0].count, 5)
    await makeUser(harness.context, 100n)
    const { rows: stray } = await harness.admin.query('select from ledger.operations_default')
    assert.equal(stray.length, 0)
  })
})

describe('the service role', () => {
  it('can insert and read operations but not update or delete them', async () => {
    const user = await makeUser(harness.context, 100n)
    const client = new pg.Client(clientConfig(harness.databaseUrl))
    await client.connect()
    const { rows } = await client.query(
      'select count(*) from ledger.operations where wallet_id = $1',
      [user.walletId],
    )
    assert.equal(rows[0].count, 1n)
    const forbidden = [
      'update ledger.operations set amount = 1',
      'delete from ledger.operations',
      'truncate ledger.operations',
      'delete from ledger.operations_default',
      'update ledger.operation_keys set seq = 1',
      'delete from ledger.operation_keys',
      'delete from ledger.wallets',
      'delete from ledger.mismatches',
      'update ledger.mismatches set amount = 1',
      'delete from directory.links',
      'update directory.links set wallet_id = 1',
      'alter table ledger.operations disable trigger all',
      'drop table ledger.operations',
    ]
    for (const statement of forbidden) {
      await assert.rejects(client.query(statement), /permission denied|must be owner/, statement)
    }
    await client.end()
  })

  it('cannot write a negative balance, a negative debt or a second decision about a pair', async () => {
    const user = await makeUser(harness.context)
    await giveBonus(harness.context.ledger, user.walletId, 5n)
    const { admin } = harness
    const set = (change: string) =>
      admin.query(`update ledger.wallets set ${change} where id = ${user.walletId}`)
    await assert.rejects(set('balance = -1'), /check constraint/)
    await assert.rejects(set('debt = -1'), /check constraint/)
    await assert.rejects(set('balance = 1000000000000000'), /check constraint/)
    await assert.rejects(
      admin.query('insert into ledger.operation_keys select * from ledger.operation_keys limit 1'),
      /duplicate key/,
    )
  })
})
