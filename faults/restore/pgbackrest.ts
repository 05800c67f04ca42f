/** pgBackRest with a repository of its own, for one temporary server. */
import { execFile, execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { postgresOwner } from '../../scripts/temporary-postgres.ts'
import type { Database } from '../setup/start-database.ts'
import { withAdmin } from '../setup/with-admin.ts'

export interface Repository {
  /** The archive_command of the server. */
  archiveCommand: string
  run(args: string[]): string
  /** Without blocking this process. */
  start(args: string[]): Promise<void>
}

export async function createRepository(folder: string, database: Database): Promise<Repository> {
  const { rows } = await withAdmin(database.url, (admin) =>
    admin.query<{ data: string; socket: string }>(
      `select current_setting('data_directory') as data, current_setting('unix_socket_directories') as socket`,
    ),
  )
  const { data = '', socket = '' } = rows[0] ?? {}
  const owner = postgresOwner()
  const repository = join(folder, 'repository')
  mkdirSync(repository)
  if (owner) chownSync(repository, owner.uid, owner.gid)
  const config = join(folder, 'pgbackrest.conf')
  const settings = {
    'repo1-path': repository,
    'repo1-retention-full': 1,
    'lock-path': folder,
    'compress-type': 'zst',
    'start-fast': 'y',
    'log-level-file': 'off',
    'pg1-path': data,
    'pg1-socket-path': socket,
    'pg1-user': 'postgres',
  }
  const common = [`--config=${config}`, '--stanza=coffer']
  function prepare(args: string[]): string[] {
    // The port changes when the server is restarted.
    const all = { ...settings, 'pg1-port': new URL(database.url).port }
    const lines = Object.entries(all).map(([name, value]) => `${name}=${value}`)
    writeFileSync(config, `[coffer]\n${lines.join('\n')}\n`)
    return [...common, ...args]
  }
  const options = { ...owner, cwd: folder, encoding: 'utf8' } as const
  return {
    archiveCommand: `pgbackrest ${common.join(' ')} archive-push %p`,
    run: (args) =>
      execFileSync('pgbackrest', prepare(args), {
        ...options,
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    async start(args) {
      await promisify(execFile)('pgbackrest', prepare(args), options)
    },
  }
}
