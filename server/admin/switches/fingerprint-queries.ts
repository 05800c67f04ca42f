import type pg from 'pg'
import type { Statement } from '../../database/statement.ts'

export interface Fingerprint {
  variable: 'SECRET_PEPPERS' | 'ADMIN_KEYS'
  keyId: string
  fingerprint: Buffer
}

export const LIST_FINGERPRINTS: Statement<Fingerprint> = {
  text: 'select variable, key_id, fingerprint from directory.key_fingerprints',
  read: (row: { variable: Fingerprint['variable']; key_id: string; fingerprint: Buffer }) => ({
    variable: row.variable,
    keyId: row.key_id,
    fingerprint: row.fingerprint,
  }),
}

/** If two of these run concurrently, the second waits for the first and keeps what the first recorded. */
export function insertFingerprints(keys: readonly Fingerprint[]): pg.QueryConfig {
  const sorted = keys.toSorted((a, b) =>
    `${a.variable} ${a.keyId}` < `${b.variable} ${b.keyId}` ? -1 : 1,
  )
  return {
    text: `insert into directory.key_fingerprints (variable, key_id, fingerprint)
      select * from unnest($1::text[], $2::text[], $3::bytea[]) on conflict do nothing`,
    values: [
      sorted.map(({ variable }) => variable),
      sorted.map(({ keyId }) => keyId),
      sorted.map(({ fingerprint }) => fingerprint),
    ],
  }
}
