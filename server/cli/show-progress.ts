/** The progress of a long command: in a terminal a bar, elsewhere a line now and then. */
import * as clack from '@clack/prompts'

export interface Progress {
  update: (done: number, total: number) => void
  end(): void
}

const STEPS = 1_000
const LINE_MS = 30_000

export function showProgress(title: string): Progress {
  const startMs = performance.now()
  const describe = (done: number, total: number) => {
    const tookMs = performance.now() - startMs
    const left = describeTime((tookMs * (total - done)) / Math.max(1, done))
    return `${title}: ${Math.floor((100 * done) / Math.max(1, total))} %, ${left} left`
  }
  return process.stdout.isTTY ? showBar(title, describe) : printLines(describe)
}

type Describe = (done: number, total: number) => string

function showBar(title: string, describe: Describe): Progress {
  const bar = clack.progress({ max: STEPS })
  let shown = 0
  bar.start(title)
  return {
    update(done, total) {
      const step = Math.floor((STEPS * done) / Math.max(1, total))
      bar.advance(step - shown, describe(done, total))
      shown = step
    },
    end: () => bar.stop(`${title}: done`),
  }
}

/** To stderr, so that stdout has only the result. */
function printLines(describe: Describe): Progress {
  let nextMs = performance.now() + LINE_MS
  return {
    update(done, total) {
      if (performance.now() < nextMs) return
      nextMs = performance.now() + LINE_MS
      process.stderr.write(`${describe(done, total)}\n`)
    },
    end: () => undefined,
  }
}

export function describeTime(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
