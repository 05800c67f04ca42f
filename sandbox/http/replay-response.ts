import { createHash } from 'node:crypto'
import type { State } from '../state.ts'
import { StripeError } from '../stripe-error.ts'
import type { Params } from './parse-form.ts'

type Kept = { requestId: string; response: { status: number; body: string } }

export function fingerprintOf(method: string, url: string, params: Params): string {
  const [path] = url.split('?')
  const text = JSON.stringify([method, path, sorted(params)])
  return createHash('sha256').update(text).digest('hex')
}

/** Returns the stored response for this key; or reserves the key for the caller and returns null. */
export function reserveKey(
  state: State,
  key: string,
  fingerprint: string,
  requestId: string,
): Kept | null {
  const known = state.storedResponses.get(key)
  if (known === undefined) {
    state.storedResponses.set(key, { fingerprint, requestId, response: null })
    return null
  }
  if (known.fingerprint !== fingerprint) {
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
    throw new StripeError(400, 'idempotency_error', message)
  }
  if (known.response === null) {
    const message = `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}`
    const detail = { code: 'idempotency_key_in_use' }
    throw new StripeError(409, 'invalid_request_error', message, detail)
  }
  return { requestId: known.requestId, response: known.response }
}

export function storeResponse(state: State, key: string, response: Kept['response']) {
  const reserved = state.storedResponses.get(key)
  if (reserved !== undefined) reserved.response = response
}

export function releaseKey(state: State, key: string) {
  state.storedResponses.delete(key)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([name, inner]) => [name, sorted(inner)])
}
