/** Requests that do not have the shape that the contract demands. */
import { BODY_MAX_BYTES } from '@coffer/contract/limits'
import assert from 'node:assert/strict'
import type { Check } from './contract-access.ts'
import { send, withFields, withHeaders, type Request } from './contract-service.ts'
import { AMOUNTS, brokenBodies, OTHER_MEDIA_TYPES, wrongValuesOf } from './requests/wrong-input.ts'
import { assertRefusal, basicOf } from './setup.ts'

export const refusesWrongFields: Check = async (service, endpoint, request) => {
  const fields = endpoint.method === 'GET' ? request.query : request.body
  assert(typeof fields === 'object' && !Buffer.isBuffer(fields))
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
      if (isAmount) assertRefusal(response, endpoint, 'INVALID_AMOUNT', field)
      else assertRefusal(response, endpoint, 'INVALID_REQUEST', field)
    }
  }
  if (endpoint.method === 'GET') {
    const twice = withFields(request, endpoint, { odd: ['1', '2'] })
    assertRefusal(await send(service, endpoint, twice), endpoint, 'INVALID_REQUEST', 'odd')
  } else {
    for (const body of brokenBodies(JSON.stringify(request.body))) {
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

export const refusesLargeBodies: Check = async (service, endpoint, request) => {
  const body = JSON.stringify(request.body).padEnd((endpoint.bodyMaxBytes ?? BODY_MAX_BYTES) + 1)
  const response = await send(service, endpoint, { ...request, body })
  assertRefusal(response, endpoint, 'PAYLOAD_TOO_LARGE')
}

export const refusesOtherMediaTypes: Check = async (service, endpoint, request) => {
  for (const type of OTHER_MEDIA_TYPES) {
    const response = await send(service, endpoint, withHeaders(request, { 'content-type': type }))
    assertRefusal(response, endpoint, 'UNSUPPORTED_MEDIA_TYPE')
  }
  const { headers } = request
  const url = `${endpoint.path}?${new URLSearchParams(request.query as Record<string, string>)}`
  const empty = await service.harness.inject({ method: 'POST', url, headers })
  assertRefusal(empty, endpoint, 'UNSUPPORTED_MEDIA_TYPE')
}
