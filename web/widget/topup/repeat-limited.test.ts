import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import type { Result } from '../../ui/request.ts'
import { skipDelays } from '../../test/script-responses.ts'
import { repeatLimited } from './repeat-limited.ts'

const LIMITED = { ok: false, offline: false, status: 429, retryAfterSeconds: 3 } as Result<string>
const DONE: Result<string> = { ok: true, data: 'cards' }

describe('a call that is limited', () => {
  afterEach(() => mock.restoreAll())

  it('is repeated after the time that the service names', async () => {
    const delaysMs = skipDelays()
    const results = [LIMITED, LIMITED, DONE]
    assert.equal(await repeatLimited(async () => results.shift() ?? assert.fail()), DONE)
    assert.deepEqual(delaysMs, [3000, 3000])
  })

  it('is repeated a few times only, and other results are not', async () => {
    const delaysMs = skipDelays()
    assert.equal(await repeatLimited(async () => LIMITED), LIMITED)
    assert.equal(delaysMs.length, 3)
    for (const status of [401, 502]) {
      const refused = { ok: false, offline: false, status } as Result<string>
      assert.equal(await repeatLimited(async () => refused), refused)
    }
    assert.equal(delaysMs.length, 3)
  })

  it('is not repeated if that takes long', async () => {
    const delaysMs = skipDelays()
    const long = { ...LIMITED, retryAfterSeconds: 6 } as Result<string>
    assert.equal(await repeatLimited(async () => long), long)
    assert.deepEqual(delaysMs, [])
  })
})
