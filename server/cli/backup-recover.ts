/** A private PostgreSQL server that replays the archived WAL up to a time and is then stopped. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { serverUser, type Programs } from './backup-programs.ts'
import { IS_RECOVERING } from './backup-queries.ts'
import { one } from '../database/statement.ts'
import { print } from './with-service.ts'

export interface Recovery {
  programs: Programs
  data: string
  wal: readonly string[]
  toTime: Date | undefined
  timeline: string
  /** For the login and database name; its host is not used. */
  databaseUrl: string
}

const POLL_MS = 200
const REPORT_MS = 10_000

/** Works on the recovered database, then stops it; PostgreSQL can be started on its data folder afterwards. */
export async function recover<Result>(
  recovery: Recovery,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const user = serverUser()
  const folder = await mkdtemp(join(tmpdir(), 'coffer-restore-'))
  if (user) await chown(folder, user.uid, user.gid)
  const logFile = join(folder, 'log')
  await writeFile(join(folder, 'empty.conf'), '')
  await writeFile(join(folder, 'hba.conf'), 'local all all trust\n')
  const log = openSync(logFile, 'w')
  const server = spawn(recovery.programs.find('postgres'), toArguments(recovery, folder), {
    ...user,
    cwd: folder,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const ended = once(server, 'exit')
  try {
    const url = toSocketUrl(recovery.databaseUrl, folder)
    await waitUntilRecovered(server, url, logFile)
    return await work(url)
  } finally {
    server.kill('SIGINT')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * On the command line, so that the data folder is not changed and its settings do not interfere. Archiving is off: a
 * rehearsal must not add a timeline to the archive that the next restore would follow.
 */
function toArguments({ data, wal, toTime, timeline }: Recovery, folder: string): string[] {
  const settings: Record<string, string> = {
    config_file: join(folder, 'empty.conf'),
    hba_file: join(folder, 'hba.conf'),
    ident_file: join(folder, 'empty.conf'),
    listen_addresses: '',
    unix_socket_directories: folder,
    port: '5432',
    ssl: 'off',
    shared_preload_libraries: '',
    session_preload_libraries: '',
    local_preload_libraries: '',
    // postgresql.auto.conf is still read, and whoever could change the backup could change it.
    recovery_end_command: '',
    archive_cleanup_command: '',
    synchronous_standby_names: '',
    archive_mode: 'off',
    hot_standby: 'off',
    logging_collector: 'off',
    log_destination: 'stderr',
    lc_messages: 'C',
    log_timezone: 'UTC',
    max_wal_size: '4GB',
    restore_command: wal.map((each) => `cp "${each}/%f" "%p" 2>/dev/null`).join(' || '),
    recovery_target_timeline: timeline,
    recovery_target_action: 'promote',
    // This early, PostgreSQL does not understand Z.
    recovery_target_time: toTime?.toISOString().replace('Z', '+00') ?? '',
  }
  return ['-D', data, ...Object.entries(settings).flatMap(([name, to]) => ['-c', `${name}=${to}`])]
}

function toSocketUrl(databaseUrl: string, folder: string): string {
  const { username, pathname } = new URL(databaseUrl)
  return `postgres://${username}@${encodeURIComponent(folder)}:5432${pathname}`
}

async function waitUntilRecovered(server: ChildProcess, url: string, logFile: string) {
  let reportAtMs = performance.now() + REPORT_MS
  while (!(await isRecovered(url))) {
    const log = await readFile(logFile, 'utf8')
    if (server.exitCode !== null || server.signalCode !== null) throw new Error(explain(log))
    if (performance.now() > reportAtMs) {
      const progress = log.match(/restored log file "(\w+)"/g)?.at(-1) ?? 'reading the backup'
      print(`Replaying: ${progress}.`)
      reportAtMs += REPORT_MS
    }
    await sleep(POLL_MS)
  }
}

async function isRecovered(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await one(client, IS_RECOVERING)) === false
  } catch (error) {
    // A missing login or database does not appear later; a server that is not ready yet has another code.
    const code = error instanceof pg.DatabaseError ? error.code : undefined
    if (code === undefined || code === '57P03') return false
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Turns PostgreSQL's last log lines into advice. */
function explain(log: string): string {
  const last = /.*last completed transaction was at log time (.+)/s.exec(log)?.[1]?.split('\n')[0]
  if (log.includes('recovery ended before configured recovery target was reached')) {
    const end = last === undefined ? 'before that time' : `at ${toIso(last)}`
    return `The archived WAL ends ${end}. Restore to an earlier time, or omit --to-time to restore to the latest.`
  }
  if (log.includes('requested recovery stop point is before consistent recovery point')) {
    return 'That time is before the end of this base backup. Restore from an older one.'
  }
  const fatal = log.match(/^.*(FATAL|PANIC):.*$/gm)?.join('\n')
  return `PostgreSQL could not replay the WAL:\n${fatal ?? log.slice(-2_000)}`
}

function toIso(logTime: string): string {
  return logTime.replace(' ', 'T').replace(/\+00$/, 'Z')
}
