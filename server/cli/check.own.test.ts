import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from 'node:test'
import { stripeEnv } from '../../sandbox/stripe-env.ts'
import { LIST_CHECKS } from '../admin/check-queries.ts'
import { readOverview } from '../admin/overview/read-overview.ts'
import { many } from '../database/statement.ts'
import { testEnv } from '../test/harness.ts'
import { startMailServer, type MailServer } from '../test/mail-server.ts'
import { beginAndPay, openTopupSetup, withNewUser, type TopupSetup } from '../test/topup-setup.ts'
import { watchChecks } from '../watch-checks.ts'

const COFFER = fileURLToPath(new URL('../coffer.ts', import.meta.url))
const OWNER = 'owner@service.example'

describe('coffer check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-check-'))
  const checkpoints = join(folder, 'checkpoints')
  const key = join(folder, 'key.pem')
  let setup: TopupSetup
  let mail: MailServer
  before(async () => {
    setup = await openTopupSetup({}, { runsJobs: false })
    mail = await startMailServer()
    execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', key], { stdio: 'pipe' })
    await setup.harness.admin.query(
      `insert into admin.operators (email, name, role, password_hash, is_active) values ($1, 'A', 'owner', '', true),
        ('viewer@service.example', 'B', 'viewer', '', true), ('gone@service.example', 'C', 'owner', '', false)`,
      [OWNER],
    )
  })
  after(async () => {
    await setup.close()
    await mail.stop()
    rmSync(folder, { recursive: true })
  })

  const check = (args: string[], env: Record<string, string> = {}) =>
    coffer(['check', ...args, '--checkpoints', checkpoints], env)

  function coffer(args: string[], env: Record<string, string> = {}) {
    const { harness, sandbox } = setup
    const all = { ...testEnv(harness.databaseUrl), ...stripeEnv(sandbox), ...mail.env, ...env }
    const options = { env: { PATH: process.env['PATH'], ...all } }
    return new Promise<{ code: number; text: string }>((resolve) => {
      execFile(process.execPath, [COFFER, ...args], options, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
      )
    })
  }

  async function find(name: string) {
    const all = await many(setup.harness.context.db, LIST_CHECKS)
    return all.find((each) => each.name === name) ?? assert.fail(`${name} has no result`)
  }

  it('records results, and sends an email when a check fails and when it finds no problem anymore', async () => {
    const { paymentIntentId } = await beginAndPay(await withNewUser(setup), 20)
    assert.equal((await check(['reconcile'])).code, 1)
    const failed = await find('reconcile')
    assert.deepEqual(
      [failed.isOk, failed.summary, failed.succeededAt, failed.reportedOk],
      [false, '1 difference. 0 payments agree, 0.00 USD.', null, false],
    )
    const { text } = await mail.readSubject(OWNER, /^Coffer: the check reconcile failed$/)
    assert.match(text ?? '', /1 difference\. .*\n\nRun coffer reconcile: it lists the differences/s)

    // The operators know it already.
    assert.equal((await check(['reconcile'])).code, 1)
    assert.equal(mail.count(OWNER), 0)

    assert.equal((await coffer(['reconcile', '--from', '2026-01-01', '--credit-missing'])).code, 0)
    const repaired = await check(['reconcile'])
    assert.deepEqual([repaired.code, repaired.text.includes(paymentIntentId)], [0, false])
    const found = await find('reconcile')
    assert.deepEqual([found.isOk, found.reportedOk], [true, true])
    assert((found.succeededAt?.getTime() ?? 0) <= found.finishedAt.getTime())
    await mail.readSubject(OWNER, /^Coffer: the check reconcile finds no problem anymore$/)
    assert.equal(mail.count('viewer@service.example') + mail.count('gone@service.example'), 0)
  })

  it('without a card processor has nothing to reconcile', async () => {
    const none = { STRIPE_SECRET_KEY: '', STRIPE_PUBLISHABLE_KEY: '', STRIPE_WEBHOOK_SECRET: '' }
    assert.equal((await check(['reconcile'], none)).code, 0)
    assert.match((await find('reconcile')).summary, /^No card processor is configured/)
  })

  it('verifies what is new before it writes a checkpoint that only its user can read', async () => {
    assert.match((await check(['checkpoint'])).text, /The check checkpoint needs --key/)
    const args = ['checkpoint', '--key', key]
    assert.equal((await check(args)).code, 0)
    const [first = ''] = readdirSync(checkpoints)
    assert.match(first, /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z\.txt$/)
    assert.deepEqual(
      [statSync(checkpoints).mode & 0o777, statSync(join(checkpoints, first)).mode & 0o777],
      [0o700, 0o600],
    )
    assert.match(
      (await find('checkpoint')).summary,
      new RegExp(`^Wrote the heads of .* to \\S+/${first}\\.$`),
    )

    writeFileSync(join(checkpoints, '2020-01-01T000000.000Z.txt'), 'old')
    writeFileSync(join(checkpoints, 'incomplete'), 'of a process that was killed')
    assert.equal((await check(args)).code, 0)
    assert.equal(readdirSync(checkpoints).length, 2)
    assert.equal((await check(['verify', '--key', key])).code, 0)
    assert.match((await find('verify')).summary, /^The books are sound: .* The audit log is sound/)
  })

  it('writes no checkpoint of wrong books', async () => {
    const { admin } = setup.harness
    const earlier = readdirSync(checkpoints)
    const newest = join(checkpoints, earlier.toSorted().at(-1) ?? '')
    const content = readFileSync(newest, 'utf8')
    await admin.query('update ledger.wallets set balance = balance + 1 where seq > 0')
    assert.equal((await check(['checkpoint', '--key', key])).code, 1)
    await admin.query('update ledger.wallets set balance = balance - 1 where seq > 0')
    const { isOk, summary } = await find('checkpoint')
    assert.deepEqual([isOk, readdirSync(checkpoints)], [false, earlier])
    assert.match(summary, /^The books are NOT sound: /)
    assert.equal(readFileSync(newest, 'utf8'), content)
    const { text } = await mail.readSubject(OWNER, /the check checkpoint failed$/)
    assert.match(text ?? '', /The books are NOT sound: .*\n\nIf the books .* run coffer pause/s)
    await setup.harness.admin.query(`delete from admin.checks where name = 'checkpoint'`)
  })

  it('records a check that does not end, and the email later if the mail server is down', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined)).listen(
      0,
      '127.0.0.1',
    )
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const env = { STRIPE_API_URL: `http://127.0.0.1:${port}`, SMTP_URL: 'smtp://127.0.0.1:1' }
    const args = ['doctor', '--timeout', '0.05']
    assert.equal((await check(args, env)).code, 1)
    silent.close()
    const { isOk, summary, reportedOk } = await find('doctor')
    assert.deepEqual(
      [isOk, summary, reportedOk],
      [false, 'coffer doctor did not end within 0.05 minutes.', true],
    )
    await check(['reconcile'])
    await mail.readSubject(OWNER, /the check doctor failed$/)
    assert.equal((await find('doctor')).reportedOk, false)
  })

  it('records a command that fails at once, and exits with 1 if the database is down', async () => {
    assert.equal((await check(['verify', '--key', join(folder, 'none')])).code, 1)
    assert.match(
      (await find('verify')).summary,
      /^coffer verify ended with status 1\. .*none does not exist\. Check the path/,
    )
    const down = await check(['doctor'], { DATABASE_URL: 'postgres://me@127.0.0.1:1/coffer' })
    assert.equal(down.code, 1)
    assert.match(down.text, /✗ doctor: \d errors?, .*The database does not respond/)
    assert.match(down.text, /The result is not recorded\. .*ECONNREFUSED/)
  })

  it('appears on the overview and in the metrics', async () => {
    const { db, config, backgroundDb, metrics, log } = setup.harness.context
    const { checks } = await readOverview({ db, config }, { period: '24h' })
    assert.deepEqual(
      checks.map(({ name, isOk }) => [name, isOk]),
      [
        ['doctor', false],
        ['reconcile', true],
        ['verify', false],
      ],
    )
    const watch = watchChecks({ backgroundDb, metrics, log })
    await watch.stop()
    const text = await metrics.registry.metrics()
    assert.match(text, /^coffer_check_ok\{check="verify"\} 0$/m)
    assert.match(text, /^coffer_check_ok\{check="reconcile"\} 1$/m)
    assert.match(text, /^coffer_check_finished_at_seconds\{check="verify"\} 1\d{9}/m)
    assert.match(text, /^coffer_check_succeeded_at_seconds\{check="doctor"\} 0$/m)
  })
})
