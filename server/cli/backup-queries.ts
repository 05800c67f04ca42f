import type { Statement } from '../database/statement.ts'

export interface BackupServer {
  major: number
  archives: boolean
  /** When the newest WAL file was archived; null: never. */
  archivedAt: Date | null
  /** When the last attempt failed, if none has succeeded since; null: no failure. */
  failingSince: Date | null
}

interface BackupServerRow {
  major: bigint
  archives: boolean
  archived_at: Date | null
  failing_since: Date | null
}

export const READ_BACKUP_SERVER: Statement<BackupServer> = {
  text: `select current_setting('server_version_num')::bigint / 10000 as major,
    current_setting('archive_mode') <> 'off' as archives, last_archived_time as archived_at,
    case when last_failed_time > coalesce(last_archived_time, '-infinity') then last_failed_time end as failing_since
  from pg_stat_archiver`,
  read: (row: BackupServerRow) => ({
    major: Number(row.major),
    archives: row.archives,
    archivedAt: row.archived_at,
    failingSince: row.failing_since,
  }),
}

export const READ_CLOCK: Statement<Date> = {
  text: 'select clock_timestamp() as now',
  read: (row: { now: Date }) => row.now,
}

export const IS_RECOVERING: Statement<boolean> = {
  text: 'select pg_is_in_recovery() as is_recovering',
  read: (row: { is_recovering: boolean }) => row.is_recovering,
}

export interface Reach {
  /** The time of the last replayed transaction; null: the WAL had none. */
  replayedUntil: Date | null
  newestOperation: Date | null
  /** Each restore starts a new timeline. */
  timeline: bigint
}

interface ReachRow {
  replayed_until: Date | null
  newest_operation: Date | null
  timeline: bigint
}

export const READ_REACH: Statement<Reach> = {
  text: `select pg_last_xact_replay_timestamp() as replayed_until,
    (select max(created_at) from ledger.operations) as newest_operation,
    ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint as timeline`,
  read: (row: ReachRow) => ({
    replayedUntil: row.replayed_until,
    newestOperation: row.newest_operation,
    timeline: row.timeline,
  }),
}
