/** Reports when the clock of the database is set back or ahead: later operations get incorrect times. */
import type { Context } from '../context.ts'
import type { Clock } from '../ledger/queries.ts'

/** NTP corrects smaller differences slowly, without a step. */
const STEP_MS = 2_000

/** When the clock was read, on a clock of this process that nobody sets. */
interface Interval {
  startedMs: number
  endedMs: number
}

export class ClockWatch {
  readonly #tools: Pick<Context, 'log' | 'metrics'>
  #last: (Interval & { nowMs: number }) | undefined

  constructor(tools: Pick<Context, 'log' | 'metrics'>) {
    this.#tools = tools
  }

  observe({ now, notBefore }: Clock, interval: Interval) {
    const nowMs = now.getTime()
    const stepMs = this.#last
      ? findStep(this.#last, { nowMs, ...interval })
      : Math.min(0, nowMs - notBefore.getTime())
    this.#last = { nowMs, ...interval }
    if (Math.abs(stepMs) < STEP_MS) return
    this.#tools.metrics.countClockStep()
    const direction = stepMs < 0 ? 'back' : 'ahead'
    this.#tools.log.error(
      { stepSeconds: stepMs / 1000 },
      `the clock of the database was set ${direction}; see “The clock of the database” in docs/operations.md`,
    )
  }
}

/** How much the clock differs from what the time that has passed can explain. */
function findStep(last: Interval & { nowMs: number }, next: Interval & { nowMs: number }): number {
  const passedMs = next.nowMs - last.nowMs
  const leastMs = next.startedMs - last.endedMs
  const mostMs = next.endedMs - last.startedMs
  return passedMs - Math.min(Math.max(passedMs, leastMs), mostMs)
}
