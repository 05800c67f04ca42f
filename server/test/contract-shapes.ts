/** Requests that do not have the shape that the contract demands. */
import type { Endpoint } from '@coffer/contract/endpoint'
import { BODY_MAX_BYTES } from '@coffer/contract/limits'
import assert from 'node:assert/strict'
import type { Check } from './contract-access.ts'
import { send, withFields, withHeaders, type Request } from './contract-service.ts'
import { assertRefusal, basicOf } from './setup.ts'

/** Their shape is refused as INVALID_AMOUNT. */
const AMOUNTS = ['amount', 'requiredAmount']
const WRONG_VALUES = [undefined, null, 5, true, [], {}, 'a\u0000', '\ud800', '', 'x'.repeat(9_000)]

/** Values that the contract rejects for this field: other types, control characters, too long, repeated. */
function wrongValuesOf({ method, input }: Endpoint, field: string, valid: unknown): unknown[] {
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

export const refusesWrongFields: Check = async (service, endpoint, request) => {
  const fields = endpoint.method === 'GET' ? request.query : request.body
  assert(typeof fields === 'object')
  for (const field of Object.keys(endpoint.input.shape)) {
    // Without one it is INVALID_SESSION.
    const isSession = field === 'session'
    const wrong = wrongValuesOf(endpoint, field, fields[field])
    for (const value of isSession ? wrong.filter(Array.isArray) : wrong) {
      const response = await send(
        service,
        endpoint,
        withFields(request, endpoint, { [field]: value }),
      )
      const isAmount =
        AMOUNTS.includes(field) && !(endpoint.method === 'GET' && Array.isArray(value))
      if (isAmount) assertRefusal(response, endpoint, 'INVALID_AMOUNT')
      else assertRefusal(response, endpoint, 'INVALID_REQUEST', field)
    }
  }
  if (endpoint.method === 'GET') {
    const twice = withFields(request, endpoint, { odd: ['1', '2'] })
    assertRefusal(await send(service, endpoint, twice), endpoint, 'INVALID_REQUEST', 'odd')
  } else {
    for (const body of brokenBodies(request)) {
      const response = await send(service, endpoint, {
        ...request,
        body,
        headers: withCredentials(request),
      })
      assertRefusal(response, endpoint, 'INVALID_REQUEST')
    }
  }
}

/** A client app authenticates with a header if the body cannot be read. */
function withCredentials({ headers, body }: Request) {
  if (typeof body !== 'object' || !('clientSecret' in body)) return headers
  const { clientId, clientSecret } = body
  return {
    ...headers,
    ...basicOf({ clientId: String(clientId), clientSecret: String(clientSecret) }),
  }
}

/** Not JSON, not an object, or built to do harm. */
function brokenBodies({ body }: Request): string[] {
  const sound = JSON.stringify(body)
  const deep = '['.repeat(7_000) + ']'.repeat(7_000)
  const broken = ['', ' ', '{', 'nonsense', 'NaN', '{"a":1,}', "{'a':1}", sound.slice(0, -1)]
  const shapeless = ['[]', `[${sound}]`, 'null', '5', '"text"', 'true', deep]
  const prefix = (text: string) => (sound === '{}' ? `{${text}}` : sound.replace('{', `{${text},`))
  const hostile = ['"__proto__":{"amount":1}', '"a":{"__proto__":null}', `"a":${deep}`]
  return [...broken, ...shapeless, ...hostile.map(prefix)]
}

export const refusesLargeBodies: Check = async (service, endpoint, request) => {
  const body = JSON.stringify(request.body).padEnd((endpoint.bodyMaxBytes ?? BODY_MAX_BYTES) + 1)
  const response = await send(service, endpoint, { ...request, body })
  assertRefusal(response, endpoint, 'PAYLOAD_TOO_LARGE')
}

export const refusesOtherMediaTypes: Check = async (service, endpoint, request) => {
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'json', '']
  for (const type of types) {
    const response = await send(service, endpoint, withHeaders(request, { 'content-type': type }))
    assertRefusal(response, endpoint, 'UNSUPPORTED_MEDIA_TYPE')
  }
  const { headers } = request
  const url = `${endpoint.path}?${new URLSearchParams(request.query as Record<string, string>)}`
  const empty = await service.harness.inject({ method: 'POST', url, headers })
  assertRefusal(empty, endpoint, 'UNSUPPORTED_MEDIA_TYPE')
}
