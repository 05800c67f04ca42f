import { finishAdminLogIn } from '@coffer/contract/admin/sign-in'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../config.ts'
import { createLog } from '../http/create-log.ts'
import { startService } from '../start-service.ts'
import {
  ADMIN_ENV,
  beginLogIn,
  freshCode,
  makeOperator,
  type TestOperator,
} from '../test/admin-setup.ts'
import { makeClientApp } from '../test/factories.ts'
import {
  type Harness,
  startHarness,
  TEST_ADMIN_KEY,
  TEST_PEPPER,
  testEnv,
} from '../test/harness.ts'
import { ask } from '../test/account-setup.ts'

const NEXT = `next:${Buffer.alloc(32, 4).toString('base64')}`
const BOTH = { ...ADMIN_ENV, ADMIN_KEYS: `${NEXT},${TEST_ADMIN_KEY}` }
const run = promisify(execFile)
const script = fileURLToPath(new URL('../coffer.ts', import.meta.url))

let harness: Harness
before(async () => {
  harness = await startHarness(ADMIN_ENV)
})
after(() => harness.end())

/** The output of the command on stdout and stderr. */
async function coffer(args: string[], env: Record<string, string> = ADMIN_ENV): Promise<string> {
  const all = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl), PORT: '0', ...env }
  try {
    return (await run(process.execPath, [script, ...args], { env: all, timeout: 30_000 })).stdout
  } catch (error) {
    return (error as { stderr: string }).stderr
  }
}

async function actionsOf(action: string) {
  const { rows } = await harness.admin.query(
    'select actor, subject, after from admin.audit where action = $1 order by id',
    [action],
  )
  return rows as { actor: string; subject: string; after: object }[]
}

describe('coffer keys', () => {
  let operator: TestOperator
  before(async () => {
    operator = await makeOperator(harness, 'owner')
    await makeClientApp(harness.context, { name: 'Corner shop' })
  })

  /** Logs in to a service with these keys. */
  async function logIn(env: Record<string, string>, code: (other: Harness) => Promise<string>) {
    const config = readConfig({ ...testEnv(harness.databaseUrl), ...env })
    const service = await startService(config, { log: createLog('silent') })
    const inject: Harness['inject'] = (options) => service.app.inject(options)
    const other: Harness = { ...harness, ...service, inject }
    try {
      const ticket = await beginLogIn(other, operator)
      const fields = { ticket, code: await code(other) }
      return (await ask({ harness: other }, finishAdminLogIn, fields)).statusCode
    } finally {
      await service.stop()
    }
  }

  it('status shows what each key still protects, and never a key', async () => {
    const usual = await coffer(['keys', 'status'])
    assert.match(usual, /test {2}newest: 1 valid secret of 1 client app, 0 webhooks\n/)
    assert.match(usual, /test {2}newest: 1 authenticator, recovery codes of 1 operator\n/)
    const rotated = await coffer(['keys', 'status'], {
      ...BOTH,
      SECRET_PEPPERS: `${NEXT},${TEST_PEPPER}`,
    })
    assert.match(rotated, /next {2}newest\n {2}test {2}older, still needed: 1 valid secret/)
    assert.match(rotated, /app_[0-9a-f]{24} {2}never used {2}Corner shop\n/)
    assert.match(rotated, /coffer keys reseal\n/)
    const lost = await coffer(['keys', 'status'], { ...ADMIN_ENV, SECRET_PEPPERS: NEXT })
    assert.match(lost, /test {2}MISSING in the configuration, still needed/)
    for (const text of [usual, rotated, lost]) {
      for (const key of [NEXT, TEST_PEPPER, TEST_ADMIN_KEY]) {
        assert(!text.includes(key.split(':')[1] ?? ''))
      }
    }
  })

  it('serve does not start without a key that is still needed, and reports who could not log in', async () => {
    const both = { ADMIN_KEYS: NEXT, SECRET_PEPPERS: NEXT }
    const refused = await coffer(['serve'], both)
    assert.match(refused, /SECRET_PEPPERS is missing test\. .* rejected: Corner shop \(app_/)
    assert.match(
      refused,
      /ADMIN_KEYS is missing test\. These operators could not log in: .*@example/,
    )
    assert(refused.includes(operator.email))
    const several = await coffer(['serve'], { ...both, PROCESSES: '2' })
    assert.equal(several, refused)
  })

  it('reseal encrypts authenticators with the newest key; codes and recovery codes still work', async () => {
    const output = await coffer(['keys', 'reseal'], BOTH)
    assert.match(output, /^1 authenticator encrypted with next\.\n/)
    assert.match(output, /next {2}newest: 1 authenticator, recovery codes of 0 operators\n/)
    assert.match(output, /test {2}older, still needed: 0 authenticators, recovery codes of 1 op/)
    assert.match(output, /--drop-recovery-codes/)
    assert.equal(await logIn(BOTH, (other) => freshCode(other, operator)), 200)
    const [first = '', second = ''] = operator.recoveryCodes
    assert.equal(await logIn(BOTH, async () => first), 200)
    assert.equal(await logIn(BOTH, async () => first), 400, 'it works once')
    const alone = { ...ADMIN_ENV, ADMIN_KEYS: NEXT }
    assert.equal(await logIn(alone, async () => second), 400, 'its key is not there')
    assert.equal(await logIn(alone, (other) => freshCode(other, operator)), 200)
    const refused = await coffer(['serve'], alone)
    assert.match(
      refused,
      /ADMIN_KEYS is missing test\. The recovery codes of these operators would not/,
    )
    assert.equal(await logIn(BOTH, async () => second), 200)
  })

  it('reseal changes nothing the second time, and deletes recovery codes of the old key on request', async () => {
    assert.match(await coffer(['keys', 'reseal'], BOTH), /^0 authenticators encrypted/)
    const output = await coffer(['keys', 'reseal', '--drop-recovery-codes'], BOTH)
    assert.match(output, /Recovery codes of 1 operator deleted\.\n/)
    assert.match(output, /test {2}older, no longer needed: remove it\n/)
    const third = operator.recoveryCodes[2] ?? ''
    assert.equal(await logIn(BOTH, async () => third), 400)
    const entries = await actionsOf('keys.reseal')
    assert.deepEqual(
      entries.map(({ actor, subject, after: is }) => [actor, subject, is]),
      [
        ['command line', 'next', { keyId: 'next', seeds: 1, dropped: 0 }],
        ['command line', 'next', { keyId: 'next', seeds: 0, dropped: 0 }],
        ['command line', 'next', { keyId: 'next', seeds: 0, dropped: 1 }],
      ],
    )
  })

  it('reseal changes nothing if one seed cannot be decrypted', async () => {
    const read = async () =>
      (await harness.admin.query('select o::text from admin.operators o order by id')).rows
    const earlier = await read()
    const output = await coffer(['keys', 'reseal'], { ...ADMIN_ENV, ADMIN_KEYS: TEST_ADMIN_KEY })
    assert.match(output, /ADMIN_KEYS is missing the key next, which is still in use/)
    assert.deepEqual(await read(), earlier)
  })
})

describe('coffer pause and resume', () => {
  it('pause all writes with a reason and resume them', async () => {
    const { ledger } = harness.context
    assert.match(await coffer(['pause', 'x']), /reason must have at least 3 characters/)
    assert.equal(await ledger.readPause(), null)
    assert.match(await coffer(['pause', 'Restoring a backup']), /All writes are paused/)
    const { by, reason } = (await ledger.readPause()) ?? assert.fail()
    assert.deepEqual([by, reason], ['command line', 'Restoring a backup'])
    assert.match(await coffer(['resume']), /^Writes resumed\.$/m)
    assert.match(await coffer(['resume']), /^Writes were not paused\.$/m)
    assert.equal(await ledger.readPause(), null)
    assert.equal((await actionsOf('writes.pause')).length, 3)
  })
})
