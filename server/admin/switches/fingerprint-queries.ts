import type pg from 'pg'
import type { Statement } from '../../database/statement.ts'

export interface KeyName {
  variable: 'SECRET_PEPPERS' | 'ADMIN_KEYS'
  keyId: string
}

export interface Fingerprint extends KeyName {
  fingerprint: Buffer
}

export interface RecordedKey extends Fingerprint {
  /** null: never. */
  copyCheckedAt: Date | null
}

interface RecordedRow {
  variable: KeyName['variable']
  key_id: string
  fingerprint: Buffer
  copy_checked_at: Date | null
}

export const LIST_FINGERPRINTS: Statement<RecordedKey> = {
  text: 'select variable, key_id, fingerprint, copy_checked_at from directory.key_fingerprints order by variable desc, key_id',
  read: (row: RecordedRow) => ({
    variable: row.variable,
    keyId: row.key_id,
    fingerprint: row.fingerprint,
    copyCheckedAt: row.copy_checked_at,
  }),
}

export function setCopyChecked(keys: readonly KeyName[]): pg.QueryConfig {
  return {
    text: `update directory.key_fingerprints f set copy_checked_at = now()
      from unnest($1::text[], $2::text[]) as k (variable, key_id)
      where f.variable = k.variable and f.key_id = k.key_id`,
    values: [keys.map(({ variable }) => variable), keys.map(({ keyId }) => keyId)],
  }
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
