/** The attack: somebody deploys with what was good enough for a test. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { readConfig } from '../config.ts'

const keyOf = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const SAFE = {
  DATABASE_URL: 'postgres://coffer@127.0.0.1:5432/coffer',
  SECRET_PEPPERS: keyOf('p1'),
  ADMIN_KEYS: keyOf('a1'),
  PUBLIC_URL: 'https://wallet.example',
  ACCOUNT_URL: 'https://account.wallet.example',
  ADMIN_URL: 'https://admin.wallet.example',
  DOCS_URL: 'https://docs.wallet.example',
  PASSKEY_RP_ID: 'wallet.example',
  SMTP_URL: 'smtp://user:password@mail.example:587',
  MAIL_FROM: 'wallet@wallet.example',
  METRICS_PORT: '9464',
  STRIPE_SECRET_KEY: 'sk_live_1234567890abcdef',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1234567890abcdef',
  STRIPE_WEBHOOK_SECRET: 'whsec_1234567890abcdef12345678',
}

const faultOf = (env: Record<string, string | undefined>) => {
  try {
    readConfig(env)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Such as the pepper in compose.yaml. */
const ofCompose = (name: string) =>
  new RegExp(`${name}: (\\S+)`).exec(
    readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8'),
  )?.[1]

describe('a service with live keys of the card processor', () => {
  it('starts with safe settings', () => assert.equal(faultOf(SAFE), undefined))

  it('starts with PostgreSQL on this machine, or on another one that proves who it is', () => {
    for (const url of [
      'postgres://coffer@%2Frun%2Fpostgresql/coffer',
      'postgres:///coffer?host=/run/postgresql',
      'postgres://coffer@localhost/coffer',
      'postgres://coffer@[::1]/coffer',
      'postgres://coffer@db.example/coffer?sslmode=verify-full',
    ]) {
      assert.equal(faultOf({ ...SAFE, DATABASE_URL: url }), undefined, url)
    }
  })

  it('starts on a single host only if that is allowed explicitly', () => {
    const { PUBLIC_URL } = SAFE
    const single = { ACCOUNT_URL: undefined, ADMIN_URL: undefined, DOCS_URL: undefined }
    const shared = [
      single,
      { ...single, ADMIN_URL: SAFE.ADMIN_URL },
      { ACCOUNT_URL: PUBLIC_URL },
      { DOCS_URL: undefined },
      { DOCS_URL: SAFE.ADMIN_URL },
    ]
    for (const change of shared) {
      const env = { ...SAFE, ...change }
      assert.match(faultOf(env) ?? '', /ADMIN_URL must have a host.* ALLOW_SINGLE_HOST=true/)
      assert.match(faultOf({ ...env, ALLOW_SINGLE_HOST: 'false' }) ?? '', /ADMIN_URL must have/)
      assert.equal(faultOf({ ...env, ALLOW_SINGLE_HOST: 'true' }), undefined)
    }
  })

  const CASES: [string, Record<string, string | undefined>, RegExp][] = [
    ['without HTTPS', { PUBLIC_URL: 'http://wallet.example' }, /PUBLIC_URL must begin with https/],
    [
      'with an area without HTTPS',
      { DOCS_URL: 'http://docs.wallet.example' },
      /DOCS_URL must begin with the same scheme as PUBLIC_URL/,
    ],
    ['without a public URL', { PUBLIC_URL: undefined }, /PUBLIC_URL must begin with https/],
    [
      'without a mail server, even if that is allowed elsewhere',
      { SMTP_URL: undefined, ALLOW_UNVERIFIED_EMAIL: 'true' },
      /SMTP_URL is missing: emails must be verified/,
    ],
    [
      'with mail without TLS',
      { SMTP_URL: 'smtp://mail.example?requireTLS=false' },
      /SMTP_URL must not switch TLS off/,
    ],
    [
      'with mail that ignores TLS',
      { SMTP_URL: 'smtp://mail.example?ignoreTLS=true' },
      /SMTP_URL must not switch TLS off/,
    ],
    ...['requireTLS=0', 'requireTLS=', 'tls.rejectUnauthorized=false', 'a=b&ignoretls=1'].map(
      (option): [string, Record<string, string>, RegExp] => [
        `with mail and ${option}`,
        { SMTP_URL: `smtp://mail.example?${option}` },
        /SMTP_URL must not switch TLS off/,
      ],
    ),
    ...['true', '10.0.0.1, ::/1', '0.0.0.0/1,128.0.0.0/1'].map(
      (proxies): [string, Record<string, string>, RegExp] => [
        `that trusts every proxy with ${proxies}`,
        { TRUST_PROXY: proxies },
        /TRUST_PROXY must list the IP addresses/,
      ],
    ),
    ...[
      '',
      '?sslmode=disable',
      '?sslmode=no-verify',
      '?sslmode=prefer',
      '?sslmode=require',
      '?sslmode=verify-ca',
    ].map((end): [string, Record<string, string>, RegExp] => [
      `with PostgreSQL on another machine and "${end}"`,
      { DATABASE_URL: `postgres://coffer@db.example/coffer${end}` },
      /DATABASE_URL must end with sslmode=verify-full/,
    ]),
    [
      'with the same key for two purposes',
      { ADMIN_KEYS: SAFE.SECRET_PEPPERS },
      /ADMIN_KEYS must differ from SECRET_PEPPERS/,
    ],
    [
      'with a publishable key of the test mode',
      { STRIPE_PUBLISHABLE_KEY: 'pk_test_1' },
      /STRIPE_PUBLISHABLE_KEY must be live/,
    ],
    [
      'with the webhook secret of the sandbox',
      { STRIPE_WEBHOOK_SECRET: 'whsec_sandbox' },
      /STRIPE_WEBHOOK_SECRET must be/,
    ],
    [
      'with another processor without HTTPS',
      { STRIPE_API_URL: 'http://sandbox:12111' },
      /STRIPE_API_URL must begin with https/,
    ],
    [
      'with a script without HTTPS',
      { STRIPE_SCRIPT_URL: 'http://127.0.0.1/v3/' },
      /STRIPE_SCRIPT_URL must begin with https/,
    ],
    [
      'with the pepper of compose.yaml',
      { SECRET_PEPPERS: ofCompose('SECRET_PEPPERS') },
      /SECRET_PEPPERS must not contain the known or weak key local/,
    ],
    [
      'with the admin key of compose.yaml',
      { ADMIN_KEYS: ofCompose('ADMIN_KEYS') },
      /ADMIN_KEYS must not contain the known or weak key local/,
    ],
    [
      'with an old pepper that repeats a byte',
      { SECRET_PEPPERS: `${keyOf('new')},old:${Buffer.alloc(32, 7).toString('base64')}` },
      /SECRET_PEPPERS must not contain the known or weak key old/,
    ],
  ]
  for (const [title, change, fault] of CASES) {
    it(`does not start ${title}`, () => assert.match(faultOf({ ...SAFE, ...change }) ?? '', fault))
  }

  it('lists every problem at once', () => {
    const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, DATABASE_URL } = SAFE
    const careless = {
      DATABASE_URL,
      STRIPE_SECRET_KEY,
      STRIPE_WEBHOOK_SECRET,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      SECRET_PEPPERS: ofCompose('SECRET_PEPPERS'),
    }
    assert.equal(faultOf(careless)?.split('\n').length, 6)
  })

  it('may use all of it with test keys', () => {
    const change = {
      PUBLIC_URL: undefined,
      ACCOUNT_URL: undefined,
      ADMIN_URL: undefined,
      DOCS_URL: undefined,
      PASSKEY_RP_ID: undefined,
      SMTP_URL: undefined,
      MAIL_FROM: undefined,
      METRICS_PORT: undefined,
    }
    const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }
    assert.equal(faultOf({ ...SAFE, ...change, ...keys }), undefined)
  })
})
