/** The whole attack: create the fixtures, attack, check the database, and check that the service still works. */
import { fork } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { startSandbox } from '../../sandbox/start-sandbox.ts'
import { globalSetup, globalTeardown } from '../../server/test/global-setup.ts'
import type { WorkerTask, Result } from './attack-worker.ts'
import { checkAfterwards, type Afterwards } from './check-afterwards.ts'
import { digestState } from './digest-state.ts'
import { addCounts, emptyCounts, type Counts } from './count-results.ts'
import { createFixtures } from './create-fixtures.ts'
import { startTarget } from './start-target.ts'
import { watchLog } from './watch-log.ts'
import { watchMemory, type Memory } from './watch-memory.ts'

export interface AttackPlan {
  requests: number
  secondsMax: number
  seed: number
}

export interface AttackReport extends Afterwards {
  seed: number
  seconds: number
  counts: Counts
  /** Memory of the real process, and of each worker, which contains a service. */
  memory: { service: Memory; workers: Memory[] }
  machine: { cores: number; load: number }
}

const WORKERS = 2
const SOCKET_SHARE = 0.2
const worker = fileURLToPath(new URL('attack-worker.ts', import.meta.url))

export async function runAttack(
  plan: AttackPlan,
  print: (text: string) => void,
): Promise<AttackReport> {
  const cleanUp: (() => unknown)[] = []
  try {
    await globalSetup()
    cleanUp.push(globalTeardown)
    const sandbox = await startSandbox({
      secretKey: 'sk_test_h0stile',
      webhookSecret: 'whsec_h0st',
    })
    cleanUp.push(() => sandbox.close())
    const { harness, fixtures } = await createFixtures(sandbox)
    cleanUp.push(() => harness.end())
    const counts = emptyCounts()
    const target = await startTarget(fixtures.env, watchLog(fixtures, counts))
    cleanUp.push(() => target.stop())
    const before = await digestState(harness.admin)
    const memory = watchMemory(() => target.residentBytes())
    const startMs = performance.now()
    const results = await sendWorkers({ ...plan, fixtures, port: target.port }, print)
    const seconds = (performance.now() - startMs) / 1000
    const service = memory.end()
    for (const result of results) addCounts(counts, result.counts)
    const afterwards = await checkAfterwards({ harness, before, port: target.port })
    return {
      seed: plan.seed,
      seconds,
      counts,
      memory: { service, workers: results.map((result) => result.memory) },
      machine: { cores: cpus().length, load: loadavg()[0] ?? NaN },
      ...afterwards,
    }
  } finally {
    for (let step = cleanUp.pop(); step; step = cleanUp.pop()) await step()
  }
}

function sendWorkers(
  plan: AttackPlan & Pick<WorkerTask, 'fixtures' | 'port'>,
  print: (text: string) => void,
): Promise<Result[]> {
  const { requests, ...rest } = plan
  const sockets = Math.ceil(requests * SOCKET_SHARE)
  const task = { ...rest, sockets, injected: requests - sockets, workers: WORKERS }
  const sent = Array.from({ length: WORKERS }, () => 0)
  const report = () => print(`${sent.reduce((sum, each) => sum + each)} of ${requests} requests`)
  const progress = setInterval(report, 10_000)
  const results = sent.map((_, nth) =>
    sendWorker({ ...task, worker: nth }, (done) => (sent[nth] = done)),
  )
  return Promise.all(results).finally(() => clearInterval(progress))
}

function sendWorker(task: WorkerTask, onProgress: (requests: number) => void): Promise<Result> {
  const child = fork(worker, { serialization: 'advanced' })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  return new Promise((resolve, reject) => {
    child.on('message', (message: { result?: Result; requests?: Counts['requests'] }) => {
      const { result, requests } = message
      if (requests) onProgress(requests.injected + requests.sockets)
      if (result) resolve(result)
    })
    child.once('exit', (code) => {
      process.removeListener('exit', kill)
      reject(new Error(`A worker exited with ${code}.`))
    })
    child.send(task)
  })
}
