/** One node of the cluster: Patroni and the PostgreSQL that it manages. */
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NodeAddress } from './configure-cluster.ts'
import { listProcesses, signalProcesses } from './signal-processes.ts'

export interface Member {
  name: string
  role: 'leader' | 'sync_standby' | 'replica'
  state: string
  timeline?: number
}

/** The target of a signal: the whole node, or a part of it. */
type Part = 'node' | 'postgres' | 'postmaster' | 'walsenders' | 'patroni'

const PROGRAM = 'patroni'
const RESPONSE_MS = 2_000
const LOG_TAIL = 4_000

export class ClusterNode {
  readonly name: string
  readonly url: string
  readonly #address: NodeAddress
  readonly #owner: { uid: number; gid: number } | undefined
  readonly #env: Record<string, string>
  #patroni: ChildProcess | undefined

  constructor(
    address: NodeAddress,
    owner: { uid: number; gid: number } | undefined,
    env: Record<string, string>,
  ) {
    this.#address = address
    this.#owner = owner
    this.#env = env
    this.name = address.name
    this.url = `postgres://postgres@127.0.0.1:${address.postgresPort}/postgres`
  }

  /** Does nothing while Patroni runs. Patroni takes over a PostgreSQL that is still running. */
  start() {
    const { folder } = this.#address
    if (this.#patroni && this.#patroni.exitCode === null && this.#patroni.signalCode === null)
      return
    const log = openSync(join(folder, 'patroni.log'), 'a')
    this.#patroni = spawn(PROGRAM, [join(folder, 'patroni.yml')], {
      ...this.#owner,
      cwd: folder,
      env: { PATH: process.env['PATH'], ...this.#env },
      stdio: ['ignore', log, log],
      detached: true,
    })
    closeSync(log)
  }

  /** The last log lines of Patroni and PostgreSQL. */
  readLog(): string {
    const text = readFileSync(join(this.#address.folder, 'patroni.log'), 'utf8')
    return text.slice(-LOG_TAIL)
  }

  signal(part: Part, signal: NodeJS.Signals) {
    signalProcesses(this.#list(part), signal)
  }

  #list(part: Part): number[] {
    const { folder } = this.#address
    const data = join(folder, 'data')
    switch (part) {
      case 'patroni':
        return listProcesses(folder)
      case 'postgres':
        return listProcesses(data)
      // Patroni first, so that it does not notice the end of the others.
      case 'node':
        return [...listProcesses(folder), ...listProcesses(data)]
      case 'postmaster':
        return listProcesses(data, (command) => command.includes('\0-D\0'))
      case 'walsenders':
        return listProcesses(data, (command) => command.includes('walsender'))
    }
  }

  /** The members as this node sees them; undefined if it does not respond. */
  async members(): Promise<Member[] | undefined> {
    try {
      const response = await this.#send('GET', 'cluster')
      const { members } = (await response.json()) as { members: Member[] }
      return members
    } catch {
      return undefined
    }
  }

  async isLeader(): Promise<boolean> {
    try {
      return (await this.#send('GET', 'primary')).ok
    } catch {
      return false
    }
  }

  /** Resolves when the command is done; throws Patroni's message if it refuses. */
  async command(path: 'switchover' | 'restart', body: object): Promise<void> {
    const response = await this.#send('POST', path, JSON.stringify(body))
    const text = await response.text()
    if (!response.ok) throw new Error(`Patroni refused the ${path}: ${text}`)
  }

  #send(method: 'GET' | 'POST', path: string, body?: string) {
    const url = `http://127.0.0.1:${this.#address.restPort}/${path}`
    const timeoutMs = method === 'GET' ? RESPONSE_MS : 60_000
    return fetch(url, { method, signal: AbortSignal.timeout(timeoutMs), ...(body && { body }) })
  }
}
