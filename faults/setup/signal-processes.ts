/** Finds processes by their working folder, whoever started them and whatever their name is. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The processes that run exactly in this folder. `isMeant` checks the command line. */
export function listProcesses(folder: string, isMeant = (_command: string) => true): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        if (readlinkSync(`/proc/${pid}/cwd`) !== folder) return false
        return isMeant(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
      } catch {
        // The process has ended meanwhile, or belongs to another user.
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
      // The process has already ended.
    }
  }
}
