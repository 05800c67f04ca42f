/** Markers that a test puts wherever a caller can write, and a search for them in logs and metrics. */
import assert from 'node:assert/strict'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { Harness } from './harness.ts'

export const MARK = 'c4n4ry'

/** Markers in every header that the service might log by mistake. */
export const MARKED_HEADERS = {
  'user-agent': MARK,
  'x-request-id': MARK,
  'x-forwarded-for': MARK,
  'x-client-secret': MARK,
  referer: `https://shop.example/?session=${MARK}`,
  cookie: `session=${MARK}`,
  traceparent: MARK,
}

/** Logs and metrics since the last call are not empty, and contain neither a marker nor one of the secrets. */
export async function assertNoLeaks(harness: Harness, secrets: readonly string[]) {
  // The log is flushed at the end of the event loop turn.
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
