/**
 * Checks responses against the types of the pinned Stripe SDK. The compiler reads every response as a literal of its
 * type, so it reports a missing property, a wrong one and one that Stripe does not have.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface Sample {
  /** Where it came from, for the report. */
  source: string
  /** The name of its type in the SDK. */
  type: string
  body: unknown
}

/** Route → type of its 200. `[]` marks a list of them. */
const TYPES: [RegExp, string][] = [
  [/^GET \/v1\/payment_intents$/, 'PaymentIntent[]'],
  [/^(GET|POST) \/v1\/payment_intents(\/|$)/, 'PaymentIntent'],
  [/^GET \/v1\/charges$/, 'Charge[]'],
  [/^(GET|POST) \/v1\/charges\//, 'Charge'],
  [/^GET \/v1\/balance_transactions$/, 'BalanceTransaction[]'],
  [/^GET \/v1\/balance_transactions\//, 'BalanceTransaction'],
  [/^GET \/v1\/refunds$/, 'Refund[]'],
  [/^(GET|POST) \/v1\/refunds(\/|$)/, 'Refund'],
  [/^GET \/v1\/disputes$/, 'Dispute[]'],
  [/^(GET|POST) \/v1\/disputes\//, 'Dispute'],
  [/^GET \/v1\/events$/, 'Event[]'],
  [/^GET \/v1\/events\//, 'Event'],
  [/^GET \/v1\/customers$/, 'Customer[]'],
  [/^(GET|POST) \/v1\/customers(\/|$)/, 'Customer'],
  [/^DELETE \/v1\/customers\//, 'DeletedCustomer'],
  [/^GET \/v1\/payment_methods$/, 'PaymentMethod[]'],
  [/^(GET|POST) \/v1\/payment_methods(\/|$)/, 'PaymentMethod'],
  [/^GET \/v1\/webhook_endpoints$/, 'WebhookEndpoint[]'],
  [/^(GET|POST) \/v1\/webhook_endpoints(\/|$)/, 'WebhookEndpoint'],
  [/^DELETE \/v1\/webhook_endpoints\//, 'DeletedWebhookEndpoint'],
]

/** A page with the publishable key gets fewer properties of a payment than a server. */
export type Reader = 'server' | 'page'

export function sampleOf(
  source: string,
  status: number,
  body: unknown,
  reader: Reader = 'server',
): Sample {
  const known = TYPES.find(([pattern]) => pattern.test(source))?.[1]
  const type = status === 200 ? known : 'Refusal'
  assert(type !== undefined, `No type is known for ${source}`)
  return { source, type: reader === 'page' ? `Page${type}` : type, body }
}

const SDK = dirname(fileURLToPath(import.meta.resolve('stripe')))
const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url))

/** The SDK's type of an error also has fields that the SDK itself adds. */
const HEAD = `import type Stripe from './stripe/stripe.esm.node.js'
type Added = 'type' | 'headers' | 'statusCode' | 'requestId' | 'detail' | 'exception'
type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
type Refused = Omit<Stripe.StripeRawError, Added> & { type: ErrorType; message: string }
type Refusal = { error: Refused }
type Always = 'id' | 'object' | 'amount' | 'currency' | 'client_secret' | 'status' | 'next_action'
type PagePaymentIntent = Pick<Stripe.PaymentIntent, Always> & Partial<Stripe.PaymentIntent>
type PageRefusal = { error: Omit<Refused, 'payment_intent'> & { payment_intent?: PagePaymentIntent } }
`

const CONFIG = {
  compilerOptions: {
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom'],
    types: ['node'],
    typeRoots: [join(MODULES, '@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
  },
  files: ['samples.ts'],
}

/** What is wrong with the samples, one text per fault. */
export async function findTypeFaults(samples: Sample[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-types-'))
  try {
    copyTypes(join(folder, 'stripe'))
    const lines = samples.map(
      ({ type, body }) => `;(${JSON.stringify(body)}) satisfies ${nameOf(type)}`,
    )
    writeFileSync(join(folder, 'samples.ts'), HEAD + lines.join('\n'))
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG))
    return readFaults(await compile(folder), samples)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function nameOf(type: string): string {
  if (HEAD.includes(`type ${type} =`)) return type
  return type.endsWith('[]') ? `Stripe.ApiList<Stripe.${type.slice(0, -2)}>` : `Stripe.${type}`
}

/** The SDK adds every text to its enumerations, because newer versions of the API may. This API has one version. */
function copyTypes(target: string) {
  const filter = (path: string) => !/\.(js|map)$/.test(path)
  cpSync(SDK, target, { recursive: true, filter })
  const file = join(target, 'shared.d.ts')
  const open = readFileSync(file, 'utf8')
  const closed = open.replace(/type OtherString = [^;]+;/, 'type OtherString = never;')
  assert.notEqual(closed, open, 'The SDK no longer has the type OtherString')
  writeFileSync(file, closed)
}

async function compile(folder: string): Promise<string> {
  const tsc = join(MODULES, 'typescript/bin/tsc')
  return promisify(execFile)(process.execPath, [tsc, '-p', folder, '--pretty', 'false']).then(
    ({ stdout }) => stdout,
    (error: Error & { stdout?: string }) => error.stdout || error.message,
  )
}

function readFaults(report: string, samples: Sample[]): string[] {
  const above = HEAD.split('\n').length
  return report
    .split(/\n(?! )/)
    .filter(Boolean)
    .map((text) => {
      const [, line, message] = /samples\.ts\((\d+),\d+\): error TS\d+: (.*)$/s.exec(text) ?? []
      const sample = samples[Number(line) - above]
      return sample ? `${sample.source} (${sample.type}): ${message}` : text
    })
}
