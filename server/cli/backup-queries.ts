export interface BackupServerRow {
  major: bigint
  archives: boolean
  /** When the newest piece of the log went to the archive; null: none did. */
  archived_at: Date | null
  /** When the last attempt failed, if none has succeeded since; null: nothing failed. */
  failing_since: Date | null
}

export const READ_BACKUP_SERVER = `select current_setting('server_version_num')::bigint / 10000 as major,
    current_setting('archive_mode') <> 'off' as archives, last_archived_time as archived_at,
    case when last_failed_time > coalesce(last_archived_time, '-infinity') then last_failed_time end as failing_since
  from pg_stat_archiver`

export const READ_CLOCK = 'select clock_timestamp() as now'

export const IS_RECOVERING = 'select pg_is_in_recovery() as is_recovering'

export interface ReachRow {
  /** Of the last transaction that was replayed; null: the log had none. */
  replayed_until: Date | null
  newest_operation: Date | null
  /** The number of its history: each restore begins a new one. */
  timeline: bigint
}

export const READ_REACH = `select pg_last_xact_replay_timestamp() as replayed_until,
    (select max(created_at) from ledger.operations) as newest_operation,
    ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint as timeline`
