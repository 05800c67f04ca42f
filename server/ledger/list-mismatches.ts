import type pg from 'pg'
import { findMismatches, type MismatchRow } from './mismatch-queries.ts'
import type { Attempt } from './types.ts'

export async function listMismatches(
  pool: pg.Pool,
  digest: string,
  limit: number,
): Promise<Attempt[]> {
  const { rows } = await pool.query<MismatchRow>(findMismatches(digest, limit))
  return rows.map((row) => ({
    walletId: row.wallet_id,
    kind: row.kind,
    amountMinor: row.amount,
    differs: row.differs,
    attemptedAtMs: row.attempted_at.getTime(),
  }))
}
