import type pg from 'pg'
import type { Expired } from '../database/prune.ts'
import type { Statement } from '../database/statement.ts'

/** Which attempts are counted together: those of one kind on one email, in one scope. */
export interface Attempted {
  /** Keeps the counts of different kinds apart. */
  kind: 'log-in' | 'mail' | 'reset' | 'notice' | 'admin-log-in' | 'admin-code'
  email: string
  scope?: string | undefined
  /** Without it, nobody can find out whose attempts a row counts. */
  key: Buffer
}

function labelOf({ kind, scope }: Attempted): string {
  return scope === undefined ? kind : `${kind} ${scope}`
}

/**
 * The hash is made here and not in JavaScript, because accounts are found by PostgreSQL's lower(), which gives other
 * results for some letters. Every spelling that finds an account must raise the same count.
 */
const EMAIL_HASH = `sha256($3::bytea || sha256(convert_to($1::text || ' ' || lower($2::text), 'UTF8')))`

function hashedBy(attempted: Attempted): unknown[] {
  return [labelOf(attempted), attempted.email, attempted.key]
}

/**
 * Counts an attempt before it is made; a row means that it is allowed. The first few are free; then the wait doubles
 * with each, up to `mostSeconds`. Concurrent attempts are serialized by the row lock, so the clock is read after the
 * lock was obtained and not at the start of the transaction.
 */
export function admitAttempt(
  attempted: Attempted,
  free: number,
  mostSeconds: number,
): pg.QueryConfig {
  return {
    name: 'admit-attempt',
    text: `insert into directory.log_in_failures as f (email_hash, failures, blocked_until)
      values (${EMAIL_HASH}, 1, now())
      on conflict (email_hash) do update
      set failures = f.failures + 1,
        blocked_until = now() + make_interval(secs =>
          case when f.failures < $4::int then 0 else least($5::int, 2 ^ least(f.failures - $4::int, 20)) end)
      where f.blocked_until <= clock_timestamp()
      returning failures`,
    values: [...hashedBy(attempted), free, mostSeconds],
  }
}

export function readWait(attempted: Attempted): Statement<number> {
  return {
    text: `select ceil(extract(epoch from blocked_until - now()))::int as seconds
      from directory.log_in_failures where email_hash = ${EMAIL_HASH}`,
    values: hashedBy(attempted),
    read: (row: { seconds: number }) => row.seconds,
  }
}

export function deleteFailures(attempted: Attempted): pg.QueryConfig {
  return {
    name: 'delete-failures',
    text: `delete from directory.log_in_failures where email_hash = ${EMAIL_HASH}`,
    values: hashedBy(attempted),
  }
}

export const OLD_FAILURES: Expired = {
  table: 'directory.log_in_failures',
  where: `blocked_until < now() - interval '1 day'`,
}
