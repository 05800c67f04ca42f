import { InvalidArgumentError } from 'commander'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { readDatabaseUrl } from '../config.ts'
import { clientConfig } from '../database/connect.ts'
import { readCheckpoint } from '../ledger/checkpoint.ts'
import { verify, type VerifyReport } from '../ledger/verify.ts'
import { findPrograms, runProgram, serverUser, type Programs } from './backup-programs.ts'
import { READ_REACH, type ReachRow } from './backup-queries.ts'
import { recover } from './backup-recover.ts'
import { findGap } from './backup-wal.ts'
import { say } from './with-service.ts'

export interface RestoreFlags {
  from: string
  wal: string[]
  into: string
  toTime?: Date
  timeline?: string
  checkpoint?: string
  key?: string
  programs?: string
}

/** What a backup of ours says about itself, beside what PostgreSQL wrote. */
export interface Note {
  /** Its end: what is in it may be as new as that. */
  restoresFrom: string
}

export const NOTE = 'coffer-backup.json'

/** A time without its zone would be read as the one of whoever types it. */
export function parseMoment(text: string): Date {
  const moment = new Date(text)
  if (!/\dT\d.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(moment.getTime())) {
    throw new InvalidArgumentError('A time is written as 2026-01-31T12:00:00Z.')
  }
  return moment
}

export async function restore(flags: RestoreFlags) {
  const databaseUrl = readDatabaseUrl()
  const from = resolve(flags.from)
  const into = resolve(flags.into)
  const wal = flags.wal.map((folder) => resolve(folder))
  await refuseUnusable(flags, { from, into, wal })
  const major = Number(await readFile(join(from, 'PG_VERSION'), 'utf8'))
  const programs = await findPrograms(major, flags.programs)
  await runProgram(programs.find('pg_verifybackup'), ['--quiet', `--ignore=${NOTE}`, from])
  say('The base backup is whole. Copying it, then replaying the log …')
  const startedMs = performance.now()
  await layOut(from, into)
  const timeline = flags.timeline ?? 'latest'
  const recovery = { programs, data: into, wal, toTime: flags.toTime, timeline, databaseUrl }
  const found = await recover(recovery, (url) => prove(url, flags)).catch((error: Error) => {
    const remove = `${into} is of no use as it is: remove it before you try again.`
    throw new Error(`${error.message}\n${remove}`, { cause: error })
  })
  const seconds = (performance.now() - startedMs) / 1000
  say(`${into} is restored, in ${seconds.toFixed(1)} s.`)
  report(found, flags.toTime)
  if (flags.toTime === undefined) await warnOfGap([join(from, 'pg_wal'), ...wal])
  tellNext(into, programs)
}

async function refuseUnusable(
  { checkpoint, key, timeline, toTime }: RestoreFlags,
  { from, into, wal }: { from: string; into: string; wal: string[] },
) {
  if ((checkpoint === undefined) !== (key === undefined)) {
    throw new InvalidArgumentError('--checkpoint and --key go together.')
  }
  if (timeline !== undefined && !/^\d+$/.test(timeline)) {
    throw new InvalidArgumentError('A timeline is a number.')
  }
  if (!existsSync(join(from, 'backup_manifest'))) {
    throw new InvalidArgumentError(`${from} is no base backup: it has no backup_manifest.`)
  }
  const { restoresFrom } = await readNote(from)
  if (toTime && toTime < new Date(restoresFrom)) {
    throw new InvalidArgumentError(
      `This base backup restores to moments from ${restoresFrom} on: take an older one.`,
    )
  }
  for (const folder of wal) {
    if (!existsSync(folder)) throw new InvalidArgumentError(`${folder} is not there.`)
    if (/["'`$\\%\n]/.test(folder)) {
      throw new InvalidArgumentError(`${folder} cannot be handed to PostgreSQL: rename it.`)
    }
  }
  if (existsSync(into) && (await readdir(into)).length > 0) {
    throw new InvalidArgumentError(
      `${into} is not empty. Name a new folder, or move the old one away: it may hold what the archive lacks.`,
    )
  }
}

/** PostgreSQL alone does not notice that a moment is before the backup, if nothing happened while it was taken. */
async function readNote(from: string): Promise<Note> {
  const text = await readFile(join(from, NOTE), 'utf8').catch(() => undefined)
  return text === undefined ? { restoresFrom: '' } : (JSON.parse(text) as Note)
}

async function layOut(from: string, into: string) {
  await mkdir(into, { recursive: true })
  await cp(from, into, { recursive: true })
  await rm(join(into, NOTE), { force: true })
  await chmod(into, 0o700)
  await writeFile(join(into, 'recovery.signal'), '')
  const user = serverUser()
  if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, into])
}

interface Found extends VerifyReport {
  reach: ReachRow
}

async function prove(url: string, { checkpoint, key }: RestoreFlags): Promise<Found> {
  const client = new pg.Client(clientConfig(url))
  await client.connect()
  try {
    const { rows } = await client.query<ReachRow>(READ_REACH)
    const heads = checkpoint && key && readCheckpoint(checkpoint, await readFile(key, 'utf8'))
    const verified = await verify(client, heads ? { checkpoint: heads } : {})
    return { ...verified, reach: rows[0] as ReachRow }
  } finally {
    await client.end()
  }
}

function report({ reach, wallets, operations, fault }: Found, toTime: Date | undefined) {
  const tell = (time: Date | null) => time?.toISOString() ?? 'none'
  say(`The last transaction that was replayed: ${tell(reach.replayed_until)}`)
  say(`The newest operation in the books:      ${tell(reach.newest_operation)}`)
  say(`The history that it begins:            timeline ${reach.timeline}`)
  if (toTime && reach.newest_operation && reach.newest_operation > toTime) {
    say(
      'Operations are newer than the moment that was asked for, because the base backup is: take an older one.',
    )
    process.exitCode = 1
  }
  const walked = `${wallets} wallets, ${operations} operations`
  if (fault === undefined) {
    say(`The books are sound: ${walked}.`)
    return
  }
  say(`The books are NOT sound. First bad row (after ${walked}):\n  ${fault}`)
  process.exitCode = 1
}

async function warnOfGap(folders: string[]) {
  const gap = await findGap(folders)
  if (gap === undefined) return
  say(`The archive lacks ${gap}, though it has later pieces: the books end before it.`)
  say('If the old server still has it in pg_wal, restore again with that folder as a second --wal.')
  process.exitCode = 1
}

function tellNext(into: string, { major }: Programs) {
  say(`
It is stopped. What to do now (docs/operations.md, Restore):
  1. Start PostgreSQL ${major} on ${into}.
  2. coffer pause, start the service, coffer reconcile.
  3. coffer backup: it is a new history, and the old backups do not lead to it.
  4. coffer resume.`)
}
