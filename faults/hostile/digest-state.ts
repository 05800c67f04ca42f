/** What the database says, in one hash per table: if nothing was written, nothing differs. */
import type pg from 'pg'

/** Tables that change by themselves or by being asked, and why that is no change of state. */
export const UNCOUNTED: Readonly<Record<string, string>> = {
  'directory.log_in_failures': 'counts how often somebody tried to log in',
  'directory.turns': 'when the background chores run next',
  'admin.seen': 'counts which origins and errors were seen',
  'admin.secret_uses': 'when a secret was last accepted',
  'admin.traffic': 'counts answers for the overview',
  'books.days': 'sums of the ledger, brought up to date in the background',
  'books.hours': 'sums of the ledger, brought up to date in the background',
  'books.progress': 'how far those sums and the running verifier are',
  'books.proof': 'what the running verifier found',
  'books.totals': 'sums of the ledger, brought up to date in the background',
}
/** A column of log-ins and operators: when they were last seen. */
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
       from (select (to_jsonb(t) - '${UNCOUNTED_COLUMN}')::text as row from ${name} t) rows`,
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
