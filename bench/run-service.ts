/** The service as an operator runs it, one process per core with all features on, with load over HTTP. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePorts } from '../scripts/find-free-ports.ts'
import { measureSpeed, startCpuClock } from './measure-cpu.ts'
import type { Setup } from './prepare.ts'
import { runGenerator, type Load } from './run-generator.ts'
import type { Scenario } from './scenarios.ts'

export const PROCESSES = availableParallelism()
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export interface Service {
  url: string
  process: ChildProcess
  logFile: string
  stop(): Promise<void>
}

export async function startService(
  setup: Setup,
  options: { plantedSleep?: boolean; settings?: Record<string, string> } = {},
): Promise<Service> {
  const [port = 0] = await findFreePorts(1)
  const logFile = join(setup.folder, 'service.log')
  const log = openSync(logFile, 'a')
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    DATABASE_URL: setup.postgres.url,
    SECRET_PEPPERS: setup.peppers,
    PORT: String(port),
    PROCESSES: String(PROCESSES),
    APP_REQUESTS_PER_SECOND: '1000000',
    LOG_LEVEL: 'info',
    ...options.settings,
  }
  if (options.plantedSleep) env['NODE_OPTIONS'] = `--import ${script('planted-sleep.ts')}`
  const child = spawn(process.execPath, [script('../server/coffer.ts'), 'serve'], {
    env,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(url, child, logFile)
  return {
    url,
    process: child,
    logFile,
    async stop() {
      process.removeListener('exit', kill)
      child.kill('SIGINT')
      if (isRunning(child)) await once(child, 'exit')
    },
  }
}

export interface ServiceRun {
  connections: number
  /** How many operations can be executed without being counted. */
  inFlight: number
  /** Operations with status 200 and a balance. */
  ok: number
  rate: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  /** How long after its time the latest request was sent, if a rate is offered. */
  lateMs: number
  /** All other responses, and requests without a response. */
  bad: number
  firstBad: string
  /** Microseconds per operation, which are also seconds per million operations. */
  cpu: { postgres: number; node: number; generator: number }
  /** The share of the machine that other processes used. */
  others: number
  /** The speed of the machine itself, just before. */
  speed: number
  /** Bytes of WAL per operation. */
  wal: number
}

export async function runService(
  setup: Setup,
  service: Service,
  scenario: Scenario,
  load: Load,
): Promise<ServiceRun> {
  const walBefore = await readWalPosition(setup)
  const speed = measureSpeed()
  const stopClock = startCpuClock(setup.postmasterPid, service.process.pid)
  const result = await runGenerator(setup, service.url, scenario, load)
  const cpu = stopClock()
  const wal = (await readWalPosition(setup)) - walBefore
  truncateSync(service.logFile)
  const bad = result.bad + result.broken
  const each = (total: number) => total / Math.max(1, result.ok + result.bad)
  return {
    connections: load.connections,
    inFlight: load.connections * (scenario.operations ?? 1),
    ok: result.ok,
    rate: result.ok / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    maxMs: result.maxMs,
    lateMs: result.lateMs,
    bad,
    firstBad: result.firstBad,
    cpu: {
      postgres: each(cpu.postgres),
      node: each(cpu.node),
      generator: each(cpu.generator),
    },
    others: cpu.others,
    speed,
    wal: each(wal),
  }
}

async function readWalPosition({ control }: Setup): Promise<number> {
  const { rows } = await control.query(`select pg_current_wal_lsn() - '0/0' as at`)
  return Number(rows[0].at)
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

async function waitUntilReady(url: string, child: ChildProcess, logFile: string) {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (!isRunning(child)) break
    try {
      if ((await fetch(`${url}/readyz`)).ok) return
    } catch {
      // It does not listen yet.
    }
    await sleep(100)
  }
  throw new Error(`The service did not start:\n${readFileSync(logFile, 'utf8').slice(-2000)}`)
}
