/** The results of `coffer check`. */
import type { CheckName } from '@coffer/contract/checks'
import type pg from 'pg'
import type { Statement } from '../database/statement.ts'

export interface CheckResult {
  name: CheckName
  finishedAt: Date
  isOk: boolean
  summary: string
  /** When the last run began that found no problem. */
  succeededAt: Date | null
  /** What the operators know. */
  reportedOk: boolean
}

interface CheckRow {
  name: CheckName
  finished_at: Date
  is_ok: boolean
  summary: string
  succeeded_at: Date | null
  reported_ok: boolean
}

export const LIST_CHECKS: Statement<CheckResult> = {
  text: 'select name, finished_at, is_ok, summary, succeeded_at, reported_ok from admin.checks order by name',
  read: (row: CheckRow) => ({
    name: row.name,
    finishedAt: row.finished_at,
    isOk: row.is_ok,
    summary: row.summary,
    succeededAt: row.succeeded_at,
    reportedOk: row.reported_ok,
  }),
}

/** `tookMs`: all times are of the clock of the database. */
export function recordCheck(
  name: CheckName,
  { isOk, summary, tookMs }: { isOk: boolean; summary: string; tookMs: number },
): pg.QueryConfig {
  return {
    text: `insert into admin.checks as old (name, began_at, finished_at, is_ok, summary, succeeded_at)
      select $1, began_at, now(), $2, $3, case when $2 then began_at end
      from (select now() - $4 * interval '1 millisecond' as began_at) run
      on conflict (name) do update set began_at = excluded.began_at, finished_at = excluded.finished_at,
        is_ok = excluded.is_ok, summary = excluded.summary,
        succeeded_at = coalesce(excluded.succeeded_at, old.succeeded_at)`,
    values: [name, isOk, summary, Math.max(0, Math.round(tookMs))],
  }
}

export function setReported(name: CheckName, isOk: boolean): pg.QueryConfig {
  return {
    text: 'update admin.checks set reported_ok = $2 where name = $1',
    values: [name, isOk],
  }
}
