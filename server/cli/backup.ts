import { InvalidArgumentError, type Command } from 'commander'
import { existsSync } from 'node:fs'
import { open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { readDatabaseUrl } from '../config.ts'
import { clientConfig } from '../database/connect.ts'
import { one, type Statement } from '../database/statement.ts'
import { withoutPassword } from './backup-password.ts'
import { findPrograms, runProgram } from './backup-programs.ts'
import * as query from './backup-queries.ts'
import {
  INFO_FILE,
  parseMoment,
  restore,
  type BackupInfo,
  type RestoreFlags,
} from './backup-restore.ts'
import { print } from './with-service.ts'

interface BackupFlags {
  to: string
  programs?: string
}

export function addBackupCommands(program: Command) {
  const programs = ['--programs <folder>', "the folder with PostgreSQL's programs"] as const

  program
    .command('backup')
    .description('take a base backup of the whole PostgreSQL server and verify each file')
    .requiredOption('--to <folder>', 'a new folder; it exists only if the backup is complete')
    .option(...programs)
    .action((flags: BackupFlags) => backUp(flags))

  program
    .command('restore')
    .description(
      'create a data folder from a base backup and the archived WAL, and verify its books',
    )
    .requiredOption('--from <folder>', 'a base backup')
    .requiredOption(
      '--wal <folder...>',
      'folders with the archived WAL; each file is read from the first folder that contains it',
    )
    .requiredOption('--into <folder>', 'the data folder to create')
    .option('--to-time <time>', 'such as 2026-01-31T12:00:00Z; default: the latest', parseMoment)
    .option('--timeline <number>', 'follow this timeline instead of the newest')
    .option('--checkpoint <file>', 'compare with this checkpoint from before that time')
    .option('--key <file>', "the checkpoint's public (or private) key, PEM")
    .option(...programs)
    .action((flags: RestoreFlags) => restore(flags))
}

async function backUp({ to, programs: programsFolder }: BackupFlags) {
  const folder = resolve(to)
  const partial = `${folder}.partial`
  if (existsSync(folder)) {
    throw new InvalidArgumentError(`${folder} already exists; choose another folder.`)
  }
  if (existsSync(partial)) {
    throw new InvalidArgumentError(
      `${partial} is left over from an unfinished backup. If no backup is running, delete it.`,
    )
  }
  const databaseUrl = readDatabaseUrl()
  const server = await read(databaseUrl, query.READ_BACKUP_SERVER)
  const programs = await findPrograms(server.major, programsFolder)
  const startedMs = performance.now()
  let info: BackupInfo
  try {
    await withoutPassword(databaseUrl, (url) =>
      runProgram(programs.find('pg_basebackup'), [
        `--dbname=${url}`,
        `--pgdata=${partial}`,
        '--no-password',
        '--wal-method=stream',
        '--checkpoint=fast',
        '--label=coffer',
      ]),
    )
    await runProgram(programs.find('pg_verifybackup'), ['--quiet', partial])
    const now = await read(databaseUrl, query.READ_CLOCK)
    info = { restoresFrom: now.toISOString() }
    await writeFile(join(partial, INFO_FILE), JSON.stringify(info), { flush: true })
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
  await rename(partial, folder)
  await sync(dirname(folder))
  const seconds = (performance.now() - startedMs) / 1000
  const size = Math.ceil((await sizeOf(folder)) / 1_000_000)
  print(`Base backup complete: ${folder}, ${size} MB, in ${seconds.toFixed(1)} s.`)
  reportArchive(server, info)
}

function reportArchive(
  { archives, archivedAt, failingSince }: query.BackupServer,
  { restoresFrom }: BackupInfo,
) {
  if (failingSince !== null) {
    const since = archivedAt === null ? '' : ` since ${archivedAt.toISOString()}`
    print(`No WAL was archived${since}, and the last attempt failed. This backup can only restore`)
    print('to the time at which it ended. Look for archive_command in the PostgreSQL log.')
    process.exitCode = 1
  } else if (!archives) {
    print(
      'PostgreSQL does not archive its WAL (archive_mode is off). Unless another tool does, this',
    )
    print(
      'backup can only restore to the time at which it ended. Set archive_command, see docs/operations.md.',
    )
  } else {
    print(`With the archived WAL, it can restore to any time from ${restoresFrom} on.`)
  }
  print('Keep it on another machine, and keep SECRET_PEPPERS and ADMIN_KEYS in a third place.')
  print('Test this backup by restoring it: coffer restore.')
}

async function read<Out>(url: string, statement: Statement<Out>): Promise<Out> {
  const { types } = clientConfig(url)
  const client = new pg.Client({ connectionString: url, ...(types && { types }) })
  await client.connect()
  try {
    return (await one(client, statement)) as Out
  } finally {
    await client.end()
  }
}

async function sync(folder: string) {
  const handle = await open(folder)
  await handle.sync()
  await handle.close()
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
