import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLog } from '../http/create-log.ts'
import { createMetrics } from '../http/metrics.ts'
import { ClockWatch } from './watch-clock.ts'

const START_MS = Date.UTC(2030, 0, 1)

/** Observes the clock at these times of the process; `aheadMs` is the difference from the earliest time. */
async function watch(
  readings: readonly { at: number; tookMs?: number; clock: number; aheadMs?: number }[],
) {
  const lines: string[] = []
  const metrics = createMetrics({ version: '1', pools: {}, queueSize: () => 0 })
  const log = createLog('info', { write: (line: string) => lines.push(line) })
  const clockWatch = new ClockWatch({ log, metrics })
  for (const { at, tookMs = 1, clock, aheadMs = 0 } of readings) {
    const now = new Date(START_MS + clock)
    const notBefore = new Date(now.getTime() - aheadMs)
    clockWatch.observe({ now, notBefore }, { startedMs: at, endedMs: at + tookMs })
  }
  const text = await metrics.registry.getSingleMetricAsString('coffer_clock_steps_total')
  assert.match(text, new RegExp(`^coffer_clock_steps_total ${lines.length}$`, 'm'))
  return lines.map((line) => (JSON.parse(line) as { stepSeconds: number }).stepSeconds)
}

describe('the watch on the clock of the database', () => {
  it('reports a step once, in its direction', async () => {
    const back = [0, 5_000, -50_000, -45_000].map((clock, index) => ({ at: index * 5_000, clock }))
    assert.deepEqual(await watch(back), [-59.999])
    const ahead = [0, 21_000, 26_000, 15_000].map((clock, index) => ({ at: index * 5_000, clock }))
    assert.deepEqual(await watch(ahead), [15.999, -15.999])
  })

  it('does not report slow statements, or a clock that NTP corrects', async () => {
    assert.deepEqual(
      await watch([
        { at: 0, tookMs: 9_000, clock: 9_000 },
        { at: 10_000, clock: 10_000 },
      ]),
      [],
    )
    assert.deepEqual(
      await watch([
        { at: 0, clock: 0 },
        { at: 5_000, tookMs: 9_000, clock: 13_000 },
      ]),
      [],
    )
    assert.deepEqual(
      await watch([
        { at: 0, clock: 0 },
        { at: 5_000, clock: 5_500 },
      ]),
      [],
    )
  })

  it('reports that the clock was set back while no process was running', async () => {
    assert.deepEqual(await watch([{ at: 0, clock: 0, aheadMs: -60_000 }]), [-60])
    assert.deepEqual(await watch([{ at: 0, clock: 0, aheadMs: 3_600_000 }]), [])
  })
})
