import type { Pause } from '../ledger/types.ts'

export function showPause(pause: Pause | null) {
  return pause && { ...pause, at: pause.at.toISOString() }
}
