/** The archived WAL and the backups. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { one } from '../../database/statement.ts'
import type { Info } from '../pgbackrest.ts'
import { explainError } from '../explain-error.ts'
import { error, ok, warning, type Finding } from './finding.ts'
import { READ_ARCHIVER } from './queries.ts'

const HOUR_MS = 60 * 60 * 1000
/** The service writes at least every hour, so that PostgreSQL has something to archive. */
const ARCHIVED_HOURS = 24
/** A day, and the time that a backup takes. */
const BACKUP_HOURS = 30
const REHEARSED_DAYS = 35
/** coffer-rehearsal.service writes the time into it after each rehearsal that found no problem. */
const REHEARSED_FILE = '/var/lib/coffer-backup/rehearsed'
/** coffer-backup@.service writes it after each backup. */
const BACKUP_INFO_FILE = '/var/lib/coffer-backup/info.json'

export async function examineArchive(db: pg.Pool): Promise<Finding> {
  const archiver = await one(db, READ_ARCHIVER)
  const fix = 'Run pgbackrest --stanza=coffer check as the user postgres (docs/backup.md).'
  if (!archiver?.archives) {
    return warning(
      'PostgreSQL does not archive its WAL: losing this server loses everything since the last backup.',
      'Set up pgBackRest (docs/backup.md), or ignore this if your provider archives the WAL.',
    )
  }
  const { archivedAt, failingSince } = archiver
  if (failingSince !== null) {
    return error(`Archiving the WAL has been failing since ${failingSince.toISOString()}.`, fix)
  }
  if (archivedAt === null || hoursSince(archivedAt) > ARCHIVED_HOURS) {
    const since =
      archivedAt === null
        ? 'has ever been archived'
        : `has been archived since ${archivedAt.toISOString()}`
    return warning(`No WAL ${since}.`, fix)
  }
  return ok(`The WAL is archived, last at ${archivedAt.toISOString()}.`)
}

/**
 * `named`: a file with what `pgbackrest info` printed, which must exist. The default one exists only where backups are
 * configured.
 */
export async function examineBackups(named: string | undefined): Promise<Finding> {
  const file = named ?? BACKUP_INFO_FILE
  const fix =
    'Look at the last backup: journalctl -u "coffer-backup@*"; and at the timers: systemctl list-timers "coffer-backup*".'
  let infos: Info[]
  try {
    infos = JSON.parse(await readFile(file, 'utf8')) as Info[]
  } catch (cause) {
    const [text = ''] = explainError(cause).split('\n')
    if (named !== undefined) return error(`The backups cannot be checked: ${text}`, fix)
    return warning(
      `The last backup was not checked: ${text}`,
      'On the server of the database, set up the backups (docs/backup.md). Elsewhere, ignore this.',
    )
  }
  const newest = infos.flatMap(({ backup }) => backup).findLast((backup) => !backup.error)
  if (newest === undefined) return error('There is no complete backup.', fix)
  const at = new Date(newest.timestamp.stop * 1000)
  const text = `The newest backup (${newest.type}) is from ${at.toISOString()}`
  return hoursSince(at) > BACKUP_HOURS
    ? error(`${text}, more than ${BACKUP_HOURS} hours ago.`, fix)
    : ok(`${text}.`)
}

/** Only where backups are configured. */
export async function examineRehearsal(): Promise<Finding[]> {
  if (!existsSync(BACKUP_INFO_FILE)) return []
  const fix =
    'Run systemctl start coffer-rehearsal, and look at its messages: journalctl -u coffer-rehearsal.'
  const text = await readFile(REHEARSED_FILE, 'utf8').catch(() => '')
  const at = new Date(text.trim())
  if (Number.isNaN(at.getTime())) return [warning('No restore has been rehearsed yet.', fix)]
  const found = `A restore was rehearsed at ${at.toISOString()}`
  return hoursSince(at) > REHEARSED_DAYS * 24
    ? [error(`${found}, more than ${REHEARSED_DAYS} days ago.`, fix)]
    : [ok(`${found}.`)]
}

function hoursSince(time: Date): number {
  return (Date.now() - time.getTime()) / HOUR_MS
}
