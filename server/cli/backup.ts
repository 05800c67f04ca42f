import { InvalidArgumentError, type Command } from 'commander'
import { existsSync } from 'node:fs'
import { mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { readDatabaseUrl } from '../config.ts'
import { clientConfig } from '../database/connect.ts'
import { findPrograms, runProgram } from './backup-programs.ts'
import * as query from './backup-queries.ts'
import { NOTE, parseMoment, restore, type Note, type RestoreFlags } from './backup-restore.ts'
import { say } from './with-service.ts'

interface BackupFlags {
  to: string
  programs?: string
}

export function addBackupCommands(program: Command) {
  const programs = ['--programs <folder>', "where PostgreSQL's programs are"] as const

  program
    .command('backup')
    .description('take a base backup of the whole PostgreSQL, checked file by file')
    .requiredOption('--to <folder>', 'a new folder, which is there only if the backup is whole')
    .option(...programs)
    .action((flags: BackupFlags) => backUp(flags))

  program
    .command('restore')
    .description('make a data folder from a base backup and the archived log, and prove its books')
    .requiredOption('--from <folder>', 'a base backup')
    .requiredOption('--wal <folder...>', 'where the log is archived; the first that has a piece')
    .requiredOption('--into <folder>', 'the data folder to make')
    .option('--to-time <time>', 'such as 2026-01-31T12:00:00Z; default: the latest', parseMoment)
    .option('--timeline <number>', 'follow this history instead of the newest')
    .option('--checkpoint <file>', 'a checkpoint from before that time, to compare with')
    .option('--key <file>', "the checkpoint's public (or private) key, PEM")
    .option(...programs)
    .action((flags: RestoreFlags) => restore(flags))
}

async function backUp({ to, programs: programsFolder }: BackupFlags) {
  const folder = resolve(to)
  const partial = `${folder}.partial`
  if (existsSync(folder)) {
    throw new InvalidArgumentError(`${folder} is there already: name a new folder.`)
  }
  if (existsSync(partial)) {
    throw new InvalidArgumentError(
      `${partial} is left over from a backup that did not end. If none is under way, remove it.`,
    )
  }
  const databaseUrl = readDatabaseUrl()
  const server = await readRow<query.BackupServerRow>(databaseUrl, query.READ_BACKUP_SERVER)
  const programs = await findPrograms(Number(server.major), programsFolder)
  const startedMs = performance.now()
  let note: Note
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
    const { now } = await readRow<{ now: Date }>(databaseUrl, query.READ_CLOCK)
    note = { restoresFrom: now.toISOString() }
    await writeFile(join(partial, NOTE), JSON.stringify(note), { flush: true })
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
  await rename(partial, folder)
  await sync(dirname(folder))
  const seconds = (performance.now() - startedMs) / 1000
  const size = Math.ceil((await sizeOf(folder)) / 1_000_000)
  say(`${folder} holds a whole base backup: ${size} MB, in ${seconds.toFixed(1)} s.`)
  reportArchive(server, note)
}

function reportArchive(
  { archives, archived_at, failing_since }: query.BackupServerRow,
  { restoresFrom }: Note,
) {
  if (failing_since !== null) {
    const since = archived_at === null ? 'ever' : `since ${archived_at.toISOString()}`
    say(`No piece of the log was archived ${since}, and the last attempt failed: with this backup`)
    say('alone, what comes after it is lost. Look for archive_command in the log of PostgreSQL.')
    process.exitCode = 1
  } else if (!archives) {
    say('PostgreSQL archives no log (archive_mode is off): unless somebody else fetches it, this')
    say('backup restores to its own end only. Set archive_command as docs/operations.md says.')
  } else {
    say(`With the archived log it restores to any moment from ${restoresFrom} on.`)
  }
  say('Keep it on another machine, and SECRET_PEPPERS and ADMIN_KEYS elsewhere again.')
  say('A backup that nobody has restored is a hope: try it with coffer restore.')
}

async function readRow<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row> {
  const { types } = clientConfig(url)
  const client = new pg.Client({ connectionString: url, ...(types && { types }) })
  await client.connect()
  try {
    const { rows } = await client.query<Row>(text)
    return rows[0] as Row
  } finally {
    await client.end()
  }
}

/** Everybody on the machine sees the arguments of a program, so the password goes by a file. */
async function withoutPassword(databaseUrl: string, work: (url: string) => Promise<void>) {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  if (password === '') return work(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'coffer-backup-'))
  try {
    const file = join(folder, 'password')
    await writeFile(file, `*:*:*:*:${password.replaceAll(/[\\:]/g, '\\$&')}\n`, { mode: 0o600 })
    url.password = ''
    url.searchParams.set('passfile', file)
    await work(url.href)
  } finally {
    await rm(folder, { recursive: true, force: true })
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
