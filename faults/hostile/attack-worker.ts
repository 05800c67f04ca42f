/** One process of hostile clients: it contains a service, and sends a share of the socket requests to the real one. */
import { readConfig } from '../../server/config.ts'
import { createLog } from '../../server/http/create-log.ts'
import { startService } from '../../server/start-service.ts'
import { injectRequests, type Attack } from './inject-requests.ts'
import { createJudge } from './judge-response.ts'
import { emptyCounts, type Counts } from './count-results.ts'
import type { Fixtures } from './create-fixtures.ts'
import { sendOverSockets } from './send-over-sockets.ts'
import { watchLog } from './watch-log.ts'
import { watchMemory, type Memory } from './watch-memory.ts'

export interface WorkerTask {
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
  counts: Counts
  memory: Memory
}

const PROGRESS_MS = 2_000

async function runWorker(task: WorkerTask): Promise<Result> {
  const { fixtures, port, seed } = task
  const counts = emptyCounts()
  const log = createLog('info', { write: watchLog(fixtures, counts) })
  const service = await startService(readConfig(fixtures.env), { log })
  const progress = setInterval(() => process.send?.({ requests: counts.requests }), PROGRESS_MS)
  const memory = watchMemory(() => process.memoryUsage.rss())
  const untilMs = performance.now() + task.secondsMax * 1000
  const common = { fixtures, seed, judge: createJudge(fixtures), counts }
  const attack = (count: number): Attack => ({ ...common, next: countUp(task, count, untilMs) })
  await Promise.all([
    injectRequests(service.app, attack(task.injected)),
    sendOverSockets(port, attack(task.sockets)),
  ])
  clearInterval(progress)
  const used = memory.end()
  await service.stop()
  return { counts, memory: used }
}

function countUp({ worker, workers }: WorkerTask, count: number, untilMs: number): Attack['next'] {
  let at = worker
  return () => {
    if (at >= count || performance.now() > untilMs) return undefined
    const taken = at
    at += workers
    return taken
  }
}

process.once('message', (task) => {
  runWorker(task as WorkerTask).then(
    (result) => process.send?.({ result }, () => process.exit(0)),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
      process.exit(1)
    },
  )
})
