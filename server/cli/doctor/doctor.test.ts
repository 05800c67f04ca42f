import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from 'node:test'
import { startSandbox, type RunningSandbox } from '../../../sandbox/start-sandbox.ts'
import { findFreePorts } from '../../../scripts/find-free-ports.ts'
import { startHarness, TEST_ADMIN_KEY, testEnv, type Harness } from '../../test/harness.ts'
import { startMailServer } from '../../test/mail-server.ts'
import { stripeEnv } from '../../../sandbox/stripe-env.ts'

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

  const script = fileURLToPath(new URL('../../coffer.ts', import.meta.url))

  function doctor(
    env: Record<string, string> = {},
    ...flags: string[]
  ): Promise<{ status: number; text: string }> {
    const all = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl), ...env }
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [script, 'doctor', ...flags],
        { env: all },
        (error, stdout, stderr) =>
          resolve({ status: Number(error?.code ?? 0), text: stdout + stderr }),
      )
    })
  }

  it('finds no problem in a complete setup, apart from the missing standby and archive', async () => {
    const mail = await startMailServer()
    const [port] = await findFreePorts(1)
    const env = {
      ...stripeEnv(sandbox),
      ...mail.env,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      ADMIN_KEYS: TEST_ADMIN_KEY,
    }
    const service = await startHarness(env)
    await service.app.listen({ port: port ?? 0, host: '127.0.0.1' })
    sandbox.addWebhookEndpoint(`${env.PUBLIC_URL}/api/processor/webhook`)
    const backups = mkdtempSync(join(tmpdir(), 'coffer-doctor-'))
    const newest = { type: 'diff', error: false, timestamp: { stop: Date.now() / 1000 } }
    const info = join(backups, 'info.json')
    writeFileSync(info, JSON.stringify([{ backup: [newest] }]))
    const { status, text } = await doctor(
      { ...env, DATABASE_URL: service.databaseUrl },
      '--backups',
      info,
      '--mail-to',
      'you@example.com',
      '--strict',
    )
    assert.equal(mail.count('you@example.com', /Coffer can send email/), 1)
    await service.end()
    await mail.stop()
    rmSync(backups, { recursive: true })
    assert.equal(status, /can lose acknowledged payments if/.test(text) ? 1 : 2)
    assert.match(text, /✓ http:\/\/127\.0\.0\.1:\d+\/widget\/wallet responds\./)
    assert.match(text, /✓ Writes are not paused\./)
    assert.match(text, /✓ The newest backup \(diff\) is from /)
    assert.match(text, /✓ The webhook \S+ is registered\./)
    assert.match(text, /✓ The clocks of the service and the card processor agree\./)
    assert.match(text, /! PostgreSQL does not archive its WAL/)
    assert.match(text, /! PUBLIC_URL is not an https:\/\/ URL/)
    assert.match(text, /✓ The database responds\./)
    assert.match(text, /\n\d+ OK, [45] warnings, [01] errors?\n$/)
    assert.match(text, /✓ The schema is up to date\./)
    assert.match(text, /✓ The partitions of the coming months exist\./)
    assert.match(text, /✓ The mail server accepted an email to you@example\.com\./)
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
    assert.match(
      text,
      /✗ The card processor refuses STRIPE_SECRET_KEY \(status 401\)\.\n {2}→ Copy the key/,
    )
    assert.match(
      text,
      /✗ The mail server cannot be reached or refuses the credentials: .*ECONNREFUSED.*\n {2}→ Check SMTP_URL/,
    )
    assert.doesNotMatch(text, /sk_test_wrong/)
  })

  it('prints JSON about an empty database, paused writes and keys of two modes, without a stack trace', async () => {
    const empty = new URL(harness.databaseUrl)
    empty.pathname = '/postgres'
    const { status, text } = await doctor({ DATABASE_URL: empty.href }, '--json')
    assert.equal(status, 1)
    const report = JSON.parse(text) as {
      errors: number
      findings: { check: string; state: string; text: string; fix?: string }[]
    }
    const schema = report.findings.find(({ check }) => check === 'schema')
    assert.deepEqual([schema?.state, schema?.text], ['error', 'The database has no schema yet.'])
    assert(report.findings.every(({ state, fix }) => state === 'ok' || fix !== undefined))
    assert.doesNotMatch(text, /^ {4}at |The check of/m)

    await harness.context.ledger.setPause({ by: 'ada', reason: 'Restoring' })
    const paused = await doctor({ ...stripeEnv(sandbox), STRIPE_PUBLISHABLE_KEY: 'pk_live_1' })
    await harness.context.ledger.setPause(null)
    assert.match(
      paused.text,
      /! All writes have been paused since .* by ada: Restoring\n {2}→ .*coffer resume/,
    )
    assert.match(
      paused.text,
      /✗ STRIPE_SECRET_KEY is a test key, but STRIPE_PUBLISHABLE_KEY is live\./,
    )
    assert.match(paused.text, /! The last backup was not checked: \S+ does not exist/)
  })

  it('shows how to fix a database that does not respond', async () => {
    const { status, text } = await doctor({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
    assert.equal(status, 1)
    assert.match(
      text,
      /✗ The database does not respond: .*\n {2}→ Nothing listens there\. Check DATABASE_URL/,
    )
  })

  it('says what to do about backups that are missing or old', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-doctor-'))
    const file = join(folder, 'info.json')
    const find = async () => (await doctor({}, '--backups', file)).text
    assert.match(
      await find(),
      /✗ The backups cannot be checked: \S+info\.json does not exist\.\n {2}→ Look at the last backup/,
    )
    writeFileSync(file, JSON.stringify([{ backup: [] }]))
    assert.match(await find(), /✗ There is no complete backup\.\n {2}→ Look/)
    const old = { type: 'full', error: false, timestamp: { stop: 1_769_817_600 } }
    writeFileSync(file, JSON.stringify([{ backup: [old] }]))
    assert.match(
      await find(),
      /✗ The newest backup \(full\) is from 2026-01-31\S+, more than 30 hours ago\.\n {2}→ Look/,
    )
    rmSync(folder, { recursive: true })
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
      /✗ DOCS_URL does not reach this service: .*\/docs, nothing listens there\.\n {2}→ Start/,
    )
    assert.doesNotMatch(text, /ACCOUNT_URL/)
  })

  it('lists origins without HTTPS if PUBLIC_URL uses HTTPS', async () => {
    await harness.admin.query(`insert into directory.client_apps
      (client_id, name, account_id, scopes, allowed_iframe_parents, on_mismatch)
      values ('app_1', 'Shop', 99, '{}', '{http://shop.example}', 'conflict')`)
    const env = { PUBLIC_URL: 'https://wallet.example', ALLOW_UNVERIFIED_EMAIL: 'true' }
    assert.match(
      (await doctor(env)).text,
      /! Registered origins without HTTPS.*app_1 http:\/\/shop\.example/,
    )
  })
})
