/** Compares what the service says with what the model expects. */
import { ERRORS, type ErrorEntry } from '@coffer/contract/errors'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import type { Answer } from './model.ts'

/** A regular expression stands for the texts that match it. `parts`: the service may return more fields. */
export function assertLike(
  actual: unknown,
  expected: unknown,
  what: string,
  { parts = false } = {},
) {
  if (expected instanceof RegExp) {
    assert(
      typeof actual === 'string' && expected.test(actual),
      `${what}: ${String(actual)} is not ${expected}`,
    )
  } else if (Array.isArray(expected)) {
    assert(Array.isArray(actual), `${what}: not a list`)
    assert.equal(actual.length, expected.length, `${what}: ${JSON.stringify(actual)}`)
    for (const [index, each] of expected.entries())
      assertLike(actual[index], each, `${what}[${index}]`, { parts })
  } else if (typeof expected === 'object' && expected !== null) {
    assert(typeof actual === 'object' && actual !== null, `${what}: ${String(actual)}`)
    const fields = actual as Record<string, unknown>
    if (!parts)
      assert.deepEqual(Object.keys(fields).toSorted(), Object.keys(expected).toSorted(), what)
    for (const [name, each] of Object.entries(expected))
      assertLike(fields[name], each, `${what}.${name}`, { parts })
  } else assert.deepEqual(actual, expected, what)
}

export function assertAnswer(
  response: LightMyRequestResponse,
  endpoint: Endpoint,
  answer: Answer,
  what: string,
) {
  const { statusCode, body } = response
  if ('body' in answer) {
    assert.equal(statusCode, 200, `${what}: ${body} instead of ${JSON.stringify(answer.body)}`)
    assertLike(response.json(), answer.body, what)
    return
  }
  const { code, field } = answer
  const actual = statusCode === 200 ? '200' : response.json<{ code: string }>().code
  assert.equal(actual, code, `${what}: ${body}`)
  const entry: ErrorEntry = { ...ERRORS[code], ...endpoint.errors[code] }
  assert.equal(statusCode, entry.status, what)
  if (field !== undefined) assert.equal(response.json<{ field: string }>().field, field, what)
}

/** How the must-hit list names an answer. */
export function nameAnswer(answer: Answer): string {
  return 'body' in answer ? '200' : answer.code
}
