/** The archived WAL and the base backups. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { one } from '../../database/statement.ts'
import { READ_BACKUP_SERVER } from '../backup-queries.ts'
import { INFO_FILE, type BackupInfo } from '../backup-restore.ts'
import { explainError } from '../explain-error.ts'
import { error, ok, warning, type Finding } from './finding.ts'

const HOUR_MS = 60 * 60 * 1000
/** The service writes at least every hour, so that PostgreSQL has something to archive. */
const ARCHIVED_HOURS = 24
/** A day, and the time that a backup takes. */
const BACKUP_HOURS = 30

export async function examineArchive(db: pg.Pool): Promise<Finding> {
  const server = await one(db, READ_BACKUP_SERVER)
  const fix =
    'Set archive_command and look for it in the PostgreSQL log (docs/operations.md, Back up).'
  if (!server?.archives) {
    return warning(
      'PostgreSQL does not archive its WAL: unless another tool does, losing this server loses everything since the last backup.',
      fix,
    )
  }
  const { archivedAt, failingSince } = server
  if (failingSince !== null) {
    return error(`Archiving the WAL has been failing since ${failingSince.toISOString()}.`, fix)
  }
  if (archivedAt === null || hoursSince(archivedAt) > ARCHIVED_HOURS) {
    const since =
      archivedAt === null ? 'was ever archived' : `was archived since ${archivedAt.toISOString()}`
    return warning(`No WAL ${since}.`, fix)
  }
  return ok(`The WAL is archived, last at ${archivedAt.toISOString()}.`)
}

export async function examineBackups(folder: string | undefined): Promise<Finding> {
  if (folder === undefined) {
    return warning('The last backup was not checked.', 'Name the folder of the backups: --backups.')
  }
  const fix =
    'Run coffer backup, and check the timer that should run it (docs/operations.md, Back up).'
  let names: string[]
  try {
    names = await readdir(folder)
  } catch (cause) {
    const [text = '', advice = ''] = explainError(cause).split('\n')
    return error(
      `The backups cannot be checked: ${text}`,
      `${advice} If this folder is right and no backup was made yet, run coffer backup.`,
    )
  }
  const times = await Promise.all(names.map((name) => readTime(join(folder, name))))
  const newest = times.reduce((last, time) => Math.max(last, time), 0)
  if (newest === 0) return error(`${folder} contains no backup.`, fix)
  const text = `The newest backup in ${folder} is from ${new Date(newest).toISOString()}`
  return hoursSince(new Date(newest)) > BACKUP_HOURS
    ? error(`${text}, more than ${BACKUP_HOURS} hours ago.`, fix)
    : ok(`${text}.`)
}

/** 0: it is not a complete backup. */
async function readTime(backup: string): Promise<number> {
  const text = await readFile(join(backup, INFO_FILE), 'utf8').catch(() => undefined)
  return text === undefined ? 0 : Date.parse((JSON.parse(text) as BackupInfo).restoresFrom)
}

function hoursSince(time: Date): number {
  return (Date.now() - time.getTime()) / HOUR_MS
}
