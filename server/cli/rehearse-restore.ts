/** A restore into a temporary folder: a private PostgreSQL server replays the archive, and its books are verified. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile, chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readDatabaseUrl } from '../config.ts'
import { checkRestored, type AfterRestoreFlags } from './after-restore.ts'
import { isRoot, newestSegment, runPgbackrest, type Cluster, type Info } from './pgbackrest.ts'
import { waitUntilRecovered } from './wait-until-recovered.ts'
import { print } from './with-service.ts'

export async function rehearse(
  { data, programs }: Cluster,
  info: Info,
  target: string[],
  flags: AfterRestoreFlags,
) {
  const startedMs = performance.now()
  const { uid, gid } = await stat(data)
  // Beside the data, where there is room for a copy.
  const folder = await mkdtemp(`${data}-rehearsal-`)
  const copy = join(folder, 'data')
  await mkdir(copy, { mode: 0o700 })
  if (isRoot()) for (const each of [folder, copy]) await chown(each, uid, gid)
  let server: ChildProcess | undefined
  try {
    runPgbackrest([`--pg1-path=${copy}`, '--archive-mode=off', ...target, 'restore'])
    // PostgreSQL reads both as its own user.
    await writeFile(join(folder, 'empty.conf'), '', { mode: 0o644 })
    await writeFile(join(folder, 'hba.conf'), 'local all all trust\n', { mode: 0o644 })
    server = spawn(join(programs, 'postgres'), toArguments(copy, folder), {
      ...(isRoot() && { uid, gid }),
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const url = toSocketUrl(folder)
    await waitUntilRecovered(url, server)
    // The archive grew while the copy was made; it had at least these.
    await checkRestored(url, flags, target.length === 0 ? newestSegment(info) : undefined)
    print(`The rehearsal took ${((performance.now() - startedMs) / 1000).toFixed(0)} s.`)
  } finally {
    if (server?.kill('SIGINT')) await once(server, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
}

/** On the command line, so that the settings of the real server do not interfere. It listens on a socket in its folder. */
function toArguments(data: string, folder: string): string[] {
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
    log_min_messages: 'fatal',
    max_wal_size: '4GB',
  }
  return ['-D', data, ...Object.entries(settings).flatMap(([name, to]) => ['-c', `${name}=${to}`])]
}

function toSocketUrl(folder: string): string {
  const { username, pathname } = new URL(readDatabaseUrl())
  return `postgres://${username}@${encodeURIComponent(folder)}:5432${pathname}`
}
