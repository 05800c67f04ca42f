import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Refusal } from '../../ui/request.ts'
import { isUnknown } from './explain-grant.ts'

function refusal(status: number): Refusal {
  const nothing = { code: undefined, text: undefined, field: undefined }
  return { ok: false, offline: false, status, retryAfterSeconds: undefined, ...nothing }
}

describe('the outcome of an operation', () => {
  it('is unknown after a lost response and any error of the server', () => {
    assert.equal(isUnknown({ ok: false, offline: true }), true)
    for (const status of [500, 502, 503, 504]) assert.equal(isUnknown(refusal(status)), true)
  })

  it('is known after a refusal', () => {
    for (const status of [400, 403, 409, 429, 499]) assert.equal(isUnknown(refusal(status)), false)
  })
})
