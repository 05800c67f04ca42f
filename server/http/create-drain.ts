/** Lets proxies and load balancers stop sending requests before the process stops: docs/decisions/0077. */
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Longer than HAProxy and Kubernetes need to notice that /readyz responds with 503, and than nginx keeps an idle
 * connection to the service (4 s).
 */
const DRAIN_MS = 5_000
/** Shorter than nginx leaves out a process that has turned a request away (2 s). */
const TURN_AWAY_MS = 1_000

export interface Drain {
  /** The process ends each connection after the response. */
  isStopping: () => boolean
  /** The process closes the connections of requests that a proxy may repeat elsewhere. */
  turnsAway: () => boolean
  begin(): void
  run(): Promise<void>
}

export function createDrain(): Drain {
  let isStopping = false
  let turnsAway = false
  const begin = () => {
    isStopping = true
  }
  return {
    isStopping: () => isStopping,
    turnsAway: () => turnsAway,
    begin,
    async run() {
      begin()
      await sleep(DRAIN_MS, undefined, { ref: false })
      turnsAway = true
      await sleep(TURN_AWAY_MS, undefined, { ref: false })
    },
  }
}
