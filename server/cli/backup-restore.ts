import { InvalidArgumentError } from 'commander'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { readDatabaseUrl } from '../config.ts'
import { clientConfig } from '../database/connect.ts'
import { one } from '../database/statement.ts'
import { readCheckpoint } from '../ledger/verify/checkpoint.ts'
import { verify, type VerifyReport } from '../ledger/verify/verify.ts'
import { findPrograms, runProgram, serverUser, type Programs } from './backup-programs.ts'
import { READ_REACH, type Reach } from './backup-queries.ts'
import { recover } from './backup-recover.ts'
import { findGap } from './backup-wal.ts'
import { proveAudit } from './prove-audit.ts'
import { refuseUnreadable } from './refuse-unreadable.ts'
import { print } from './with-service.ts'

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

/** Our own file in a backup, beside PostgreSQL's files. */
export interface BackupInfo {
  /** When the backup ended: it may contain data up to this time. */
  restoresFrom: string
}

export const INFO_FILE = 'coffer-backup.json'

/** A time without a zone would depend on the time zone of the machine. */
export function parseMoment(text: string): Date {
  const moment = new Date(text)
  if (!/\dT\d.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(moment.getTime())) {
    throw new InvalidArgumentError('Write the time as 2026-01-31T12:00:00Z.')
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
  await runProgram(programs.find('pg_verifybackup'), ['--quiet', `--ignore=${INFO_FILE}`, from])
  print('The base backup is complete. Copying it, then replaying the WAL …')
  const startedMs = performance.now()
  await copyBackup(from, into)
  const timeline = flags.timeline ?? 'latest'
  const recovery = { programs, data: into, wal, toTime: flags.toTime, timeline, databaseUrl }
  const found = await recover(recovery, (url) => prove(url, flags)).catch((error: Error) => {
    const advice = `Restore failed; delete ${into} before you try again.`
    throw new Error(`${error.message}\n${advice}`, { cause: error })
  })
  const seconds = (performance.now() - startedMs) / 1000
  print(`Restored ${into} in ${seconds.toFixed(1)} s.`)
  report(found, flags.toTime)
  if (flags.toTime === undefined) await warnOfGap([join(from, 'pg_wal'), ...wal])
  printNextSteps(into, programs)
}

async function refuseUnusable(
  { checkpoint, key, timeline, toTime }: RestoreFlags,
  { from, into, wal }: { from: string; into: string; wal: string[] },
) {
  if ((checkpoint === undefined) !== (key === undefined)) {
    throw new InvalidArgumentError('Use --checkpoint and --key together.')
  }
  if (timeline !== undefined && !/^\d+$/.test(timeline)) {
    throw new InvalidArgumentError('--timeline must be a number.')
  }
  await refuseUnreadable(from)
  if (!existsSync(join(from, 'backup_manifest'))) {
    throw new InvalidArgumentError(`${from} is not a base backup: it has no backup_manifest.`)
  }
  const { restoresFrom } = await readInfo(from)
  if (toTime && toTime < new Date(restoresFrom)) {
    throw new InvalidArgumentError(
      `This base backup can restore to times from ${restoresFrom} on. Use an older one.`,
    )
  }
  for (const folder of wal) {
    await refuseUnreadable(folder)
    if (/["'`$\\%\n]/.test(folder)) {
      throw new InvalidArgumentError(
        `${folder} has characters that PostgreSQL cannot use here: rename it.`,
      )
    }
  }
  if (existsSync(into) && (await readdir(into)).length > 0) {
    throw new InvalidArgumentError(
      `${into} is not empty. Choose a new folder, or move the old one: it may contain data that the archive lacks.`,
    )
  }
}

/** PostgreSQL does not detect a time before the backup if there was no activity during the backup. */
async function readInfo(from: string): Promise<BackupInfo> {
  const text = await readFile(join(from, INFO_FILE), 'utf8').catch(() => undefined)
  return text === undefined ? { restoresFrom: '' } : (JSON.parse(text) as BackupInfo)
}

async function copyBackup(from: string, into: string) {
  await mkdir(into, { recursive: true })
  await cp(from, into, { recursive: true })
  await rm(join(into, INFO_FILE), { force: true })
  await chmod(into, 0o700)
  await writeFile(join(into, 'recovery.signal'), '')
  const user = serverUser()
  if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, into])
}

interface Found extends VerifyReport {
  reach: Reach
}

async function prove(url: string, flags: RestoreFlags): Promise<Found> {
  const { checkpoint, key } = flags
  const client = new pg.Client(clientConfig(url))
  await client.connect()
  try {
    const reach = (await one(client, READ_REACH)) as Reach
    const heads = checkpoint && key && readCheckpoint(checkpoint, await readFile(key, 'utf8'))
    const threads = { databaseUrl: url, count: availableParallelism() }
    const verified = await verify(client, heads ? { threads, checkpoint: heads } : { threads })
    await proveAudit(client, flags)
    return { ...verified, reach }
  } finally {
    await client.end()
  }
}

function report({ reach, wallets, operations, fault }: Found, toTime: Date | undefined) {
  const show = (time: Date | null) => time?.toISOString() ?? 'none'
  print(`Last replayed transaction: ${show(reach.replayedUntil)}`)
  print(`Newest operation:          ${show(reach.newestOperation)}`)
  print(`New timeline:              ${reach.timeline}`)
  if (toTime && reach.newestOperation && reach.newestOperation > toTime) {
    print('Some operations are newer than --to-time, because the base backup is. Use an older one.')
    process.exitCode = 1
  }
  const walked = `${wallets} wallets, ${operations} operations`
  if (fault === undefined) {
    print(`The books are sound: ${walked}.`)
    return
  }
  print(`The books are NOT sound. First bad row (after ${walked}):\n  ${fault}`)
  process.exitCode = 1
}

async function warnOfGap(folders: string[]) {
  const gap = await findGap(folders)
  if (gap === undefined) return
  print(`The archive lacks ${gap}, but has later files: the restored data ends before it.`)
  print(
    'If the old server still has it in pg_wal, restore again with that folder as a second --wal.',
  )
  process.exitCode = 1
}

function printNextSteps(into: string, { major }: Programs) {
  print(`
The restored server is stopped. Next steps (docs/operations.md, Restore):
  1. Start PostgreSQL ${major} on ${into}.
  2. coffer pause, start the service, coffer reconcile.
  3. coffer backup: the old backups do not work with the new timeline.
  4. coffer resume.`)
}
