/** Which background jobs the service under test may do. */
import type pg from 'pg'

/** The service starts no further round of these jobs, so that only the test does their work. */
export async function blockJobs(admin: pg.ClientBase, jobs: readonly string[]): Promise<void> {
  await admin.query(
    `insert into directory.leases (job, holder, held_until)
      select unnest($1::text[]), gen_random_uuid(), 'infinity'
      on conflict (job) do update set holder = excluded.holder, held_until = excluded.held_until`,
    [jobs],
  )
}

/** The service may do them again, within seconds. */
export async function unblockJobs(admin: pg.ClientBase, jobs: readonly string[]): Promise<void> {
  await admin.query('delete from directory.leases where job = any($1::text[])', [jobs])
}
