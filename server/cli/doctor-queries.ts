import type pg from 'pg'

export interface ServerRow {
  version: bigint
  now_ms: bigint
  is_standby: boolean
  fsync: string
  synchronous_commit: string
}

export const READ_SERVER = `select current_setting('server_version_num')::bigint as version,
    (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms, pg_is_in_recovery() as is_standby,
    current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit`

export interface PartitionRow {
  /** Whether the month after the next has a partition. */
  is_prepared: boolean
  /** Whether an operation has found none. */
  has_strays: boolean
}

export const READ_PARTITIONS = `select exists (select from ledger.operations_default) as has_strays,
    to_regclass('ledger.operations_' || to_char(now() at time zone 'UTC' + interval '2 months', 'YYYY_MM')) is not null as is_prepared`

export function listUnsafeOrigins(): pg.QueryConfig {
  return {
    text: `select client_id, name, origin from directory.client_apps,
        unnest(allowed_origins || allowed_iframe_parents) as origin
      where is_active and origin like 'http://%' order by client_id limit 20`,
  }
}
