import type pg from 'pg'

/** As text, which keeps the microseconds. */
export const READ_CLOCK = 'select clock_timestamp()::text as now'

export interface DisputeNote {
  id: string
  topupId: string
  amountMinor: bigint
  status: string
  reason: string
  openedAt: Date
  respondBy: Date | null
  withdrawals: readonly string[]
  reinstatements: readonly string[]
  askedAt: string
}

/** Answers may overtake each other: the one that was asked for last stands. */
export function noteDispute(note: DisputeNote): pg.QueryConfig {
  return {
    text: `insert into directory.disputes as d
        (id, topup_id, amount, status, reason, opened_at, respond_by, withdrawals, reinstatements, asked_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      on conflict (id) do update set amount = excluded.amount, status = excluded.status, reason = excluded.reason,
        respond_by = excluded.respond_by, withdrawals = excluded.withdrawals,
        reinstatements = excluded.reinstatements, asked_at = excluded.asked_at
      where d.asked_at <= excluded.asked_at`,
    values: [
      note.id,
      note.topupId,
      note.amountMinor,
      note.status,
      note.reason,
      note.openedAt,
      note.respondBy,
      note.withdrawals,
      note.reinstatements,
      note.askedAt,
    ],
  }
}
