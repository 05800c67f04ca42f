/** The resident memory of a process, sampled twice a second. */
import { readFileSync } from 'node:fs'

const EVERY_MS = 500

export interface MemoryWatch {
  /** In megabytes, typical of the last seconds before that time, counted from the start. */
  at(atMs: number): number
  most(): number
  stop(): void
}

export function watchMemory(pid: number): MemoryWatch {
  const startMs = performance.now()
  const samples: { atMs: number; megabytes: number }[] = []
  const look = () =>
    samples.push({ atMs: performance.now() - startMs, megabytes: readResidentMegabytes(pid) })
  look()
  const timer = setInterval(look, EVERY_MS)
  return {
    at(untilMs) {
      const recent = samples.filter(({ atMs }, index) => index === 0 || atMs <= untilMs).slice(-5)
      const sorted = recent.map(({ megabytes }) => megabytes).toSorted((a, b) => a - b)
      return sorted[sorted.length >> 1] ?? 0
    },
    most: () => Math.max(...samples.map(({ megabytes }) => megabytes)),
    stop: () => clearInterval(timer),
  }
}

function readResidentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) / 1024
}
