import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { startHarness, type Harness } from '../test/harness.ts'
import { clientConfig } from './connect.ts'
import { copyRows } from './copy-rows.ts'

describe('copyRows', () => {
  let harness: Harness
  let client: pg.Client
  before(async () => {
    harness = await startHarness()
    client = new pg.Client(clientConfig(harness.databaseUrl))
    await client.connect()
  })
  after(async () => {
    await client.end()
    await harness.end()
  })

  const isUsable = async () => (await client.query('select 1 as one')).rows[0].one === 1

  it('reads every row, however the rows are divided into packets', async () => {
    let sum = 0
    let bytes = 0
    const text = `select n, repeat('x', (n % 5000)::int) from generate_series(1, 3000) n`
    const rows = await copyRows(client, { text }, (_bytes, view, at) => {
      assert.equal(view.getInt32(at), 4)
      sum += view.getInt32(at + 4)
      bytes += view.getInt32(at + 8)
    })
    assert.deepEqual([rows, sum, bytes], [3000, (3000 * 3001) / 2, (3000 * 3001) / 2])
    assert(await isUsable())
  })

  it('reads no rows and null', async () => {
    assert.equal(await copyRows(client, { text: 'select 1 where false' }, () => assert.fail()), 0)
    const lengths: number[] = []
    await copyRows(client, { text: 'select null' }, (_bytes, view, at) =>
      lengths.push(view.getInt32(at)),
    )
    assert.deepEqual(lengths, [-1])
  })

  it('reads the rows after a warning', async () => {
    await client.query(`create function pg_temp.warn(n int) returns int language plpgsql as
      $$ begin if n in (1, 500) then raise warning 'row %', n; end if; return n; end $$`)
    const seen: number[] = []
    const text = 'select pg_temp.warn(n) from generate_series(1, 1000) n'
    const rows = await copyRows(client, { text }, (_bytes, view, at) =>
      seen.push(view.getInt32(at + 4)),
    )
    assert.equal(rows, 1000)
    assert.deepEqual(
      seen,
      Array.from({ length: 1000 }, (_, index) => index + 1),
    )
    assert(await isUsable())
  })

  it('rejects with the error of the statement, also after the first rows', async () => {
    for (const text of ['select wrong', 'select 1 / (2000 - n) from generate_series(1, 3000) n']) {
      await assert.rejects(
        copyRows(client, { text }, () => undefined),
        pg.DatabaseError,
      )
      assert(await isUsable())
    }
  })

  it('rejects with the error of the function that takes the rows', async () => {
    const take = () => {
      throw new Error('this row')
    }
    const text = 'select n from generate_series(1, 3000) n'
    await assert.rejects(copyRows(client, { text }, take), /this row/)
    assert(await isUsable())
  })

  it('rejects if the connection is lost', async () => {
    const lost = new pg.Client(clientConfig(harness.databaseUrl))
    lost.on('error', () => undefined)
    await lost.connect()
    const { rows } = await lost.query('select pg_backend_pid() as pid')
    const copying = copyRows(lost, { text: `select pg_sleep(30)` }, () => undefined)
    await Promise.all([
      assert.rejects(copying),
      harness.admin.query('select pg_terminate_backend($1)', [rows[0].pid]),
    ])
  })
})
