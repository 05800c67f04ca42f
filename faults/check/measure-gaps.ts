/** The longest time without a definite response to a write, during a fault and the recovery from it. */
import { isMove } from '../clients/verbs.ts'
import type { Journal } from '../clients/journal.ts'
import type { InjectedFault } from '../inject/schedule-faults.ts'
import { countBelow } from './order.ts'

/** Time for the first responses after the fault to arrive. */
const AFTERWARDS_MS = 1_000

export interface FaultGap extends InjectedFault {
  gapMs: number
}

/** The times of all definite responses to debits and credits, in order. */
export function listWrites(journal: Journal): Float64Array {
  const times: number[] = []
  for (let at = 0; at < journal.requestCount; at++) {
    const { verb, shape, respondedMs } = journal.request(at)
    const isDefinite = shape.meaning === 'posted' || shape.meaning === 'refused'
    if (isMove(verb) && isDefinite) times.push(respondedMs)
  }
  return Float64Array.from(times).toSorted()
}

export function measureGaps(writes: Float64Array, faults: readonly InjectedFault[]): FaultGap[] {
  const starts = faults.filter(({ track }) => track === 'ledger').map(({ startMs }) => startMs)
  return faults.map((fault) => {
    let gapMs = 0
    // The gap of the next fault is counted for that fault.
    const nextMs = Math.min(...starts.filter((startMs) => startMs > fault.startMs))
    const untilMs = Math.min(fault.endMs + AFTERWARDS_MS, nextMs)
    const first = Math.max(1, countBelow(writes, fault.startMs))
    for (let at = first; at < writes.length; at++) {
      const [beforeMs = 0, afterMs = 0] = [writes[at - 1], writes[at]]
      if (beforeMs > untilMs) break
      gapMs = Math.max(gapMs, afterMs - beforeMs)
    }
    return { ...fault, gapMs }
  })
}
