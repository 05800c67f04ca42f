/** Measures resident memory over time, and its value after the first minute. */

export interface Memory {
  /** After the first minute, or after a quarter of a shorter run. */
  earlyBytes: number
  endBytes: number
}

interface Sample {
  atMs: number
  bytes: number
}

const SAMPLE_MS = 500
const EARLY_MS = 60_000
/** Averaged over this time, because garbage collection makes single values vary. */
const WINDOW_MS = 5_000

export function watchMemory(readBytes: () => number): { end(): Memory } {
  const samples: Sample[] = []
  const startMs = performance.now()
  const take = () => samples.push({ atMs: performance.now() - startMs, bytes: readBytes() })
  take()
  const timer = setInterval(take, SAMPLE_MS)
  timer.unref()
  return {
    end() {
      clearInterval(timer)
      take()
      const endMs = performance.now() - startMs
      const earlyMs = Math.min(EARLY_MS, endMs / 4)
      return { earlyBytes: average(samples, earlyMs), endBytes: average(samples, endMs) }
    },
  }
}

/** Up to this time. */
function average(samples: readonly Sample[], untilMs: number): number {
  const windowMs = Math.min(WINDOW_MS, untilMs / 4)
  const within = samples.filter(({ atMs }) => atMs <= untilMs && atMs >= untilMs - windowMs)
  const taken = within.length > 0 ? within : samples.slice(0, 1)
  return taken.reduce((sum, { bytes }) => sum + bytes, 0) / taken.length
}
