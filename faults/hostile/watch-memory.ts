/** Resident memory over time, and what it was after the first minute. */

export interface Memory {
  /** After the first minute, or after a quarter of a run that is shorter. */
  earlyBytes: number
  endBytes: number
}

interface Sample {
  atMs: number
  bytes: number
}

const SAMPLE_MS = 500
const EARLY_MS = 60_000
/** The collector comes and goes; so long a while is averaged. */
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

/** Up to this moment. */
function average(samples: readonly Sample[], untilMs: number): number {
  const windowMs = Math.min(WINDOW_MS, untilMs / 4)
  const within = samples.filter(({ atMs }) => atMs <= untilMs && atMs >= untilMs - windowMs)
  const taken = within.length > 0 ? within : samples.slice(0, 1)
  return taken.reduce((sum, { bytes }) => sum + bytes, 0) / taken.length
}
