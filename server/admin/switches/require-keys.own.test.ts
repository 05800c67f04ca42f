import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { after, before, beforeEach, describe, it } from 'node:test'
import { readConfig } from '../../config.ts'
import { createPool } from '../../database/connect.ts'
import { spawnService, startHarness, testEnv, type Harness } from '../../test/harness.ts'
import { changesNothing } from '../../test/setup.ts'
import { requireKeys } from './require-keys.ts'

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const RIGHT = { SECRET_PEPPERS: newKey('p1'), ADMIN_KEYS: newKey('a1') }
const WRONG = { ...RIGHT, SECRET_PEPPERS: newKey('p1') }
const REFUSAL = /SECRET_PEPPERS has a wrong key p1: .*\n.*A new key needs an id of its own/

let harness: Harness
before(async () => {
  harness = await startHarness()
})
after(() => harness.end())
beforeEach(() => harness.admin.query('delete from directory.key_fingerprints'))

function coffer(env: Record<string, string>, ...args: string[]) {
  const script = fileURLToPath(new URL('../../coffer.ts', import.meta.url))
  const all = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl), PORT: '0', ...env }
  const options = { env: all, timeout: 60_000, killSignal: 'SIGKILL' } as const
  return new Promise<{ status: number; text: string }>((resolve) => {
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), text: stdout + stderr }),
    )
  })
}

async function start(env: Record<string, string>) {
  const db = createPool(harness.databaseUrl, { size: 1, barrier: false })
  try {
    await requireKeys(db, readConfig({ ...testEnv(harness.databaseUrl), ...env }))
  } finally {
    await db.end()
  }
}

async function serve(env: Record<string, string>) {
  const service = await spawnService(harness.databaseUrl, env)
  assert.equal(await service.kill('SIGINT'), 0)
}

async function readIds() {
  const { rows } = await harness.admin.query<{ id: string }>(
    `select variable || ' ' || key_id as id from directory.key_fingerprints order by 1`,
  )
  return rows.map(({ id }) => id)
}

describe('a wrong key under the right id', () => {
  for (const PROCESSES of ['1', '2']) {
    it(`is not served, PROCESSES=${PROCESSES}`, async () => {
      await serve(RIGHT)
      const { status, text } = await coffer({ ...WRONG, PROCESSES }, 'serve')
      assert.match(text, REFUSAL)
      assert.equal(status, 1)
      await serve(RIGHT)
    })
  }

  it('is an error for coffer doctor, and coffer keys status shows it', async () => {
    await serve(RIGHT)
    assert.match((await coffer(RIGHT, 'doctor')).text, /✓ All keys match the fingerprints/)
    assert.match((await coffer(WRONG, 'doctor')).text, /✗ SECRET_PEPPERS has a wrong key p1/)
    assert.doesNotMatch((await coffer(RIGHT, 'keys', 'status')).text, /wrong/)
    const { status, text } = await coffer(WRONG, 'keys', 'status')
    assert.match(text, REFUSAL)
    assert.equal(status, 1)
  })

  it('makes no secret and encrypts no authenticator', async () => {
    await serve(RIGHT)
    await changesNothing({ harness }, async () => {
      for (const command of [
        ['client-app', 'create', 'Shop', '--credit-limit', '10'],
        ['client-app', 'rotate-secret', 'app_1'],
        ['keys', 'reseal'],
      ]) {
        assert.match((await coffer(WRONG, ...command)).text, REFUSAL, command.join(' '))
      }
    })
  })

  it('is noticed in ADMIN_KEYS, too', async () => {
    await start(RIGHT)
    const wrong = { ...RIGHT, ADMIN_KEYS: newKey('a1') }
    await assert.rejects(start(wrong), /ADMIN_KEYS has a wrong key a1/)
  })
})

describe('the fingerprint of a key', () => {
  it('is recorded by the first start, also in a database that is in use, and then for each new id', async () => {
    await start(RIGHT)
    assert.deepEqual(await readIds(), ['ADMIN_KEYS a1', 'SECRET_PEPPERS p1'])
    const rotated = { ...RIGHT, SECRET_PEPPERS: `${newKey('p2')},${RIGHT.SECRET_PEPPERS}` }
    await start(rotated)
    await start(RIGHT)
    assert.deepEqual(await readIds(), ['ADMIN_KEYS a1', 'SECRET_PEPPERS p1', 'SECRET_PEPPERS p2'])
    const other = { ...RIGHT, SECRET_PEPPERS: `${newKey('p2')},${RIGHT.SECRET_PEPPERS}` }
    await assert.rejects(start(other), /wrong key p2/)
  })

  it('is recorded by exactly one of two processes that start at the same time with different keys', async () => {
    for (let round = 0; round < 20; round++) {
      await harness.admin.query('delete from directory.key_fingerprints')
      const outcomes = await Promise.allSettled([start(RIGHT), start(WRONG)])
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    }
  })

  it('is compared but not recorded on a read-only server', async () => {
    await start(RIGHT)
    const name = new URL(harness.databaseUrl).pathname.slice(1)
    await harness.admin.query(`alter database ${name} set default_transaction_read_only = on`)
    try {
      await start(RIGHT)
      await assert.rejects(start(WRONG), REFUSAL)
      await start({ ...RIGHT, SECRET_PEPPERS: newKey('p3') })
      assert.deepEqual(await readIds(), ['ADMIN_KEYS a1', 'SECRET_PEPPERS p1'])
    } finally {
      await harness.admin.query(`alter database ${name} reset default_transaction_read_only`)
    }
  })

  it('cannot be changed or removed by the service', async () => {
    const db = createPool(harness.databaseUrl, { size: 1, barrier: false })
    for (const statement of [
      `update directory.key_fingerprints set key_id = 'x'`,
      'delete from directory.key_fingerprints',
    ]) {
      await assert.rejects(db.query(statement), /permission denied/)
    }
    await db.end()
  })
})
