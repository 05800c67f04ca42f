/** How the process is asked to end: `drain` lets load balancers stop sending requests first, `stop` does not. */
import cluster from 'node:cluster'

export type Order = 'drain' | 'stop'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** SIGTERM drains. SIGINT, which Ctrl+C sends, and every signal after the first one stop at once. */
export function receiveSignals(obey: (order: Order) => void) {
  let isFirst = true
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      obey(isFirst && signal === 'SIGTERM' ? 'drain' : 'stop')
      isFirst = false
    })
  }
}

/**
 * A terminal and systemd send a signal to all processes of a group. Those that the primary started wait for its order,
 * so that they do not count one signal twice.
 */
export function receiveOrders(obey: (order: Order) => void) {
  if (cluster.isPrimary) return receiveSignals(obey)
  for (const signal of SIGNALS) process.on(signal, () => undefined)
  process.on('message', (message) => {
    if (message === 'drain' || message === 'stop') obey(message)
  })
}
