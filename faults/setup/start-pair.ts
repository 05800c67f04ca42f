/** A primary and one synchronous standby without a cluster manager, for failovers within a second or two. */
import { execFile } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  postgresOwner,
  startTemporaryPostgres,
  type TemporaryPostgres,
} from '../../scripts/temporary-postgres.ts'
import { guardFolder } from './guard-folder.ts'
import { readVersion } from './read-version.ts'
import { listProcesses, signalProcesses } from './signal-processes.ts'
import type { Database } from './start-database.ts'
import { withAdmin } from './with-admin.ts'

export interface Pair extends Database {
  /** From now on nothing reaches the standby, and every commit waits. */
  stopReplication(): void
  /** The primary is gone permanently, and the standby takes over with the data that it has. */
  failOver(): Promise<void>
  /** Adds a new standby to the current primary; only what the standby has is acknowledged. */
  joinStandby(): Promise<void>
}

const STANDBY = 'standby'
const SETTINGS = {
  max_connections: '200',
  shared_buffers: '64MB',
  fsync: 'off',
  full_page_writes: 'off',
  wal_retrieve_retry_interval: '200ms',
  log_min_messages: 'log',
}
const JOIN_MS = 30_000

interface Server {
  data: string
  running: TemporaryPostgres
}

const run = promisify(execFile)

export async function startPair(onMove: (url: string) => void): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-pair-'))
  const owner = postgresOwner()
  const guard = guardFolder(folder)
  if (owner) chownSync(folder, owner.uid, owner.gid)
  let servers = 0
  let standby: Server | undefined

  function makeServerFolder(): string {
    const serverFolder = join(folder, `pg${++servers}`)
    mkdirSync(serverFolder)
    if (owner) chownSync(serverFolder, owner.uid, owner.gid)
    return serverFolder
  }

  async function start(serverFolder: string, more: Record<string, string> = {}): Promise<Server> {
    const settings = { ...SETTINGS, ...more }
    return {
      data: join(serverFolder, 'data'),
      running: await startTemporaryPostgres({ settings, folder: serverFolder }),
    }
  }

  const first = makeServerFolder()
  let primary = await start(first)

  const pair: Pair = {
    name: `two PostgreSQL ${readVersion(join(primary.running.binFolder, 'postgres'))}`,
    get url() {
      return primary.running.url
    },
    binFolder: primary.running.binFolder,
    stopReplication() {
      const isSender = (command: string) => command.includes('walsender')
      signalProcesses(listProcesses(primary.data, isSender), 'SIGSTOP')
    },
    async failOver() {
      if (standby === undefined) throw new Error('there is no standby')
      const gone = primary
      signalProcesses(listProcesses(gone.data), 'SIGKILL')
      await gone.running.stop()
      primary = standby
      standby = undefined
      await withAdmin(pair.url, (admin) => admin.query('select pg_promote()'))
      onMove(pair.url)
      rmSync(gone.data, { recursive: true })
    },
    async joinStandby() {
      const serverFolder = makeServerFolder()
      const data = join(serverFolder, 'data')
      const copy = ['-d', pair.url, '-D', data, '-R', '-c', 'fast', '--no-sync']
      await run(join(pair.binFolder, 'pg_basebackup'), copy, { ...owner, cwd: serverFolder })
      const from = `${pair.url}?application_name=${STANDBY}`
      // If this standby is promoted, it acknowledges nothing until it has its own standby.
      const settings = { primary_conninfo: from, synchronous_standby_names: STANDBY }
      standby = await start(serverFolder, settings)
      await requireStandby(pair.url)
    },
    restart: () => Promise.reject(new Error('a pair is not restarted')),
    async stop() {
      await end(primary)
      if (standby) await end(standby)
      await guard.clear()
    },
  }
  await pair.joinStandby()
  return pair
}

async function end({ data, running }: Server) {
  signalProcesses(listProcesses(data), 'SIGKILL')
  await running.stop()
}

async function requireStandby(url: string) {
  await withAdmin(url, async (admin) => {
    await admin.query(`alter system set synchronous_standby_names = '${STANDBY}'`)
    await admin.query('select pg_reload_conf()')
    const untilMs = performance.now() + JOIN_MS
    while (performance.now() < untilMs) {
      const { rowCount } = await admin.query(
        `select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`,
      )
      if (rowCount === 1) return
      await sleep(50)
    }
    throw new Error(`the standby did not join within ${JOIN_MS / 1000} s`)
  })
}
