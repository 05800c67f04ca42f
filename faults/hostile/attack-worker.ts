/** One process of hostile callers: a service in this process, and a share of the sockets to the real one. */
import { readConfig } from '../../server/config.ts'
import { createLog } from '../../server/http/create-log.ts'
import { startService } from '../../server/start-service.ts'
import { injectShots, type Attack } from './inject-shots.ts'
import { createJudge } from './judge-answer.ts'
import { emptyScore, type Score } from './keep-score.ts'
import type { House } from './open-house.ts'
import { shoutShots } from './shout-shots.ts'
import { watchLog } from './watch-log.ts'
import { watchMemory, type Memory } from './watch-memory.ts'

export interface Orders {
  house: House
  port: number
  seed: number
  /** Which of so many processes this is; every number is taken by one of them. */
  worker: number
  workers: number
  /** Of all processes together. */
  injected: number
  sockets: number
  secondsMax: number
}

export interface Result {
  score: Score
  memory: Memory
}

const PROGRESS_MS = 2_000

async function carryOut(orders: Orders): Promise<Result> {
  const { house, port, seed } = orders
  const score = emptyScore()
  const log = createLog('info', { write: watchLog(house, score) })
  const service = await startService(readConfig(house.env), { log })
  const progress = setInterval(() => process.send?.({ requests: score.requests }), PROGRESS_MS)
  const memory = watchMemory(() => process.memoryUsage.rss())
  const untilMs = performance.now() + orders.secondsMax * 1000
  const common = { house, seed, judge: createJudge(house), score }
  const attack = (count: number): Attack => ({ ...common, next: countUp(orders, count, untilMs) })
  await Promise.all([
    injectShots(service.app, attack(orders.injected)),
    shoutShots(port, attack(orders.sockets)),
  ])
  clearInterval(progress)
  const used = memory.end()
  await service.stop()
  return { score, memory: used }
}

function countUp({ worker, workers }: Orders, count: number, untilMs: number): Attack['next'] {
  let at = worker
  return () => {
    if (at >= count || performance.now() > untilMs) return undefined
    const taken = at
    at += workers
    return taken
  }
}

process.once('message', (orders) => {
  carryOut(orders as Orders).then(
    (result) => process.send?.({ result }, () => process.exit(0)),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
      process.exit(1)
    },
  )
})
