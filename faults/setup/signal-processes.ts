/** Processes are known by the folder that they run in: whoever started them, and whatever they call themselves. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Those that run exactly there. `isMeant` looks at the command line. */
export function listProcesses(folder: string, isMeant = (_command: string) => true): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        if (readlinkSync(`/proc/${pid}/cwd`) !== folder) return false
        return isMeant(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
      } catch {
        // It has ended meanwhile, or belongs to somebody else.
        return false
      }
    })
    .map(Number)
}

export function signalProcesses(pids: readonly number[], signal: NodeJS.Signals) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It was faster.
    }
  }
}
