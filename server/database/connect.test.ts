import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { startHarness, type Harness } from '../test/harness.ts'
import { checkSession, clientConfig, createPool, isConnectionFailure } from './connect.ts'

let harness: Harness
before(async () => {
  harness = await startHarness()
})
after(() => harness.end())

describe('createPool', () => {
  it('survives a connection that is lost while it is in use', async () => {
    const pool = createPool(harness.databaseUrl, { size: 1, barrier: true })
    const client = await pool.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    // No query is running, so only an error event reports the loss; without a listener it would end this process.
    await harness.admin.query('select pg_terminate_backend($1)', [rows[0].pid])
    await sleep(200)
    await assert.rejects(client.query('select 1'))
    client.release(true)
    const again = await pool.query('select 1 as one')
    assert.equal(again.rows[0].one, 1)
    await pool.end()
  })
})

describe('checkSession', () => {
  const settings = { lock_timeout: '50ms', statement_timeout: '5s' }

  async function withClient(config: pg.ClientConfig, work: (client: pg.Client) => Promise<void>) {
    const client = new pg.Client(config)
    await client.connect()
    await work(client)
    await client.end()
  }

  it('accepts a session that has its settings', () =>
    withClient(clientConfig(harness.databaseUrl, settings), async (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown
      let queries = 0
      client.query = ((...args: unknown[]) => {
        queries++
        return query(...args)
      }) as never
      await checkSession(client, settings)
      assert.equal(queries, 1)
    }))

  it('sets the settings that a pooler dropped', () =>
    withClient({ connectionString: harness.databaseUrl }, async (client) => {
      await checkSession(client, settings)
      const { rows } = await client.query(
        `select current_user as role, current_setting('lock_timeout') as lock, current_setting('jit') as jit`,
      )
      assert.deepEqual(rows, [{ role: 'coffer_service', lock: '50ms', jit: 'off' }])
    }))

  it('throws if a setting is still different, and names it', () =>
    withClient({ connectionString: harness.databaseUrl }, async (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown
      client.query = ((text: string, values: unknown) =>
        text.includes('set_config') ? undefined : query(text, values)) as never
      await assert.rejects(checkSession(client, settings), /lost its setting role = coffer_service/)
    }))
})

describe('isConnectionFailure', () => {
  const failure = (code: string) => {
    const error = new pg.DatabaseError('terminating connection', 0, 'error')
    // FATAL, as a server with Russian messages sends it.
    return Object.assign(error, { code, severity: 'ВАЖНО' })
  }

  for (const code of [
    '57P01',
    '57P02',
    '57P03',
    '57014',
    '25006',
    '25P03',
    '28P01',
    '3D000',
    '53300',
    '55000',
    '08006',
  ]) {
    it(`is true for ${code}, whatever the language of the server's messages is`, () => {
      assert.equal(isConnectionFailure(failure(code)), true)
    })
  }

  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ERR_STREAM_WRITE_AFTER_END']) {
    it(`is true for ${code} of the system or a socket`, () => {
      assert.equal(isConnectionFailure(Object.assign(new Error('failed'), { code })), true)
    })
  }

  for (const code of ['ERR_ASSERTION', 'ERR_INVALID_ARG_TYPE']) {
    it(`is false for ${code}, a bug`, () => {
      assert.equal(isConnectionFailure(Object.assign(new Error('failed'), { code })), false)
    })
  }

  for (const code of ['23505', '23514', '22012', '42501', 'XX000']) {
    it(`is false for ${code}`, () => assert.equal(isConnectionFailure(failure(code)), false))
  }
})
