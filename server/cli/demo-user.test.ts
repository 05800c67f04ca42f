import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { createPool } from '../database/connect.ts'
import { databaseUrlFor } from '../test/database.ts'
import { makeClientApp, type TestApp } from '../test/factories.ts'
import { connectAdmin, startHarness, testEnv, type Harness } from '../test/harness.ts'
import { movesNothing } from '../test/setup.ts'

const LOCAL = { PUBLIC_URL: 'http://localhost:8080' }
const HOSTED = { PUBLIC_URL: 'https://wallet.example', ALLOW_UNVERIFIED_EMAIL: 'true' }
const LIVE = {
  ...HOSTED,
  STRIPE_SECRET_KEY: 'sk_live_1234',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1234',
  STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(18).toString('hex')}`,
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'wallet@example.com',
  ALLOW_SINGLE_HOST: 'true',
  METRICS_PORT: '9',
  SECRET_PEPPERS: `live:${randomBytes(32).toString('base64')}`,
}

function coffer(databaseUrl: string, env: Record<string, string>, ...args: string[]) {
  const script = fileURLToPath(new URL('../coffer.ts', import.meta.url))
  const all = { PATH: process.env['PATH'], ...testEnv(databaseUrl), ...env }
  return new Promise<{ status: number; text: string }>((resolve) => {
    execFile(process.execPath, [script, ...args], { env: all }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), text: stdout + stderr }),
    )
  })
}

describe('a database that was not created as a demo', () => {
  let harness: Harness
  let app: TestApp
  before(async () => {
    harness = await startHarness()
    app = await makeClientApp(harness.context)
  })
  after(() => harness.end())

  const demoUser = (env: Record<string, string>) =>
    coffer(harness.databaseUrl, env, 'demo-user', app.clientId, '--balance', '38')

  for (const [title, env] of Object.entries({ localhost: LOCAL, 'a public address': HOSTED })) {
    it(`gets neither a demo user nor money with ${title} as PUBLIC_URL`, () =>
      movesNothing(harness.admin, async () => {
        const { status, text } = await demoUser(env)
        assert.equal(status, 1, text)
        assert.match(text, /not created as a demo.*\n.*coffer migrate --demo/)
      }))
  }

  it('cannot become a demo by migrating again, nor by what the service may write', async () => {
    const { status, text } = await coffer(harness.databaseUrl, {}, 'migrate', '--demo')
    assert.equal(status, 1)
    assert.match(text, /not created as a demo/)
    const db = createPool(harness.databaseUrl, { size: 1, barrier: false })
    for (const statement of [
      'update ledger.demo set is_demo = true',
      'delete from ledger.demo',
      'insert into ledger.demo (is_demo) values (true)',
    ]) {
      await assert.rejects(db.query(statement), /permission denied/)
    }
    await db.end()
    assert.equal((await demoUser(LOCAL)).status, 1)
  })
})

describe('a database that was created as a demo', () => {
  const name = `coffer_demo_${randomBytes(6).toString('hex')}`
  const url = databaseUrlFor(name)
  let server: pg.Client
  before(async () => {
    server = await connectAdmin(databaseUrlFor('postgres'))
    await server.query(
      `create database ${name} template template0 encoding 'UTF8' locale 'C.UTF-8'`,
    )
    const { status, text } = await coffer(url, {}, 'migrate', '--demo')
    assert.equal(status, 0, text)
  })
  after(async () => {
    await server.query(`drop database ${name} with (force)`)
    await server.end()
  })

  it('remains one when it is migrated again', async () => {
    for (const options of [['--demo'], []]) {
      const { text } = await coffer(url, {}, 'migrate', ...options)
      assert.equal(text, 'The schema is up to date.\n')
    }
  })

  for (const [title, env] of Object.entries({ localhost: LOCAL, 'no address': {} })) {
    it(`gets a user with money with ${title} as PUBLIC_URL`, async () => {
      const app = ['client-app', 'create', 'Shop', '--credit-limit', '10']
      const clientId = /app_\w+/.exec((await coffer(url, env, ...app)).text)?.[0] ?? ''
      const { status, text } = await coffer(url, env, 'demo-user', clientId, '--balance', '38')
      assert.equal(status, 0, text)
      assert.match(text, /COFFER_SERVICE_USER_ID=su_[0-9a-f]{32}\nBalance: 38\.00 USD/)
    })
  }

  it('is not served with live Stripe keys, and doctor says so', async () => {
    const { status, text } = await coffer(url, LIVE, 'serve')
    assert.equal(status, 1, text)
    assert.match(text, /was created as a demo.*STRIPE_SECRET_KEY is live/)
    assert.match((await coffer(url, LIVE, 'doctor')).text, /✗ .*was created as a demo/)
    assert.match((await coffer(url, LOCAL, 'doctor')).text, /! .*was created as a demo/)
  })
})
