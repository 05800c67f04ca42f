/**
 * Runs units of systemd as systemd does, for tests on machines that it does not manage: environment files, instances,
 * standard output as a socket, signals to the whole group, SIGKILL after TimeoutStopSec, restarts.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

interface Unit {
  command: string[]
  env: Record<string, string>
  isOneshot: boolean
  restartMs: number | undefined
  stopMs: number
}

export interface Stopped {
  /** The exit code; null: a signal ended it. */
  code: number | null
  /** It did not stop in time. */
  wasKilled: boolean
  /** Processes of the group that outlived the main process. */
  hasOrphans: boolean
}

interface Running {
  child: ChildProcess
  isStopping: boolean
}

export class Supervisor {
  #running = new Map<string, Running>()
  #folder: string
  #env: Record<string, string | undefined>
  /** What the units wrote, as the journal would have it. */
  journal = ''

  constructor(folder: string, env: Record<string, string | undefined>) {
    this.#folder = folder
    this.#env = env
    process.once('exit', () => {
      for (const { child } of this.#running.values()) signalGroup(child, 'SIGKILL')
    })
  }

  pidOf(name: string): number | undefined {
    return this.#running.get(name)?.child.pid
  }

  /** Resolves when the process runs; for a oneshot unit, when it has ended. */
  async start(name: string): Promise<void> {
    const unit = this.#read(name)
    const child = this.#spawn(name, unit)
    if (!unit.isOneshot) return
    const [code] = (await once(child, 'exit')) as [number | null]
    this.#running.delete(name)
    if (code !== 0) throw new Error(`${name} failed with ${code}:\n${this.journal}`)
  }

  #spawn(name: string, unit: Unit): ChildProcess {
    const [program = '', ...args] = unit.command
    const env = { ...this.#env, ...unit.env }
    // Node's pipes are sockets, like those of the journal.
    const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const running: Running = { child, isStopping: false }
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.journal += text))
    }
    this.#running.set(name, running)
    child.once('exit', () => {
      if (running.isStopping || unit.isOneshot || unit.restartMs === undefined) return
      signalGroup(child, 'SIGKILL')
      setTimeout(() => running.isStopping || this.#spawn(name, unit), unit.restartMs)
    })
    return child
  }

  async stop(name: string): Promise<Stopped> {
    const running = this.#running.get(name)
    if (running === undefined) throw new Error(`${name} does not run.`)
    const { child } = running
    running.isStopping = true
    this.#running.delete(name)
    const ended = once(child, 'exit') as Promise<[number | null]>
    signalGroup(child, 'SIGTERM')
    const late = sleep(this.#read(name).stopMs, undefined, { ref: false })
    const first = await Promise.race([ended, late])
    if (first === undefined) signalGroup(child, 'SIGKILL')
    const [code] = await ended
    const hasOrphans = signalGroup(child, 'SIGKILL')
    return { code, wasKilled: first === undefined, hasOrphans }
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((name) => this.stop(name)))
  }

  #read(name: string): Unit {
    const [template = '', instance] = name.split('@')
    const file = instance === undefined ? `${name}.service` : `${template}@.service`
    const text = readFileSync(join(this.#folder, file), 'utf8')
      .replaceAll('%i', instance ?? '')
      .replaceAll('%C', join(this.#folder, 'cache'))
      .replaceAll('%%', '%')
    const values = (key: string) =>
      [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)
    const seconds = (key: string) => Number(values(key)[0] ?? Number.NaN) * 1000
    const isRestarted = values('Restart')[0] === 'always'
    return {
      command: splitCommand(values('ExecStart')[0] ?? ''),
      env: {
        ...readEnvironment(values('Environment').join(' ').split(' ').join('\n')),
        ...readEnvironment(values('EnvironmentFile').map(readText).join('\n')),
      },
      isOneshot: values('Type')[0] === 'oneshot',
      restartMs: isRestarted ? seconds('RestartSec') || 100 : undefined,
      stopMs: seconds('TimeoutStopSec') || 90_000,
    }
  }
}

const readText = (file: string) => readFileSync(file, 'utf8')

function readEnvironment(text: string): Record<string, string> {
  const lines = [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)]
  return Object.fromEntries(
    lines.map(([, name = '', value = '']) => [name, value.replaceAll(/^"|"$/g, '')]),
  )
}

function splitCommand(line: string): string[] {
  const words = line.matchAll(/'([^']*)'|(\S+)/g)
  return [...words].map(([, quoted, word]) => (quoted ?? word ?? '').replaceAll('$$', '$'))
}

/** false: the group has no process anymore. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): boolean {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
    return pid !== undefined
  } catch {
    return false
  }
}
