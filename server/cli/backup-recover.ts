/** A PostgreSQL that nobody else can reach, which replays the archived log up to a moment and then stands still. */
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
import { say } from './with-service.ts'

export interface Recovery {
  programs: Programs
  data: string
  wal: readonly string[]
  toTime: Date | undefined
  timeline: string
  /** Of the login and database that are looked into; its host is not used. */
  databaseUrl: string
}

const POLL_MS = 200
const TELL_MS = 10_000

/** Works on the recovered database, then stops it; its folder is ready to be started by whoever runs PostgreSQL. */
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
 * On the command line, so that nothing of it stays in the data folder and nothing that stands there interferes. It
 * archives nothing: a rehearsal must not leave a history in the archive that the next restore would follow.
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
    // At this point of its start PostgreSQL does not know yet that Z is +00.
    recovery_target_time: toTime?.toISOString().replace('Z', '+00') ?? '',
  }
  return ['-D', data, ...Object.entries(settings).flatMap(([name, to]) => ['-c', `${name}=${to}`])]
}

function toSocketUrl(databaseUrl: string, folder: string): string {
  const { username, pathname } = new URL(databaseUrl)
  return `postgres://${username}@${encodeURIComponent(folder)}:5432${pathname}`
}

async function waitUntilRecovered(server: ChildProcess, url: string, logFile: string) {
  let tellAtMs = performance.now() + TELL_MS
  while (!(await isRecovered(url))) {
    const log = await readFile(logFile, 'utf8')
    if (server.exitCode !== null || server.signalCode !== null) throw new Error(explain(log))
    if (performance.now() > tellAtMs) {
      const piece = log.match(/restored log file "(\w+)"/g)?.at(-1) ?? 'reading the backup'
      say(`Still replaying: ${piece}.`)
      tellAtMs += TELL_MS
    }
    await sleep(POLL_MS)
  }
}

async function isRecovered(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ is_recovering: boolean }>(IS_RECOVERING)
    return rows[0]?.is_recovering === false
  } catch (error) {
    // A login or database that is not there stays away; a server that is not ready yet has another code.
    const code = error instanceof pg.DatabaseError ? error.code : undefined
    if (code === undefined || code === '57P03') return false
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** What PostgreSQL wrote before it gave up, as what to do. */
function explain(log: string): string {
  const last = /.*last completed transaction was at log time (.+)/s.exec(log)?.[1]?.split('\n')[0]
  if (log.includes('recovery ended before configured recovery target was reached')) {
    const end = last === undefined ? 'before it' : `at ${toIso(last)}`
    return `The archived log ends ${end}. Restore to a moment up to then, or to the latest by leaving --to-time out.`
  }
  if (log.includes('requested recovery stop point is before consistent recovery point')) {
    return 'That moment is before the end of this base backup. Restore from an older one.'
  }
  const fatal = log.match(/^.*(FATAL|PANIC):.*$/gm)?.join('\n')
  return `PostgreSQL could not replay the log:\n${fatal ?? log.slice(-2_000)}`
}

function toIso(logTime: string): string {
  return logTime.replace(' ', 'T').replace(/\+00$/, 'Z')
}
