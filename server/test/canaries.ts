/** Marks that a test plants wherever a caller can write, and the look into every sink for them. */
import assert from 'node:assert/strict'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { Harness } from './harness.ts'

export const MARK = 'c4n4ry'

/** Marks in every header that somebody might be tempted to log. */
export const MARKED_HEADERS = {
  'user-agent': MARK,
  'x-request-id': MARK,
  'x-forwarded-for': MARK,
  'x-client-secret': MARK,
  referer: `https://shop.example/?session=${MARK}`,
  cookie: `session=${MARK}`,
  traceparent: MARK,
}

/** Something was logged and measured since the last look, and neither a mark nor one of the secrets is in it. */
export async function assertSilence(harness: Harness, secrets: readonly string[]) {
  // Lines are written at the end of the turn that they belong to.
  await endOfTurn()
  const lines = harness.logLines.splice(0).join('')
  assert.match(lines, /"requestId":"/)
  const { body: metrics } = await harness.inject({ method: 'GET', url: '/metrics' })
  assert.match(metrics, /coffer_request_seconds_count\{/)
  for (const secret of [MARK, ...secrets]) {
    assert(secret.length > 5)
    for (const sink of [lines, metrics]) {
      const at = sink.toLowerCase().indexOf(secret.toLowerCase())
      assert.equal(at, -1, `found in ${sink.slice(Math.max(0, at - 200), at + 50)}`)
    }
  }
}
