import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { planRetry, RETRY_SECONDS } from './plan-retry.ts'

const FAILED = { status: 500, error: 'failed', retryAfterSeconds: null }
const first = () => 0
const last = () => 0.999_999

describe('the plan after an attempt', () => {
  it('is nothing more after a success', () => {
    const plan = planRetry({ status: 200, error: null, retryAfterSeconds: null }, 3)
    assert.deepEqual(plan, { isDelivered: true, retryInSeconds: null, isGone: false })
  })

  it('is nine retries in about three days, each up to a tenth later', () => {
    const waits = Array.from({ length: 12 }, (_, failures) => planRetry(FAILED, failures, first))
    assert.deepEqual(
      waits.map(({ retryInSeconds }) => retryInSeconds),
      [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, null, null, null],
    )
    const days = RETRY_SECONDS.reduce((sum, seconds) => sum + seconds, 0) / 86_400
    assert(days > 3 && days < 3.3)
    const latest = planRetry(FAILED, 0, last).retryInSeconds ?? 0
    assert(latest > 5.49 && latest < 5.5)
  })

  it('waits as long as the receiver asks for, and never shorter than planned', () => {
    const plan = (retryAfterSeconds: number) =>
      planRetry({ status: 429, error: 'later', retryAfterSeconds }, 1, first).retryInSeconds
    assert.deepEqual([plan(900), plan(1)], [900, 300])
  })

  it('tells that the receiver is gone', () => {
    const gone = { ...FAILED, status: 410 }
    assert.deepEqual(
      [planRetry(gone, 0).isGone, planRetry(gone, 9).isGone, planRetry(FAILED, 0).isGone],
      [true, true, false],
    )
  })
})
