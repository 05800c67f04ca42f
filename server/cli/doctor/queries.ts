import type { Statement } from '../../database/statement.ts'

export interface Server {
  version: number
  nowMs: number
  isStandby: boolean
  fsync: string
  synchronousCommit: string
}

interface ServerRow {
  version: bigint
  now_ms: bigint
  is_standby: boolean
  fsync: string
  synchronous_commit: string
}

export const READ_SERVER: Statement<Server> = {
  text: `select current_setting('server_version_num')::bigint as version,
    (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms, pg_is_in_recovery() as is_standby,
    current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit`,
  read: (row: ServerRow) => ({
    version: Number(row.version),
    nowMs: Number(row.now_ms),
    isStandby: row.is_standby,
    fsync: row.fsync,
    synchronousCommit: row.synchronous_commit,
  }),
}

export const LIST_UNSAFE_ORIGINS: Statement<{ clientId: string; origin: string }> = {
  text: `select client_id, origin from directory.client_apps,
      unnest(allowed_origins || allowed_iframe_parents) as origin
    where is_active and origin like 'http://%' order by client_id limit 20`,
  read: (row: { client_id: string; origin: string }) => ({
    clientId: row.client_id,
    origin: row.origin,
  }),
}

export interface Archiver {
  archives: boolean
  /** When the newest WAL file was archived; null: never. */
  archivedAt: Date | null
  /** When the last attempt failed, if none has succeeded since; null: no failure. */
  failingSince: Date | null
}

interface ArchiverRow {
  archives: boolean
  archived_at: Date | null
  failing_since: Date | null
}

export const READ_ARCHIVER: Statement<Archiver> = {
  text: `select current_setting('archive_mode') <> 'off' as archives, last_archived_time as archived_at,
    case when last_failed_time > coalesce(last_archived_time, '-infinity') then last_failed_time end as failing_since
  from pg_stat_archiver`,
  read: (row: ArchiverRow) => ({
    archives: row.archives,
    archivedAt: row.archived_at,
    failingSince: row.failing_since,
  }),
}
