import { existsSync, readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'

/** Stripe's own OpenAPI schemas, kept beside the repository. They are not ours to ship. */
const SLICE = new URL('../../shared/stripe/openapi-slice.json', import.meta.url)

export const hasSchemas = existsSync(SLICE)

/** Route → schema of its 200. `[]` marks a list of them. */
const ANSWERS: [RegExp, string][] = [
  [/^GET \/v1\/payment_intents$/, 'payment_intent[]'],
  [/^(GET|POST) \/v1\/payment_intents(\/|$)/, 'payment_intent'],
  [/^GET \/v1\/charges$/, 'charge[]'],
  [/^(GET|POST) \/v1\/charges\//, 'charge'],
  [/^GET \/v1\/balance_transactions$/, 'balance_transaction[]'],
  [/^GET \/v1\/balance_transactions\//, 'balance_transaction'],
  [/^GET \/v1\/refunds$/, 'refund[]'],
  [/^(GET|POST) \/v1\/refunds(\/|$)/, 'refund'],
  [/^GET \/v1\/disputes$/, 'dispute[]'],
  [/^(GET|POST) \/v1\/disputes\//, 'dispute'],
  [/^GET \/v1\/events$/, 'event[]'],
  [/^GET \/v1\/events\//, 'event'],
  [/^GET \/v1\/customers$/, 'customer[]'],
  [/^(GET|POST) \/v1\/customers(\/|$)/, 'customer'],
  [/^(GET|POST) \/v1\/payment_methods(\/|$)/, 'payment_method'],
  [/^GET \/v1\/webhook_endpoints$/, 'webhook_endpoint[]'],
  [/^(GET|POST) \/v1\/webhook_endpoints(\/|$)/, 'webhook_endpoint'],
]

const validators = new Map<string, ValidateFunction>()
let ajv: Ajv | null = null

/** What is wrong with an answer by Stripe's schemas; nothing where they are absent. */
export function findSchemaFaults(route: string, status: number, body: unknown): string[] {
  if (!hasSchemas) return []
  const name = status === 200 ? ANSWERS.find(([pattern]) => pattern.test(route))?.[1] : 'error'
  if (name === undefined) return route.startsWith('DELETE ') ? [] : [`no schema for ${route}`]
  if (!name.endsWith('[]')) return validate(name, body)
  const { object, data, has_more: hasMore, url } = body as Record<string, unknown>
  const isList = object === 'list' && Array.isArray(data) && typeof hasMore === 'boolean'
  if (!isList || typeof url !== 'string') return [`${route} is not a list`]
  return data.flatMap((item) => validate(name.slice(0, -2), item))
}

export function validate(name: string, body: unknown): string[] {
  ajv ??= loadSchemas()
  const check =
    validators.get(name) ?? ajv.getSchema(`stripe#/components/schemas/${name}`) ?? undefined
  if (check === undefined) return [`Stripe's schemas have no ${name}`]
  validators.set(name, check)
  if (check(body)) return []
  return (check.errors ?? []).map(
    ({ instancePath, message }) => `${name}${instancePath} ${message}`,
  )
}

function loadSchemas(): Ajv {
  const { components } = JSON.parse(readFileSync(SLICE, 'utf8'), spellOutNull) as {
    components: object
  }
  const instance = new Ajv({ strict: false, validateFormats: false })
  instance.addSchema({ components }, 'stripe')
  return instance
}

/** OpenAPI 3.0 says `nullable: true` where JSON Schema lists null among the types. */
function spellOutNull(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('nullable' in value)) return value
  const { nullable, ...schema } = value
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema
}
