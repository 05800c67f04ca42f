import type { Statement } from '../database/statement.ts'

export interface Reach {
  /** The time of the last replayed transaction; null: the WAL had none. */
  replayedUntil: Date | null
  newestOperation: Date | null
  /** The number of the WAL segment that holds the last replayed record. */
  segment: bigint | null
}

interface ReachRow {
  replayed_until: Date | null
  newest_operation: Date | null
  segment: bigint | null
}

/** On a server that has not been restarted since its recovery. */
export const READ_REACH: Statement<Reach> = {
  text: `select pg_last_xact_replay_timestamp() as replayed_until,
    (select max(created_at) from ledger.operations) as newest_operation,
    div(pg_last_wal_replay_lsn() - '0/0'::pg_lsn - 1, (select setting::numeric from pg_settings where name = 'wal_segment_size'))::bigint as segment`,
  read: (row: ReachRow) => ({
    replayedUntil: row.replayed_until,
    newestOperation: row.newest_operation,
    segment: row.segment,
  }),
}

export const IS_RECOVERING: Statement<boolean> = {
  text: 'select pg_is_in_recovery() as is_recovering',
  read: (row: { is_recovering: boolean }) => row.is_recovering,
}

/** Logins, widget sessions and codes that had ended by now exist again after a restore. */
export const END_ALL_SESSIONS: Statement<never>[] = [
  'directory.log_ins',
  'directory.widget_sessions',
  'directory.tickets',
  'directory.link_codes',
  'admin.log_ins',
  'admin.tickets',
].map((table) => ({ text: `delete from ${table}`, read: (row) => row }))

/** For psql. The password has only hexadecimal digits. */
export function setPassword(role: 'owner' | 'login', password: string): string {
  return `alter role coffer_${role} password '${password}'`
}
