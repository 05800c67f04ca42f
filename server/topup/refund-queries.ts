import type pg from 'pg'
import type { Statement } from '../database/statement.ts'

export interface TopupRefund {
  id: string
  topupId: string
  intentId: string
  walletId: bigint
  amountMinor: bigint
  status: 'reserved' | 'refused' | 'sent' | 'released'
  /** null: the processor has not accepted it. */
  stripeId: string | null
}

interface RefundRow {
  id: string
  topup_id: string
  intent_id: string
  wallet_id: bigint
  amount: bigint
  status: TopupRefund['status']
  stripe_id: string | null
}

function readRefund(row: RefundRow): TopupRefund {
  return {
    id: row.id,
    topupId: row.topup_id,
    intentId: row.intent_id,
    walletId: row.wallet_id,
    amountMinor: row.amount,
    status: row.status,
    stripeId: row.stripe_id,
  }
}

const REFUND = 'r.id, r.topup_id, t.intent_id, t.wallet_id, r.amount, r.status, r.stripe_id'

/** Serializes the refunds of one top-up, so that each sees the ones before it. */
export function lockTopup(topupId: string): pg.QueryConfig {
  return {
    text: `select id from directory.topups where id = $1 and status = 'credited' for update`,
    values: [topupId],
  }
}

export interface NewRefund {
  id: string
  topupId: string
  amountMinor: bigint
  reason: string | null
}

/** Only for a credited top-up, and never more than its amount. */
export function insertRefund({
  id,
  topupId,
  amountMinor,
  reason,
}: NewRefund): Statement<TopupRefund> {
  return {
    text: `with r as (
        insert into directory.refunds (id, topup_id, amount, reason)
        select $3::uuid, id, $2::bigint, $4 from directory.topups
        where id = $1 and status = 'credited' and $2::bigint <= amount - (
          select coalesce(sum(amount), 0) from directory.refunds
          where topup_id = $1 and status in ('reserved', 'sent'))
        on conflict (id) do nothing
        returning *
      )
      select ${REFUND} from r join directory.topups t on t.id = r.topup_id`,
    values: [topupId, amountMinor, id, reason],
    read: readRefund,
  }
}

/** A refund that somebody made at the processor counts like our own. */
export function upsertProcessorRefund(
  topupId: string,
  amountMinor: bigint,
  status: 'sent' | 'released',
  stripeId: string,
): pg.QueryConfig {
  return {
    text: `insert into directory.refunds as r (topup_id, amount, status, stripe_id, made_at_processor)
      values ($1, $2, $3, $4, true)
      on conflict (stripe_id) do update set status = excluded.status where r.status = 'sent'`,
    values: [topupId, amountMinor, status, stripeId],
  }
}

export function findRefund(id: string): Statement<TopupRefund> {
  return {
    text: `select ${REFUND} from directory.refunds r join directory.topups t on t.id = r.topup_id where r.id = $1`,
    values: [id],
    read: readRefund,
  }
}

/** Takes the unfinished refunds that are due and sets when each is due again; the interval doubles each time. */
export function claimDueRefunds(most: number): Statement<TopupRefund> {
  return {
    text: `update directory.refunds r
      set checks = r.checks + 1,
        next_check_at = now() + least(interval '6 hours', interval '30 seconds' * 2 ^ least(r.checks, 10))
      from (
        select id from directory.refunds where status = 'reserved' and next_check_at <= now()
        order by next_check_at limit $1 for update skip locked
      ) due, directory.topups t
      where r.id = due.id and t.id = r.topup_id
      returning ${REFUND}`,
    values: [most],
    read: readRefund,
  }
}

/** A released or refused refund keeps its status: the ledger has decided. */
export function setRefundStatus(
  id: string,
  status: TopupRefund['status'],
  stripeId: string | null,
): pg.QueryConfig {
  return {
    text: `update directory.refunds set status = $2, stripe_id = coalesce($3, stripe_id)
      where id = $1 and status in ('reserved', 'sent') returning status`,
    values: [id, status, stripeId],
  }
}
