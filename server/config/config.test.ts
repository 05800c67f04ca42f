import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { readConfig } from '../config.ts'

const pepper = (id: string, bytes = 32) => `${id}:${Buffer.alloc(bytes, 1).toString('base64')}`
const sound = { DATABASE_URL: 'postgres://a@b/c', SECRET_PEPPERS: pepper('p1') }
const mail = { SMTP_URL: 'smtp://mail.example:587', MAIL_FROM: 'Coffer <wallet@service.example>' }
const PUBLIC_URL = 'https://wallet.example'

describe('readConfig', () => {
  it('reports all errors at once and has no default secrets', () => {
    assert.throws(
      () => readConfig({ CURRENCY: 'EURO', PORT: 'x', PROCESSES: '0', DATABASE_URL: 'mysql://x' }),
      (error: Error) =>
        ['DATABASE_URL', 'SECRET_PEPPERS', 'CURRENCY', 'PORT', 'PROCESSES'].every((name) =>
          error.message.includes(name),
        ),
    )
    const { SMTP_URL } = mail
    assert.throws(() => readConfig({ PORT: 'x', SMTP_URL }), /PORT must[^]*MAIL_FROM is missing/)
    assert.throws(() => readConfig({ PORT: 'x', PUBLIC_URL }), /PORT must[^]*SMTP_URL is missing/)
  })

  it('limits VERIFY_PERCENT, and 0 turns the continuous verifier off', () => {
    assert.equal(readConfig(sound).verifyPercent, 3)
    assert.equal(readConfig({ ...sound, VERIFY_PERCENT: '0' }).verifyPercent, 0)
    assert.throws(() => readConfig({ ...sound, VERIFY_PERCENT: '51' }), /VERIFY_PERCENT must be/)
  })

  it('accepts only a page or an email address as SUPPORT_URL', () => {
    assert.equal(readConfig(sound).supportUrl, undefined)
    for (const SUPPORT_URL of ['https://wallet.example/help', 'mailto:help@wallet.example']) {
      assert.equal(readConfig({ ...sound, SUPPORT_URL }).supportUrl, SUPPORT_URL)
    }
    for (const SUPPORT_URL of ['help@wallet.example', 'javascript:alert(1)', 'https://a b', ' ']) {
      assert.throws(() => readConfig({ ...sound, SUPPORT_URL }), /SUPPORT_URL must be/)
    }
  })

  it('treats an empty variable as absent', () => {
    assert.equal(readConfig({ ...sound, CURRENCY: '', PORT: '' }).currency.code, 'USD')
  })

  it('rejects short peppers and duplicate ids', () => {
    const twice = `${pepper('p1')},${pepper('p1')}`
    for (const SECRET_PEPPERS of [pepper('p1', 31), twice, 'p1', ':', 'p 1:AAAA']) {
      assert.throws(() => readConfig({ ...sound, SECRET_PEPPERS }), /SECRET_PEPPERS must be/)
    }
    assert.equal(readConfig(sound).adminKeys, undefined)
    assert.throws(() => readConfig({ ...sound, ADMIN_KEYS: 'k1' }), /ADMIN_KEYS must be/)
    const { peppers } = readConfig({ ...sound, SECRET_PEPPERS: `${pepper('p2')},${pepper('p1')}` })
    assert.deepEqual(
      peppers.map(({ id }) => id),
      ['p2', 'p1'],
    )
  })

  it('says what a URL with a reserved character in its password needs, without the password', () => {
    const passwords = ['pa#ss', '12#34', '12?34', '12/34', 'pa/ss', 'pa%ss', '1%2']
    for (const [name, start] of [
      ['DATABASE_URL', 'postgres'],
      ['SMTP_URL', 'smtp'],
    ] as const) {
      const read = (password: string) =>
        readConfig({ ...sound, ...mail, [name]: `${start}://me:${password}@host.example/coffer` })
      for (const password of passwords) {
        assert.throws(
          () => read(password),
          ({ message }: Error) => {
            assert.match(message, new RegExp(`  ${name} is not a valid URL .* # is %23`))
            assert(!message.includes(password), message)
            return true
          },
        )
        read(encodeURIComponent(password))
      }
      read('p@ss')
    }
    const read = (DATABASE_URL: string) => readConfig({ ...sound, DATABASE_URL })
    assert.throws(() => read(''), /DATABASE_URL is missing: a URL such as postgres:/)
    assert.throws(() => read('host=db'), /DATABASE_URL must begin with postgres:\/\/ or postgresql/)
    assert.throws(() => read('postgres://me@db:port/c'), /DATABASE_URL is not a valid URL/)
    for (const url of ['postgres:///c?host=/tmp', 'postgres://%2Ftmp:5433/c', 'postgres://']) {
      assert.equal(read(url).databaseUrl, url)
    }
  })

  it('says which values a variable can have', () => {
    assert.throws(
      () => readConfig({ ...sound, LOG_LEVEL: 'verbose', FREEZE_ON_DISPUTE: 'yes' }),
      /LOG_LEVEL must be debug or info or warn or error or silent\n +FREEZE_ON_DISPUTE must be true or false/,
    )
  })

  it('trusts only proxies whose addresses or networks it can compare', () => {
    const read = (TRUST_PROXY: string) => readConfig({ ...sound, TRUST_PROXY }).trustProxy
    assert.deepEqual([read(''), read('false'), read('true')], [false, false, true])
    for (const networks of [
      '10.0.0.7',
      '10.0.0.0/8, 192.168.0.0/16',
      '::1,fd00::/8',
      '127.0.0.1/32',
    ]) {
      assert.equal(read(networks), networks)
    }
    const wrong = ['banana', '2', 'loopback', '10.0.0.1,', '10.0.0.0/33', '10.0.0.0/0', '::/129']
    for (const text of [...wrong, '10.0.0.0/8/8', '10.0.0.0/255.0.0.0', 'yes', '10.0.0.0/-1']) {
      assert.throws(() => read(text), /TRUST_PROXY must be false .* addresses and networks/, text)
    }
  })

  it('detects whether the service is reached over HTTPS', () => {
    assert.equal(readConfig(sound).isHttps, false)
    assert.equal(readConfig({ ...sound, ...mail, PUBLIC_URL }).isHttps, true)
  })

  it('keeps only the origin of PUBLIC_URL', () => {
    const address = `${PUBLIC_URL}:8443/somewhere`
    assert.equal(
      readConfig({ ...sound, ...mail, PUBLIC_URL: address }).publicOrigin,
      'https://wallet.example:8443',
    )
    assert.equal(readConfig(sound).publicOrigin, undefined)
  })

  it('rejects a mail server without a sender, and has no default for either', () => {
    const { SMTP_URL, MAIL_FROM } = mail
    for (const PUBLIC of [{}, { PUBLIC_URL }]) {
      assert.throws(() => readConfig({ ...sound, ...PUBLIC, SMTP_URL }), /MAIL_FROM is missing/)
    }
    assert.throws(() => readConfig({ ...sound, ...mail, SMTP_URL: 'https://x' }), /SMTP_URL must/)
    assert.equal(readConfig({ ...sound, MAIL_FROM }).mail, undefined)
    assert.deepEqual(readConfig({ ...sound, ...mail }).mail, {
      smtpUrl: SMTP_URL,
      from: MAIL_FROM,
    })
  })

  it('requires a mail server with HTTPS unless ALLOW_UNVERIFIED_EMAIL is true', () => {
    assert.throws(() => readConfig({ ...sound, PUBLIC_URL }), /SMTP_URL is missing/)
    for (const ALLOW_UNVERIFIED_EMAIL of ['false', '']) {
      const env = { ...sound, PUBLIC_URL, ALLOW_UNVERIFIED_EMAIL }
      assert.throws(() => readConfig(env), /SMTP_URL is missing/)
    }
    const vague = { ...sound, PUBLIC_URL, ALLOW_UNVERIFIED_EMAIL: 'yes' }
    assert.throws(() => readConfig(vague), /ALLOW_UNVERIFIED_EMAIL/)
    const allowed = { ...sound, PUBLIC_URL, ALLOW_UNVERIFIED_EMAIL: 'true' }
    assert.equal(readConfig(allowed).mail, undefined)
    assert.equal(readConfig({ ...sound, PUBLIC_URL: 'http://localhost:8080' }).mail, undefined)
    assert.equal(readConfig({ ...sound, ...mail, PUBLIC_URL }).mail?.from, mail.MAIL_FROM)
  })

  it('accepts a minimum password length from 8 to 64', () => {
    assert.equal(readConfig(sound).passwordMin, 12)
    for (const PASSWORD_MIN of ['7', '65', '-1', 'x']) {
      assert.throws(() => readConfig({ ...sound, PASSWORD_MIN }), /PASSWORD_MIN must be/)
    }
    for (const PASSWORD_MIN of ['8', '64']) {
      assert.equal(readConfig({ ...sound, PASSWORD_MIN }).passwordMin, Number(PASSWORD_MIN))
    }
  })

  it('reads SECOND_OPERATOR_ABOVE as an amount of the currency', () => {
    assert.equal(readConfig(sound).secondOperatorAboveMinor, 100_00n)
    const read = (SECOND_OPERATOR_ABOVE: string, CURRENCY = 'USD') =>
      readConfig({ ...sound, CURRENCY, SECOND_OPERATOR_ABOVE }).secondOperatorAboveMinor
    assert.deepEqual([read('0'), read('250.5'), read('100', 'JPY')], [0n, 250_50n, 100n])
    for (const amount of ['-1', 'none', '1e3', '1.234', '1,000', '.5', '9999999999']) {
      assert.throws(() => read(amount), /SECOND_OPERATOR_ABOVE must be an amount/)
    }
    assert.throws(() => read('0.5', 'JPY'), /SECOND_OPERATOR_ABOVE must be an amount/)
    assert.throws(
      () => readConfig({ PORT: 'x', SECOND_OPERATOR_ABOVE: 'none' }),
      /PORT must[^]*SECOND_OPERATOR_ABOVE must/,
    )
  })
  it('reads the limit of top-ups per day, which is five of the largest by default', () => {
    assert.equal(readConfig(sound).topupMaxPerDayMinor, 5000_00n)
    assert.equal(readConfig({ ...sound, TOPUP_MAX: '20000' }).topupMaxPerDayMinor, 100_000_00n)
    const env = { ...sound, TOPUP_MAX: '100' }
    assert.equal(readConfig({ ...env, TOPUP_MAX_PER_DAY: '100' }).topupMaxPerDayMinor, 100_00n)
    for (const TOPUP_MAX_PER_DAY of ['99.99', '0', 'x', '100.001']) {
      assert.throws(() => readConfig({ ...env, TOPUP_MAX_PER_DAY }), /TOPUP_MAX_PER_DAY must be/)
    }
  })

  it('reads THREE_D_SECURE_ABOVE as an amount of the currency; 0 means every payment', () => {
    assert.equal(readConfig(sound).threeDSecureAboveMinor, undefined)
    for (const [given, minor] of [
      ['0', 0n],
      ['30.50', 30_50n],
    ] as const) {
      const config = readConfig({ ...sound, THREE_D_SECURE_ABOVE: given })
      assert.equal(config.threeDSecureAboveMinor, minor)
    }
    const wrong = { ...sound, THREE_D_SECURE_ABOVE: '-1' }
    assert.throws(() => readConfig(wrong), /THREE_D_SECURE_ABOVE must be/)
  })

  it('knows by the secret key, full or restricted, whether real money moves', () => {
    const stripe = {
      STRIPE_PUBLISHABLE_KEY: 'pk_1',
      STRIPE_WEBHOOK_SECRET: `whsec_${'1'.repeat(32)}`,
    }
    const safe = {
      DATABASE_URL: 'postgres://coffer@localhost/coffer',
      PUBLIC_URL: 'https://wallet.example',
      ALLOW_SINGLE_HOST: 'true',
      SMTP_URL: 'smtp://mail.example',
      MAIL_FROM: 'wallet@wallet.example',
      METRICS_PORT: '9464',
      SECRET_PEPPERS: `p1:${randomBytes(32).toString('base64')}`,
    }
    const read = (STRIPE_SECRET_KEY: string) =>
      readConfig({ ...sound, ...stripe, ...safe, STRIPE_SECRET_KEY }).stripe?.isTest
    assert.deepEqual([read('sk_test_1'), read('rk_test_1')], [true, true])
    const live = ['sk_live_1', 'rk_live_1', 'sk_live_sk_test_1']
    assert.deepEqual(live.map(read), [false, false, false])
  })
})
