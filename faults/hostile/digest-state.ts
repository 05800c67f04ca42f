/** The content of the database as one hash per table: if nothing was written, no hash differs. */
import type pg from 'pg'

/** Tables that change in the background or when the service is called, and why that is not a change of state. */
export const UNCOUNTED: Readonly<Record<string, string>> = {
  'directory.log_in_failures': 'counts login attempts',
  'directory.rate_limits': 'counts login attempts of all processes',
  'directory.passkey_challenges': 'random numbers for logins with a passkey, which expire',
  'directory.leases': 'which process does a background job',
  'directory.polled_events': 'progress of the job that polls events of the processor',
  'admin.audit_chain': 'the hashes of the audit log, which is counted itself',
  'admin.audit_tasks': 'progress of the background jobs on the audit log',
  'admin.passkey_challenges': 'random numbers for logins with a passkey, which expire',
  'admin.app_activity': 'counts origins and errors',
  'admin.secret_uses': 'when a secret was last accepted',
  'admin.traffic': 'counts responses for the overview',
  'books.days': 'totals of the ledger, updated in the background',
  'books.hours': 'totals of the ledger, updated in the background',
  'books.progress': 'progress of the totals and the continuous verifier',
  'books.verification': 'results of the continuous verifier',
  'books.totals': 'totals of the ledger, updated in the background',
  'ledger.clock': 'the earliest time of new operations, which the background moves ahead',
}
/** Entries of the audit log that record a read or a failed login, which change nothing else. */
const RECORDED_READS = [
  'audit.export',
  'operator.log_in_failed',
  'person.export_history',
  'person.list',
  'person.read',
  'person.read_history',
]
/** A column of logins and operators: when they were last seen. */
const UNCOUNTED_COLUMN = 'last_seen_at'

export type Digest = Record<string, string>

export async function digestState(admin: pg.ClientBase): Promise<Digest> {
  const { rows } = await admin.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables
     where schemaname in ('ledger', 'directory', 'admin', 'books') order by 1`,
  )
  const digest: Digest = {}
  for (const { name } of rows) {
    if (name in UNCOUNTED) continue
    const counted = await admin.query<{ hash: string }>(
      `select count(*) || ' rows ' || coalesce(md5(string_agg(row, E'\\n' order by row)), '') as hash
       from (select (to_jsonb(t) - '${UNCOUNTED_COLUMN}')::text as row from ${name} t
         where $2 <> 'admin.audit' or not to_jsonb(t) ->> 'action' = any($1::text[])) rows`,
      [RECORDED_READS, name],
    )
    digest[name] = counted.rows[0]?.hash ?? ''
  }
  return digest
}

/** The tables that differ. */
export function compareDigests(before: Digest, after: Digest): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names]
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name}: ${before[name]} before, ${after[name]} after`)
}
