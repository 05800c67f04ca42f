import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from 'node:test'
import { makeClientApp, type TestApp } from '../test/factories.ts'
import { startHarness, testEnv, type Harness } from '../test/harness.ts'
import { movesNothing } from '../test/setup.ts'

const LOCAL = { PUBLIC_URL: 'http://localhost:8080' }

function stripeKeys(mode: 'live' | 'test', kind = 'sk') {
  return {
    STRIPE_SECRET_KEY: `${kind}_${mode}_1234`,
    STRIPE_PUBLISHABLE_KEY: `pk_${mode}_1234`,
    STRIPE_WEBHOOK_SECRET: 'whsec_1234',
  }
}

describe('coffer demo-user', () => {
  let harness: Harness
  let app: TestApp
  before(async () => {
    harness = await startHarness()
    app = await makeClientApp(harness.context)
  })
  after(() => harness.end())

  function demoUser(env: Record<string, string>): Promise<{ status: number; text: string }> {
    const script = fileURLToPath(new URL('../coffer.ts', import.meta.url))
    const all = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl), ...env }
    return new Promise((resolve) => {
      const args = [script, 'demo-user', app.clientId, '--balance', '38']
      execFile(process.execPath, args, { env: all }, (error, stdout, stderr) =>
        resolve({ status: Number(error?.code ?? 0), text: stdout + stderr }),
      )
    })
  }

  const allowed: [string, Record<string, string>][] = [
    ['localhost and no Stripe keys', LOCAL],
    ['127.0.0.1 and test keys', { PUBLIC_URL: 'http://127.0.0.1:8080', ...stripeKeys('test') }],
    ['[::1] and restricted test keys', { PUBLIC_URL: 'http://[::1]', ...stripeKeys('test', 'rk') }],
  ]
  for (const [title, env] of allowed) {
    it(`creates a user with money on ${title}`, async () => {
      const { status, text } = await demoUser(env)
      assert.equal(status, 0, text)
      assert.match(text, /COFFER_SERVICE_USER_ID=su_[0-9a-f]{32}\nBalance: 38\.00 USD/)
    })
  }

  const hosted = { PUBLIC_URL: 'https://wallet.example', ALLOW_UNVERIFIED_EMAIL: 'true' }
  const refused: [string, Record<string, string>, RegExp][] = [
    ['live Stripe keys', { ...LOCAL, ...stripeKeys('live') }, /STRIPE_SECRET_KEY is live/],
    [
      'live restricted keys',
      { ...LOCAL, ...stripeKeys('live', 'rk') },
      /STRIPE_SECRET_KEY is live/,
    ],
    [
      'a live key that contains _test_',
      { ...LOCAL, ...stripeKeys('live'), STRIPE_SECRET_KEY: 'sk_live_a_test_b' },
      /STRIPE_SECRET_KEY is live/,
    ],
    ['a public address with test keys', { ...hosted, ...stripeKeys('test') }, /wallet\.example/],
    ['a public address without keys', hosted, /wallet\.example/],
    ['a name that only begins like localhost', { PUBLIC_URL: 'http://localhost.example' }, /local/],
    ['an unknown address', {}, /PUBLIC_URL=http:\/\/localhost/],
  ]
  for (const [title, env, message] of refused) {
    it(`refuses ${title}, and creates neither a user nor money`, () =>
      movesNothing(harness.admin, async () => {
        const { status, text } = await demoUser(env)
        assert.equal(status, 1, text)
        assert.match(text, message)
      }))
  }
})
