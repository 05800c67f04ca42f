import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { startHarness, type Harness } from '../test/harness.ts'
import { createPool, isConnectionFailure } from './connect.ts'

let harness: Harness
before(async () => {
  harness = await startHarness()
})
after(() => harness.end())

describe('createPool', () => {
  it('survives a connection that breaks while it is lent out', async () => {
    const pool = createPool(harness.databaseUrl, { size: 1, barrier: true })
    const client = await pool.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    // Nothing is under way on it, so only an event tells; unheard it would end this process.
    await harness.admin.query('select pg_terminate_backend($1)', [rows[0].pid])
    await sleep(200)
    await assert.rejects(client.query('select 1'))
    client.release(true)
    const again = await pool.query('select 1 as one')
    assert.equal(again.rows[0].one, 1)
    await pool.end()
  })
})

describe('isConnectionFailure', () => {
  const failure = (code: string) => {
    const error = new pg.DatabaseError('terminating connection', 0, 'error')
    // As a server with Russian messages reports FATAL.
    return Object.assign(error, { code, severity: 'ВАЖНО' })
  }

  for (const code of [
    '57P01',
    '57P02',
    '57P03',
    '25P03',
    '28P01',
    '3D000',
    '53300',
    '55000',
    '08006',
  ]) {
    it(`is true for ${code}, in whatever language the server reports it`, () => {
      assert.equal(isConnectionFailure(failure(code)), true)
    })
  }

  for (const code of ['23505', '23514', '22012', '42501', 'XX000']) {
    it(`is false for ${code}`, () => assert.equal(isConnectionFailure(failure(code)), false))
  }
})
