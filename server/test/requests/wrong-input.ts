/** Fields, bodies and media types that an endpoint must refuse, derived from its contract and from a valid body. */
import type { Endpoint } from '@coffer/contract/endpoint'
import assert from 'node:assert/strict'

/** Values that most fields reject: other types, control characters, too long. */
const WRONG_VALUES: readonly unknown[] = [
  undefined,
  null,
  5,
  true,
  [],
  {},
  'a\u0000',
  '\ud800',
  '',
  'x'.repeat(9_000),
]

/** Their shape is refused as INVALID_AMOUNT. */
export const AMOUNTS = ['amount', 'requiredAmount']

/** Values that the contract rejects for this field: other types, control characters, too long, repeated. */
export function wrongValuesOf(
  { method, input }: Endpoint,
  field: string,
  valid?: unknown,
): unknown[] {
  const schema = input.shape[field]
  assert(schema !== undefined)
  const isText = (value: unknown) => typeof value === 'string' && value !== '\ud800'
  const candidates = method === 'GET' ? [undefined, ...WRONG_VALUES.filter(isText)] : WRONG_VALUES
  const isRefused = (value: unknown) => !('safeParse' in schema) || !schema.safeParse(value).success
  // A number is a valid amount: the parser keeps its text.
  const isNumber = (value: unknown) => AMOUNTS.includes(field) && typeof value === 'number'
  const wrong = candidates.filter((value) => isRefused(value) && !isNumber(value))
  return method === 'GET' ? [...wrong, [valid ?? '1', valid ?? '1']] : wrong
}

/** Not JSON, not an object, or built to do harm. `sound` is a JSON object. */
export function brokenBodies(sound: string): (string | Buffer)[] {
  const deep = '['.repeat(7_000) + ']'.repeat(7_000)
  const broken = ['', ' ', '{', 'nonsense', 'NaN', '{"a":1,}', "{'a':1}", sound.slice(0, -1)]
  const shapeless = ['[]', `[${sound}]`, 'null', '5', '"text"', 'true', deep]
  const encoded = [
    `\ufeff${sound}`,
    `${sound}${sound}`,
    Buffer.from(sound, 'utf16le'),
    Buffer.concat([Buffer.from(`${sound.slice(0, -1)}"`), Buffer.from([0xff, 0xc0, 0xaf])]),
  ]
  const prefix = (text: string) => (sound === '{}' ? `{${text}}` : sound.replace('{', `{${text},`))
  const hostile = ['"__proto__":{"amount":1}', '"a":{"__proto__":null}', `"a":${deep}`]
  return [...broken, ...shapeless, ...encoded, ...hostile.map(prefix)]
}

export const OTHER_MEDIA_TYPES: readonly string[] = [
  '',
  '/',
  'json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'application/jsonx',
  'application/vnd.api+json',
  'a'.repeat(500),
]
