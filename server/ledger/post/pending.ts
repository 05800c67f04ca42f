import type { Outcome } from '../types.ts'
import type { DigestedRequest } from './decide-types.ts'

/** A request, from its admission until its caller has the response. */
export interface Pending {
  request: DigestedRequest
  deadlineMs: number
  /** Give the caller its response and free the place in the queue. Only the first call of either has an effect. */
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
  /** The caller has its response. */
  isDone: boolean
  /** A lane is executing the request, so it may be posted even if its caller no longer waits. */
  inFlight: boolean
  /** The response to a COMMIT that contained this request was lost. */
  inDoubt: boolean
}

export function walletsOf(requests: readonly Pending[]): Set<bigint> {
  return new Set(requests.map((each) => each.request.walletId))
}
