import type pg from 'pg'
import type { Kind, MismatchField } from './types.ts'

export interface MismatchRow {
  wallet_id: bigint | null
  kind: Kind
  amount: bigint
  differs: MismatchField[]
  attempted_at: Date
}

export function findMismatches(digest: string, limit: number): pg.QueryConfig {
  return {
    text: `select wallet_id, kind, amount, differs, attempted_at from ledger.mismatches
      where digest = $1 order by id desc limit $2`,
    values: [digest, limit],
  }
}
