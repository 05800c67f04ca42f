/** One process of hostile clients: it contains a service, and sends a share of the socket requests to the real one. */
import { readConfig } from '../../server/config.ts'
import { createLog } from '../../server/http/create-log.ts'
import { startService } from '../../server/start-service.ts'
import { injectRequests, type Attack } from './inject-requests.ts'
import { createJudge } from './judge-response.ts'
import { emptyScore, type Score } from './count-results.ts'
import type { Fixtures } from './create-fixtures.ts'
import { sendOverSockets } from './send-over-sockets.ts'
import { watchLog } from './watch-log.ts'
import { watchMemory, type Memory } from './watch-memory.ts'

export interface WorkerOrders {
  fixtures: Fixtures
  port: number
  seed: number
  /** The number of this process; the processes divide the request numbers among them. */
  worker: number
  workers: number
  /** Total of all processes. */
  injected: number
  sockets: number
  secondsMax: number
}

export interface Result {
  score: Score
  memory: Memory
}

const PROGRESS_MS = 2_000

async function runWorker(orders: WorkerOrders): Promise<Result> {
  const { fixtures, port, seed } = orders
  const score = emptyScore()
  const log = createLog('info', { write: watchLog(fixtures, score) })
  const service = await startService(readConfig(fixtures.env), { log })
  const progress = setInterval(() => process.send?.({ requests: score.requests }), PROGRESS_MS)
  const memory = watchMemory(() => process.memoryUsage.rss())
  const untilMs = performance.now() + orders.secondsMax * 1000
  const common = { fixtures, seed, judge: createJudge(fixtures), score }
  const attack = (count: number): Attack => ({ ...common, next: countUp(orders, count, untilMs) })
  await Promise.all([
    injectRequests(service.app, attack(orders.injected)),
    sendOverSockets(port, attack(orders.sockets)),
  ])
  clearInterval(progress)
  const used = memory.end()
  await service.stop()
  return { score, memory: used }
}

function countUp(
  { worker, workers }: WorkerOrders,
  count: number,
  untilMs: number,
): Attack['next'] {
  let at = worker
  return () => {
    if (at >= count || performance.now() > untilMs) return undefined
    const taken = at
    at += workers
    return taken
  }
}

process.once('message', (orders) => {
  runWorker(orders as WorkerOrders).then(
    (result) => process.send?.({ result }, () => process.exit(0)),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
      process.exit(1)
    },
  )
})
