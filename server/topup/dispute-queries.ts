import type pg from 'pg'
import type { Statement } from '../database/statement.ts'

/** As text, which keeps the microseconds. */
export const READ_CLOCK: Statement<string> = {
  text: 'select clock_timestamp()::text as now',
  read: (row: { now: string }) => row.now,
}

export interface DisputeRecord {
  id: string
  topupId: string
  amountMinor: bigint
  status: string
  reason: string
  openedAt: Date
  respondBy: Date | null
  withdrawals: readonly string[]
  reinstatements: readonly string[]
  /** When it was requested from the processor. */
  requestedAt: string
}

/** Responses can arrive out of order: the one that was requested last wins. */
export function upsertDispute(dispute: DisputeRecord): pg.QueryConfig {
  return {
    text: `insert into directory.disputes as d
        (id, topup_id, amount, status, reason, opened_at, respond_by, withdrawals, reinstatements, asked_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      on conflict (id) do update set amount = excluded.amount, status = excluded.status, reason = excluded.reason,
        respond_by = excluded.respond_by, withdrawals = excluded.withdrawals,
        reinstatements = excluded.reinstatements, asked_at = excluded.asked_at
      where d.asked_at <= excluded.asked_at`,
    values: [
      dispute.id,
      dispute.topupId,
      dispute.amountMinor,
      dispute.status,
      dispute.reason,
      dispute.openedAt,
      dispute.respondBy,
      dispute.withdrawals,
      dispute.reinstatements,
      dispute.requestedAt,
    ],
  }
}
