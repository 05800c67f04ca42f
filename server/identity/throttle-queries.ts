import type pg from 'pg'

/**
 * Counts an attempt before it is made and says whether it may be. The first few are free; then the pause doubles with
 * each, up to `mostSeconds`. Attempts at once come one after the other on the row, and one that waited there must
 * not be judged by the time at which it began to wait.
 */
export function admitAttempt(emailHash: Buffer, free: number, mostSeconds: number): pg.QueryConfig {
  return {
    name: 'admit-attempt',
    text: `insert into directory.log_in_failures as f (email_hash, failures, blocked_until)
      values ($1, 1, now())
      on conflict (email_hash) do update
      set failures = f.failures + 1,
        blocked_until = now() + make_interval(secs =>
          case when f.failures < $2::int then 0 else least($3::int, 2 ^ least(f.failures - $2::int, 20)) end)
      where f.blocked_until <= clock_timestamp()
      returning failures`,
    values: [emailHash, free, mostSeconds],
  }
}

export function readPause(emailHash: Buffer): pg.QueryConfig {
  return {
    text: `select ceil(extract(epoch from blocked_until - now()))::int as seconds
      from directory.log_in_failures where email_hash = $1`,
    values: [emailHash],
  }
}

export function forgiveFailures(emailHash: Buffer): pg.QueryConfig {
  return {
    name: 'forgive-failures',
    text: 'delete from directory.log_in_failures where email_hash = $1',
    values: [emailHash],
  }
}

export const DELETE_OLD_FAILURES = `delete from directory.log_in_failures where blocked_until < now() - interval '1 day'`
