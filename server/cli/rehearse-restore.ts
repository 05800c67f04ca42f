/** A restore into a temporary folder: a private PostgreSQL server replays the archive, and its books are verified. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chown, mkdir, mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { readDatabaseUrl } from '../config.ts'
import { clientConfig } from '../database/connect.ts'
import { one } from '../database/statement.ts'
import { checkRestored } from './after-restore.ts'
import { isRoot, runPgbackrest, type Cluster, type Info } from './pgbackrest.ts'
import type { ProofFlags } from './prove-books.ts'
import { IS_RECOVERING } from './restore-queries.ts'
import { waitUntilRecovered } from './wait-until-recovered.ts'
import { print } from './with-service.ts'

/** The WAL since the backup needs room too. */
const SPACE_FACTOR = 1.5
const SPACE_LEFT = 1e9

export async function rehearse(
  { data, programs }: Cluster,
  info: Info,
  target: string[],
  flags: ProofFlags,
  mustReach: bigint | undefined,
) {
  const startedMs = performance.now()
  const { uid, gid } = await stat(data)
  // A rehearsal that was killed leaves its folder.
  for (const left of globSync(`${data}-rehearsal-*`)) await rm(left, { recursive: true })
  await requireSpace(data, info)
  const folder = await mkdtemp(`${data}-rehearsal-`)
  const copy = join(folder, 'data')
  await mkdir(copy, { mode: 0o700 })
  // PostgreSQL reads both as its own user.
  await writeFile(join(folder, 'empty.conf'), '', { mode: 0o644 })
  await writeFile(join(folder, 'hba.conf'), 'local all all trust\n', { mode: 0o644 })
  if (isRoot()) for (const each of [copy, folder]) await chown(each, uid, gid)
  let server: ChildProcess | undefined
  try {
    runPgbackrest([`--pg1-path=${copy}`, '--archive-mode=off', ...target, 'restore'])
    const running = spawn(join(programs, 'postgres'), toArguments(copy, folder), {
      ...(isRoot() && { uid, gid }),
      cwd: folder,
      // Not the keys of the service.
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    server = running
    const url = toSocketUrl(folder)
    const isRecovered = await waitUntilRecovered({
      isRecovered: () => askWhetherRecovered(url),
      hasEnded: () => running.exitCode !== null || running.signalCode !== null,
    })
    if (!isRecovered) throw new Error('PostgreSQL could not replay the WAL; its message is above.')
    await checkRestored(url, flags, mustReach)
    print(`The rehearsal took ${((performance.now() - startedMs) / 1000).toFixed(0)} s.`)
  } finally {
    if (server?.kill('SIGINT')) await once(server, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
}

/** A full disk would stop the real server. */
async function requireSpace(data: string, info: Info) {
  const { bavail, bsize } = await statfs(data)
  const needed = (info.backup.at(-1)?.info.size ?? 0) * SPACE_FACTOR + SPACE_LEFT
  if (bavail * bsize > needed) return
  throw new Error(
    `The rehearsal needs ${toGb(needed)} GB beside ${data}, and ${toGb(bavail * bsize)} GB are free. Free some space, or rehearse on another machine.`,
  )
}

const toGb = (bytes: number) => (bytes / 1e9).toFixed(1)

async function askWhetherRecovered(url: string): Promise<boolean> {
  const client = new pg.Client(clientConfig(url))
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await one(client, IS_RECOVERING)) === false
  } finally {
    await client.end().catch(() => undefined)
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
