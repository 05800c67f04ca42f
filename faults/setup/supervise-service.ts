/** One service process under supervision: it is started again whenever it ends, for any reason. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Failpoint } from './failpoints.ts'

export interface ServiceOptions {
  port: number
  logFile: string
  env: Record<string, string>
  hasFailpoints?: boolean | undefined
  /** The checkout that it runs; a link is resolved at every start. */
  root?: string
}

const HERE = fileURLToPath(new URL('../..', import.meta.url))
const RESTART_MS = 100

export class SupervisedService {
  readonly url: string
  readonly logFile: string
  /** Number of starts. */
  starts = 0
  readonly #options: ServiceOptions
  #child: ChildProcess
  #clockShiftMs = 0
  #isStopping = false
  readonly #endForSure = () => this.#child.kill('SIGKILL')

  constructor(options: ServiceOptions) {
    this.#options = options
    this.url = `http://127.0.0.1:${options.port}`
    this.logFile = options.logFile
    this.#child = this.#start()
    process.once('exit', this.#endForSure)
  }

  #start(): ChildProcess {
    const { port, env, hasFailpoints, root = HERE } = this.#options
    const log = openSync(this.logFile, 'a')
    const preloads = ['shift-clock.ts', ...(hasFailpoints ? ['add-failpoints.ts'] : [])]
    const imports = preloads.flatMap((name) => ['--import', new URL(name, import.meta.url).href])
    this.starts++
    const coffer = join(root, 'server/coffer.ts')
    const child = spawn(process.execPath, [...imports, coffer, 'serve'], {
      env: {
        PATH: process.env['PATH'],
        // As in the container: a restarted process does not compile everything again.
        NODE_COMPILE_CACHE: join(dirname(this.logFile), 'compile-cache'),
        ...env,
        PORT: String(port),
        FAULTS_CLOCK_SHIFT_MS: String(this.#clockShiftMs),
      },
      stdio: ['ignore', log, log, 'ipc'],
    })
    closeSync(log)
    child.once('exit', () => {
      if (this.#isStopping) return
      setTimeout(() => {
        if (!this.#isStopping) this.#child = this.#start()
      }, RESTART_MS)
    })
    return child
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  kill(signal: NodeJS.Signals) {
    this.#child.kill(signal)
  }

  /** Ends gracefully and starts with a shifted clock. */
  async restart(clockShiftMs: number): Promise<void> {
    this.#clockShiftMs = clockShiftMs
    await this.#end('SIGTERM')
  }

  async #end(signal: NodeJS.Signals) {
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  /** The process kills itself when it next reaches the failpoint. False: it did not reach it in time. */
  async killAt(failpoint: Failpoint, withinMs: number): Promise<boolean> {
    const child = this.#child
    const ended = once(child, 'exit').then(() => true)
    child.send({ failpoint })
    const isKilled = await Promise.race([ended, sleep(withinMs, false)])
    if (!isKilled) child.send({ failpoint: null })
    return isKilled
  }

  async ready(withinMs: number): Promise<void> {
    const untilMs = performance.now() + withinMs
    while (!(await isReady(this.url))) {
      if (performance.now() > untilMs) {
        const log = readFileSync(this.logFile, 'utf8')
        throw new Error(`A service process is not ready: ${log.slice(-1_000)}`)
      }
      await sleep(50)
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    process.removeListener('exit', this.#endForSure)
    await this.#end('SIGINT')
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) })
    await response.text()
    return response.ok
  } catch {
    return false
  }
}
