/** Runs the real service on a real database for the tests, which call it through HTTP. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import inject from 'light-my-request'
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { readConfig } from '../config.ts'
import { createLog } from '../http/create-log.ts'
import { startService, type RunningService } from '../start-service.ts'
import { cloneDatabase } from './database.ts'

/** Encrypts the seeds of operators' authenticators; only a service with this key has an admin area. */
export const TEST_ADMIN_KEY = `test:${Buffer.alloc(32, 9).toString('base64')}`
export const TEST_PEPPER = `test:${Buffer.alloc(32, 7).toString('base64')}`

export interface Harness extends RunningService {
  databaseUrl: string
  /** A connection with all privileges, to inspect tables and to inject faults. */
  admin: pg.Client
  /** Every line that the service logged. */
  logLines: string[]
  inject: (options: InjectOptions) => Promise<LightMyRequestResponse>
  end(): Promise<void>
}

const shared = new Map<string, { harness: Promise<Harness>; users: number }>()

/** Test files that `run-tests.ts` runs in one process share a service with the same settings. */
export async function startHarness(env: Record<string, string> = {}): Promise<Harness> {
  const isShared = process.env['TEST_FILES_SHARE'] === 'true' && env['DATABASE_URL'] === undefined
  if (!isShared) return startOwnHarness(env)
  const key = JSON.stringify(env)
  const service = shared.get(key) ?? { harness: startOwnHarness(env), users: 0 }
  shared.set(key, service)
  service.users++
  const harness = await service.harness
  return {
    ...harness,
    async end() {
      if (--service.users > 0) return
      shared.delete(key)
      await harness.end()
    },
  }
}

export async function startOwnHarness(
  env: Record<string, string> = {},
  given?: { url: string; drop: () => Promise<void> },
  { runsJobs }: { runsJobs?: boolean } = {},
): Promise<Harness> {
  const database = given ?? (await cloneDatabase())
  const config = readConfig({ ...testEnv(database.url), ...env })
  const logLines: string[] = []
  const log = createLog('debug', { write: (line: string) => logLines.push(line) })
  const service = await startService(config, { log, ...(runsJobs !== undefined && { runsJobs }) })
  const admin = await connectAdmin(database.url)
  return {
    ...service,
    databaseUrl: database.url,
    admin,
    logLines,
    // From the HTTP server on, which handles some requests before Fastify.
    async inject(options) {
      await service.app.ready()
      return inject((request, response) => {
        // The socket of an injected request has no timeout.
        Object.assign(request.socket, { setTimeout: () => request.socket })
        service.app.server.emit('request', request, response)
      }, options)
    },
    async end() {
      await service.stop()
      await admin.end()
      await database.drop()
    },
  }
}

export async function connectAdmin(url: string): Promise<pg.Client> {
  const admin = new pg.Client(url)
  admin.on('error', () => undefined)
  await admin.connect()
  return admin
}

export function testEnv(databaseUrl: string): Record<string, string> {
  const cache = process.env['NODE_COMPILE_CACHE']
  return {
    DATABASE_URL: databaseUrl,
    SECRET_PEPPERS: TEST_PEPPER,
    LOG_LEVEL: 'info',
    ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }),
  }
}

export interface ServiceProcess {
  url: string
  pid: number
  output: string[]
  kill(signal: NodeJS.Signals): Promise<number | null>
}

/** A separate service process, as in production. */
export async function spawnService(
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<ServiceProcess> {
  const coffer = fileURLToPath(new URL('../coffer.ts', import.meta.url))
  const child = spawn(process.execPath, [coffer, 'serve'], {
    env: { PATH: process.env['PATH'], ...testEnv(databaseUrl), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const output: string[] = []
  const ended = once(child, 'exit')
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(line)
      const match = /"port":(\d+).*"msg":"listening"/.exec(line)
      if (match) resolve(Number(match[1]))
    })
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    output,
    async kill(signal) {
      child.kill(signal)
      const [code] = await ended
      process.removeListener('exit', kill)
      return code as number | null
    },
  }
}
