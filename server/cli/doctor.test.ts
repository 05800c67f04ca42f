import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from 'node:test'
import { startSandbox, type RunningSandbox } from '../../sandbox/start-sandbox.ts'
import { findFreePorts } from '../../scripts/find-free-ports.ts'
import { startHarness, TEST_ADMIN_KEY, testEnv, type Harness } from '../test/harness.ts'
import { startMailServer } from '../test/mail-server.ts'
import { stripeEnv } from '../../sandbox/stripe-env.ts'

describe('coffer doctor', () => {
  let harness: Harness
  let sandbox: RunningSandbox
  before(async () => {
    harness = await startHarness()
    // The service does this itself, but only some time after the start.
    await harness.context.ledger.preparePartitions()
    sandbox = await startSandbox()
  })
  after(async () => {
    await harness.end()
    await sandbox.close()
  })

  const script = fileURLToPath(new URL('../coffer.ts', import.meta.url))

  function doctor(env: Record<string, string> = {}): Promise<{ status: number; text: string }> {
    const all = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl), ...env }
    return new Promise((resolve) => {
      execFile(process.execPath, [script, 'doctor'], { env: all }, (error, stdout, stderr) =>
        resolve({ status: Number(error?.code ?? 0), text: stdout + stderr }),
      )
    })
  }

  it('finds no problem in a complete setup, apart from the missing standby', async () => {
    const mail = await startMailServer()
    const { text } = await doctor({
      ...stripeEnv(sandbox),
      ...mail.env,
      PUBLIC_URL: 'https://wallet.example',
      ADMIN_KEYS: `a:${Buffer.alloc(32, 1).toString('base64')}`,
    })
    await mail.stop()
    assert.match(text, /✓ The database responds\./)
    assert.match(text, /\n\d+ OK, 1 warning, \d+ errors?\n$/)
    assert.match(text, /✓ The schema is up to date\./)
    assert.match(text, /✓ The partitions of the coming months exist\./)
    assert.match(text, /✓ The mail server accepts the credentials\./)
    assert.match(text, /✓ The card processor accepts the credentials \(test keys/)
    assert.match(
      text,
      /! No synchronous standby: losing this server loses acknowledged payments .*\n {2}→ Check synchronous_standby_names/,
    )
    const strict = await doctor({ REQUIRE_SYNC_STANDBY: 'true' })
    assert.match(
      strict.text,
      /✗ Debits and credits are refused, because synchronous_standby_names names/,
    )
  })

  it('shows how to fix a database that can lose acknowledged writes', async () => {
    const { admin } = harness
    const isAtRisk = async () =>
      (await doctor()).text.includes('✗ PostgreSQL can lose acknowledged payments')
    const { rows } = await admin.query<{ fsync: string; name: string }>(
      `select current_setting('fsync') as fsync, current_database() as name`,
    )
    assert.equal(await isAtRisk(), rows[0]?.fsync === 'off')
    await admin.query(`alter database ${rows[0]?.name} set synchronous_commit = off`)
    assert.equal(await isAtRisk(), true)
    await admin.query(`alter database ${rows[0]?.name} reset synchronous_commit`)
  })

  it('shows how to fix an old schema, wrong keys and an unreachable mail server', async () => {
    await harness.admin.query(`delete from public.migrations where name = '0006-admin'`)
    const { status, text } = await doctor({
      ...stripeEnv(sandbox),
      STRIPE_SECRET_KEY: 'sk_test_wrong',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'Coffer <wallet@example.com>',
    })
    assert.equal(status, 1)
    assert.match(text, /✗ The schema lacks 0006-admin\.\n {2}→ Run coffer migrate/)
    assert.match(text, /✗ The card processor cannot be reached or refuses the credentials: .*401/)
    assert.match(
      text,
      /✗ The mail server cannot be reached or refuses the credentials\.\n {2}→ Check SMTP_URL/,
    )
    assert.doesNotMatch(text, /sk_test_wrong/)
  })

  it('shows how to fix a database that does not respond', async () => {
    const { status, text } = await doctor({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
    assert.equal(status, 1)
    assert.match(text, /✗ The database does not respond: .*\n {2}→ Check DATABASE_URL/)
  })

  it('requests a page of each separate host', async () => {
    const [port] = await findFreePorts(1)
    const env = {
      ADMIN_KEYS: TEST_ADMIN_KEY,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      ADMIN_URL: `http://localhost:${port}`,
      PASSKEY_RP_ID: 'localhost',
    }
    const separate = await startHarness(env)
    await separate.app.listen({ port: port ?? 0, host: '127.0.0.1' })
    const { text } = await doctor({ ...env, DOCS_URL: `http://127.0.0.2:${port}` })
    await separate.end()
    assert.match(text, /✓ http:\/\/localhost:\d+\/admin responds\./)
    assert.match(
      text,
      /✗ DOCS_URL does not lead to this service: .*\/docs, no response\.\n {2}→ Point/,
    )
    assert.doesNotMatch(text, /ACCOUNT_URL/)
  })

  it('lists origins without HTTPS if PUBLIC_URL uses HTTPS', async () => {
    await harness.admin.query(`insert into directory.client_apps
      (client_id, name, account_id, scopes, allowed_iframe_parents)
      values ('app_1', 'Shop', 99, '{}', '{http://shop.example}')`)
    const env = { PUBLIC_URL: 'https://wallet.example', ALLOW_UNVERIFIED_EMAIL: 'true' }
    assert.match(
      (await doctor(env)).text,
      /! Registered origins without HTTPS.*app_1 http:\/\/shop\.example/,
    )
  })
})
