import type pg from 'pg'

/** Which attempts are counted together: those of one kind on one email. */
export interface Attempted {
  /** Keeps the counts of different kinds apart. */
  kind: 'log-in' | 'mail' | 'admin-log-in' | 'admin-code'
  email: string
}

/**
 * The hash is made here and not in JavaScript, because accounts are found by PostgreSQL's lower(), which gives other
 * results for some letters. Every spelling that finds an account must raise the same count.
 */
const EMAIL_HASH = `sha256(convert_to($1::text || ' ' || lower($2::text), 'UTF8'))`

/**
 * Counts an attempt before it is made and says whether it may be. The first few are free; then the pause doubles with
 * each, up to `mostSeconds`. Attempts at once come one after the other on the row, and one that waited there must
 * not be judged by the time at which it began to wait.
 */
export function admitAttempt(
  { kind, email }: Attempted,
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
          case when f.failures < $3::int then 0 else least($4::int, 2 ^ least(f.failures - $3::int, 20)) end)
      where f.blocked_until <= clock_timestamp()
      returning failures`,
    values: [kind, email, free, mostSeconds],
  }
}

export function readPause({ kind, email }: Attempted): pg.QueryConfig {
  return {
    text: `select ceil(extract(epoch from blocked_until - now()))::int as seconds
      from directory.log_in_failures where email_hash = ${EMAIL_HASH}`,
    values: [kind, email],
  }
}

export function forgiveFailures({ kind, email }: Attempted): pg.QueryConfig {
  return {
    name: 'forgive-failures',
    text: `delete from directory.log_in_failures where email_hash = ${EMAIL_HASH}`,
    values: [kind, email],
  }
}

export const DELETE_OLD_FAILURES = `delete from directory.log_in_failures where blocked_until < now() - interval '1 day'`
