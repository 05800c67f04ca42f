import type { Statement } from '../../database/statement.ts'
import type { RecordedMismatch, Kind, MismatchField } from '../types.ts'

interface MismatchRow {
  wallet_id: bigint | null
  kind: Kind
  amount: bigint
  differs: MismatchField[]
  attempted_at: Date
}

/** Newest first. */
export function findMismatches(digest: string, limit: number): Statement<RecordedMismatch> {
  return {
    text: `select wallet_id, kind, amount, differs, attempted_at from ledger.mismatches
      where digest = $1 order by id desc limit $2`,
    values: [digest, limit],
    read: (row: MismatchRow) => ({
      walletId: row.wallet_id,
      kind: row.kind,
      amountMinor: row.amount,
      differs: row.differs,
      attemptedAtMs: row.attempted_at.getTime(),
    }),
  }
}

/** Deletes at most so many of those older than 90 days. */
export function pruneMismatches(most: number): Statement<number> {
  return {
    text: 'select ledger.prune_mismatches($1::int) as rows',
    values: [most],
    read: (row: { rows: number }) => row.rows,
  }
}
