/** Compares what the service returned with what it must return. */
import { ERRORS, type ErrorCode, type ErrorEntry } from '@coffer/contract/errors'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { assertRefusal } from '../../server/test/setup.ts'
import { CODE, Token, type Answer } from './state.ts'

/** Times may differ by this, because real time passes during a call. No call is made this close to an expiry. */
export const SLACK_MS = 5_000

/** A time in milliseconds that a response shows. */
export class Time {
  readonly ms: number

  constructor(ms: number) {
    this.ms = ms
  }
}

type Body = Record<string, unknown>

/** Puts what a response lists in the order of the model, and leaves out what the model does not know. */
export type Arrange = (body: Body) => Body

export class Matcher {
  readonly #seen = new Set<string>()

  bind(actual: unknown, token: Token, what: string) {
    assert(typeof actual === 'string', `${what}: ${JSON.stringify(actual)}`)
    if (token.value !== undefined) return assert.equal(actual, token.value, what)
    assert.match(actual, token.form, what)
    // Two codes can be the same by chance.
    if (token.form !== CODE) assert(!this.#seen.has(actual), `${what} was issued twice`)
    this.#seen.add(actual)
    token.value = actual
  }

  /** Exactly these fields. */
  match(actual: unknown, expected: unknown, what: string): void {
    if (expected instanceof Token) return this.bind(actual, expected, what)
    if (expected instanceof Time) {
      const gapMs = Math.abs(Date.parse(String(actual)) - expected.ms)
      return assert(gapMs <= SLACK_MS, `${what}: ${String(actual)}, ${gapMs} ms off`)
    }
    if (expected === null || typeof expected !== 'object')
      return assert.deepEqual(actual, expected, what)
    assert(actual !== null && typeof actual === 'object', what)
    assert.deepEqual(Object.keys(actual).toSorted(), Object.keys(expected).toSorted(), what)
    for (const [key, value] of Object.entries(expected)) {
      this.match((actual as Record<string, unknown>)[key], value, `${what}: ${key}`)
    }
  }

  compare(
    response: LightMyRequestResponse,
    endpoint: Endpoint,
    { code, field, waitSeconds, body }: Answer,
    view: { what: string; arrange?: Arrange | undefined },
  ) {
    const { what, arrange = (each) => each } = view
    const codeSeen =
      response.statusCode === 200 ? undefined : response.json<{ code: ErrorCode }>().code
    assert.equal(codeSeen, code, `${what}: ${response.statusCode} ${response.body}`)
    if (code === undefined) return this.match(arrange(response.json<Body>()), body ?? {}, what)
    const header = response.headers['retry-after']
    const isWaiting = code === 'RATE_LIMITED'
    const entry: ErrorEntry = ERRORS[code]
    assertRefusal(
      response,
      endpoint,
      code,
      field,
      isWaiting ? Number(header) : entry.retryAfterSeconds,
    )
    if (!isWaiting) return
    const seconds = Number(header)
    assert(seconds >= 1, `${what}: Retry-After: ${header}`)
    if (waitSeconds === undefined) return
    const gapMs = Math.abs(seconds - waitSeconds) * 1000
    assert(gapMs <= SLACK_MS, `${what}: Retry-After: ${seconds} instead of ${waitSeconds}`)
  }
}
