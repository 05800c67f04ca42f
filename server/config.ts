/** The only reader of the environment. Reports all errors at once and has no default secrets. */
import { PASSWORD_MIN } from '@coffer/contract/limits'
import { findCurrency, type Currency } from '@coffer/contract/money'
import { z } from 'zod'
import { checkLiveConfig } from './config/check-live-config.ts'
import { checkOrigins, readOrigins } from './config/check-origins.ts'
import { loadSettings } from './config/load-settings.ts'
import { parseKeys } from './config/parse-keys.ts'
import { trustProxy } from './config/parse-trust-proxy.ts'
import { urlWithPassword } from './config/parse-url.ts'
import { checkAmounts, readAmounts } from './config/read-amounts.ts'
import { addPassword } from './config/read-password-file.ts'
import { readSecretFiles } from './config/read-secret-files.ts'
import { readStripe, type StripeConfig } from './config/read-stripe.ts'

/** A pepper or another key, with the id by which stored values name it. */
export interface NamedKey {
  id: string
  key: Buffer
}

/** The keys that a restored database needs. */
export type Keys = Pick<Config, 'peppers' | 'adminKeys'>

export interface Config {
  databaseUrl: string
  /** Operations are executed and outcomes reported only while a synchronous standby is attached. */
  requiresStandby: boolean
  /** The first one hashes new secrets; the others still check old ones. */
  peppers: [NamedKey, ...NamedKey[]]
  /** For the operators' authenticators, newest first; undefined: /admin is not available. */
  adminKeys: [NamedKey, ...NamedKey[]] | undefined
  /** Start even if data in the database requires a key that is not configured. */
  allowMissingKeys: boolean
  currency: Currency
  host: string
  port: number
  /** undefined: /metrics is on the same port as everything else. */
  metricsPort: number | undefined
  processes: number
  /** PUBLIC_URL has https://. */
  isHttps: boolean
  /** Browsers such as Safari keep no `Secure` cookie of a page without HTTPS. For development only. */
  allowsHttpLogin: boolean
  /** For development: webhooks may lead to this machine, without TLS. */
  allowsLoopbackWebhooks: boolean
  /** undefined: the host of each request. */
  publicOrigin: string | undefined
  /** The origins of /account, /admin and /docs: publicOrigin, unless they have one of their own. */
  accountOrigin: string | undefined
  adminOrigin: string | undefined
  docsOrigin: string | undefined
  /** The domain of the operators' passkeys; undefined: the host of adminOrigin. */
  passkeyRpId: string | undefined
  /** The domain of people's passkeys; undefined: the host of accountOrigin. */
  accountPasskeyRpId: string | undefined
  /** undefined: email addresses are not verified. */
  mail: { smtpUrl: string; from: string } | undefined
  /** Who operates the wallet, as people read it. */
  serviceName: string
  /** Where people get help: a page, or an email address as mailto:. */
  supportUrl: string | undefined
  passwordMin: number
  /** undefined: nobody can top up. */
  stripe: StripeConfig | undefined
  topupMinMinor: bigint
  topupMaxMinor: bigint
  topupsPerHour: number
  /** Of one person in 24 hours. */
  topupMaxPerDayMinor: bigint
  /** undefined: the card processor decides. */
  threeDSecureAboveMinor: bigint | undefined
  stripeCallsPerSecond: number
  freezeOnDispute: boolean
  /** What one operator may grant and correct alone in 24 hours; 0: nothing. */
  secondOperatorAboveMinor: bigint
  trustProxy: boolean | string
  logLevel: string
  appRequestsPerSecond: number
  sessionsPerSecond: number
  widgetRequestsPerSecond: number
  /** Per network address: enough for a person, far too few to guess passwords. */
  logInsPerMinute: number
  signUpsPerHour: number
  /** Hashing is expensive on purpose, so it is limited per process. */
  passwordHashesPerSecond: number
  ledgerLanes: number
  /** The share of time that the continuous verifier works; 0: never. */
  verifyPercent: number
  /** Where one process appends the audit log, as lines of JSON. */
  auditLogFile: string | undefined
}

const wholeNumber = (fallback: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value <= most, `must be at most ${most}`)
    .default(fallback)

const choice = <const Value extends string>(values: Value[], fallback: NoInfer<Value>) =>
  z.enum(values, `must be ${values.join(' or ')}`).default(fallback)

const flag = choice(['true', 'false'], 'false')

const domain = z
  .string()
  .regex(/^(localhost|([a-z0-9-]+\.)+[a-z0-9-]+)$/, 'must be a domain such as wallet.example')

const environment = z.object({
  DATABASE_URL: urlWithPassword('postgres://user@host:5432/name', ['postgres://', 'postgresql://']),
  PGPASSFILE: z.string().min(1).optional(),
  REQUIRE_SYNC_STANDBY: flag,
  SECRET_PEPPERS: z
    .string({ error: 'is missing: id:base64 of 32 random bytes, newest first, comma-separated' })
    .transform(parseKeys),
  ADMIN_KEYS: z.string().transform(parseKeys).optional(),
  ALLOW_MISSING_KEYS: flag,
  CURRENCY: z
    .string()
    .default('USD')
    .transform((code, context) => {
      const currency = findCurrency(code)
      if (currency) return currency
      context.addIssue(`must be an ISO 4217 code such as USD, not ${JSON.stringify(code)}`)
      return z.NEVER
    }),
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(8080, 65_535),
  METRICS_PORT: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'must be a port')
    .transform(Number)
    .refine((value) => value <= 65_535, 'must be at most 65535')
    .optional(),
  PROCESSES: wholeNumber(1, 256).refine((value) => value > 0, 'must be at least 1'),
  PUBLIC_URL: z.url('must be a URL such as https://wallet.example').optional(),
  ACCOUNT_URL: z.url('must be a URL such as https://account.wallet.example').optional(),
  ADMIN_URL: z.url('must be a URL such as https://admin.wallet.example').optional(),
  DOCS_URL: z.url('must be a URL such as https://docs.wallet.example').optional(),
  ALLOW_SINGLE_HOST: flag,
  ALLOW_HTTP_LOGIN: flag,
  ALLOW_LOOPBACK_WEBHOOKS: flag,
  PASSKEY_RP_ID: domain.optional(),
  ACCOUNT_PASSKEY_RP_ID: domain.optional(),
  TRUST_PROXY: trustProxy,
  LOG_LEVEL: choice(['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  APP_REQUESTS_PER_SECOND: wholeNumber(5_000, 1_000_000),
  SESSIONS_PER_SECOND: wholeNumber(50, 1_000_000),
  WIDGET_REQUESTS_PER_SECOND: wholeNumber(10, 1_000_000),
  LOG_INS_PER_MINUTE: wholeNumber(20, 1_000_000),
  SIGN_UPS_PER_HOUR: wholeNumber(5, 1_000_000),
  PASSWORD_HASHES_PER_SECOND: wholeNumber(5, 10_000),
  PASSWORD_MIN: wholeNumber(PASSWORD_MIN, 64).refine((value) => value >= 8, 'must be at least 8'),
  SMTP_URL: urlWithPassword('smtp://user:password@host:587', ['smtp://', 'smtps://']).optional(),
  MAIL_FROM: z.string().min(3).optional(),
  SERVICE_NAME: z.string().trim().min(1).max(60).default('Coffer'),
  SUPPORT_URL: z
    .string()
    .regex(/^(https?:\/\/|mailto:)[^\s"<>]+$/, 'must be an https: or a mailto: URL')
    .optional(),
  ALLOW_UNVERIFIED_EMAIL: flag,
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_/, 'must begin with sk_ or rk_')
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_/, 'must begin with pk_').optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_/, 'must begin with whsec_')
    .optional(),
  STRIPE_API_URL: z.url('must be a URL').optional(),
  STRIPE_SCRIPT_URL: z.url('must be a URL').default('https://js.stripe.com/endive/stripe.js'),
  TOPUP_MIN: z.string().default('1'),
  TOPUP_MAX: z.string().default('1000'),
  TOPUPS_PER_HOUR: wholeNumber(10, 1_000_000),
  TOPUP_MAX_PER_DAY: z.string().optional(),
  THREE_D_SECURE_ABOVE: z.string().optional(),
  STRIPE_CALLS_PER_SECOND: wholeNumber(20, 1_000_000),
  FREEZE_ON_DISPUTE: flag,
  SECOND_OPERATOR_ABOVE: z
    .string()
    .regex(/^[\d.]+$/, 'must be an amount such as 100, or 0')
    .default('100'),
  LEDGER_LANES: wholeNumber(1, 32).refine((value) => value > 0, 'must be at least 1'),
  VERIFY_PERCENT: wholeNumber(3, 50),
  AUDIT_LOG_FILE: z.string().min(1).optional(),
})

/** One error must not hide another one. */
const always = () => true

/** Rules across variables. With HTTPS there are real people and real money, so email addresses must be verified. */
const complete = environment
  .refine(({ SMTP_URL, MAIL_FROM }) => !SMTP_URL || MAIL_FROM, {
    path: ['MAIL_FROM'],
    message: 'is missing: the sender of emails, such as no-reply@wallet.example',
    when: always,
  })
  .refine(
    (env) =>
      env.SMTP_URL ||
      env.ALLOW_UNVERIFIED_EMAIL === 'true' ||
      !env.PUBLIC_URL?.startsWith('https://'),
    {
      path: ['SMTP_URL'],
      message:
        'is missing: the mail server, such as smtp://user:password@host:587. To run without one, set ALLOW_UNVERIFIED_EMAIL=true',
      when: always,
    },
  )

  .refine(
    (env) =>
      countOf(env.STRIPE_SECRET_KEY, env.STRIPE_PUBLISHABLE_KEY, env.STRIPE_WEBHOOK_SECRET) % 3 ===
      0,
    {
      path: ['STRIPE_SECRET_KEY'],
      message: 'requires STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET: set all three, or none',
      when: always,
    },
  )
  .superRefine((env, context) => {
    const issues = [...checkAmounts(env), ...checkOrigins(env), ...checkLiveConfig(env)]
    for (const { name, message } of issues) {
      context.addIssue({ code: 'custom', path: [name], message })
    }
  })

function countOf(...values: (string | undefined)[]): number {
  return values.filter((value) => value !== undefined).length
}

export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>

/** Before a command that does not have its settings in the environment. */
export function completeEnvironment() {
  loadSettings(process.env)
}

export function readConfig(env: Environment = process.env): Config {
  const data = parse(complete, env)
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = data
  return {
    databaseUrl: addPassword(data, env),
    peppers: data.SECRET_PEPPERS,
    adminKeys: data.ADMIN_KEYS,
    allowMissingKeys: data.ALLOW_MISSING_KEYS === 'true',
    currency: data.CURRENCY,
    host: data.HOST,
    port: data.PORT,
    metricsPort: data.METRICS_PORT,
    processes: data.PROCESSES,
    isHttps: data.PUBLIC_URL?.startsWith('https://') ?? false,
    allowsHttpLogin: data.ALLOW_HTTP_LOGIN === 'true',
    allowsLoopbackWebhooks: data.ALLOW_LOOPBACK_WEBHOOKS === 'true',
    ...readOrigins(data),
    passkeyRpId: data.PASSKEY_RP_ID,
    accountPasskeyRpId: data.ACCOUNT_PASSKEY_RP_ID,
    mail: smtpUrl && from ? { smtpUrl, from } : undefined,
    serviceName: data.SERVICE_NAME,
    supportUrl: data.SUPPORT_URL,
    passwordMin: data.PASSWORD_MIN,
    stripe: readStripe(data),
    ...readAmounts(data),
    topupsPerHour: data.TOPUPS_PER_HOUR,
    stripeCallsPerSecond: data.STRIPE_CALLS_PER_SECOND,
    requiresStandby: data.REQUIRE_SYNC_STANDBY === 'true',
    freezeOnDispute: data.FREEZE_ON_DISPUTE === 'true',
    trustProxy: { true: true, false: false }[data.TRUST_PROXY] ?? data.TRUST_PROXY,
    logLevel: data.LOG_LEVEL,
    appRequestsPerSecond: data.APP_REQUESTS_PER_SECOND,
    sessionsPerSecond: data.SESSIONS_PER_SECOND,
    widgetRequestsPerSecond: data.WIDGET_REQUESTS_PER_SECOND,
    logInsPerMinute: data.LOG_INS_PER_MINUTE,
    signUpsPerHour: data.SIGN_UPS_PER_HOUR,
    passwordHashesPerSecond: data.PASSWORD_HASHES_PER_SECOND,
    ledgerLanes: data.LEDGER_LANES,
    verifyPercent: data.VERIFY_PERCENT,
    auditLogFile: data.AUDIT_LOG_FILE,
  }
}

/** For commands that need only the database. */
export function readDatabaseUrl(env: Environment = process.env): string {
  return addPassword(parse(environment.pick({ DATABASE_URL: true, PGPASSFILE: true }), env), env)
}

/** Keys in the format of the environment. */
export function readKeyList(env: Environment): Keys {
  const data = parse(environment.pick({ SECRET_PEPPERS: true, ADMIN_KEYS: true }), env)
  return { peppers: data.SECRET_PEPPERS, adminKeys: data.ADMIN_KEYS }
}

/** For commands that need no currency. undefined: CURRENCY is not set, so there is nothing to compare. */
export function readGivenCurrency(env: Environment = process.env): Currency | undefined {
  return env['CURRENCY'] ? parse(environment.pick({ CURRENCY: true }), env).CURRENCY : undefined
}

function parse<Shape extends z.ZodObject>(shape: Shape, env: Environment): z.output<Shape> {
  const { values, faults } = readSecretFiles(env, Object.keys(shape.shape))
  const present = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  const result = shape.safeParse(present)
  if (result.success && faults.size === 0) return result.data
  const issues = result.error?.issues.filter(({ path: [name] }) => !faults.has(String(name))) ?? []
  const errors = issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
  const lines = [...faults.values(), ...errors].map((line) => `  ${line}`)
  throw new ConfigError(`Invalid configuration:\n${lines.join('\n')}`)
}
