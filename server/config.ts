/** The only reader of the environment. Reports every fault at once and has no default secrets. */
import { findCurrency, type Currency } from '@coffer/contract/money'
import { z } from 'zod'

export interface Pepper {
  id: string
  key: Buffer
}

export interface Config {
  databaseUrl: string
  /** The first one hashes new secrets; the others still check old ones. */
  peppers: [Pepper, ...Pepper[]]
  currency: Currency
  host: string
  port: number
  processes: number
  /** Whether people reach us by HTTPS. */
  isHttps: boolean
  trustProxy: boolean | string
  logLevel: string
  appRequestsPerSecond: number
  ledgerLanes: number
}

const wholeNumber = (fallback: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value <= most, `must be at most ${most}`)
    .default(fallback)

const environment = z.object({
  DATABASE_URL: z
    .string({ error: 'is missing: the address of PostgreSQL, postgres://user@host:5432/name' })
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://'),
  SECRET_PEPPERS: z
    .string({ error: 'is missing: id:base64 of 32 random bytes, newest first, comma-separated' })
    .transform(parsePeppers),
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
  PROCESSES: wholeNumber(1, 256).refine((value) => value > 0, 'must be at least 1'),
  PUBLIC_URL: z.url('must be an address such as https://wallet.example').optional(),
  TRUST_PROXY: z.string().default('false'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  APP_REQUESTS_PER_SECOND: wholeNumber(5_000, 1_000_000),
  LEDGER_LANES: wholeNumber(1, 32).refine((value) => value > 0, 'must be at least 1'),
})

export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>

export function readConfig(env: Environment = process.env): Config {
  const data = parse(environment, env)
  return {
    databaseUrl: data.DATABASE_URL,
    peppers: data.SECRET_PEPPERS,
    currency: data.CURRENCY,
    host: data.HOST,
    port: data.PORT,
    processes: data.PROCESSES,
    isHttps: data.PUBLIC_URL?.startsWith('https://') ?? false,
    trustProxy: { true: true, false: false }[data.TRUST_PROXY] ?? data.TRUST_PROXY,
    logLevel: data.LOG_LEVEL,
    appRequestsPerSecond: data.APP_REQUESTS_PER_SECOND,
    ledgerLanes: data.LEDGER_LANES,
  }
}

/** For commands that need nothing but the database. */
export function readDatabaseUrl(env: Environment = process.env): string {
  return parse(environment.pick({ DATABASE_URL: true }), env).DATABASE_URL
}

function parse<Shape extends z.ZodObject>(shape: Shape, env: Environment): z.output<Shape> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = shape.safeParse(present)
  if (result.success) return result.data
  const faults = result.error.issues.map((issue) => `  ${issue.path.join('.')} ${issue.message}`)
  throw new ConfigError(`The configuration has faults:\n${faults.join('\n')}`)
}

function parsePeppers(text: string, context: z.core.$RefinementCtx<string>): [Pepper, ...Pepper[]] {
  const peppers = text.split(',').map((part) => {
    const [id = '', base64 = ''] = part.split(':')
    return { id, key: Buffer.from(base64, 'base64') }
  })
  const sound = peppers.every(({ id, key }) => /^[\w-]{1,32}$/.test(id) && key.length >= 32)
  const distinct = new Set(peppers.map(({ id }) => id)).size === peppers.length
  const [first, ...others] = peppers
  if (sound && distinct && first) return [first, ...others]
  context.addIssue('must be id:base64 pairs of at least 32 bytes each, with distinct ids')
  return z.NEVER
}
