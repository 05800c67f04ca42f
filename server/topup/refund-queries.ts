import type pg from 'pg'

export interface RefundRow {
  id: string
  topup_id: string
  intent_id: string
  wallet_id: bigint
  amount: bigint
  status: 'reserved' | 'refused' | 'sent' | 'released'
}
const REFUND = 'r.id, r.topup_id, t.intent_id, t.wallet_id, r.amount, r.status'

/** Makes refunds of one top-up take turns, so that each sees those before it. */
export function lockTopup(topupId: string): pg.QueryConfig {
  return { text: 'select id from directory.topups where id = $1 for update', values: [topupId] }
}

/** Of a top-up that was credited, and never more than it was. */
export function insertRefund(topupId: string, amountMinor: bigint): pg.QueryConfig {
  return {
    text: `with r as (
        insert into directory.refunds (topup_id, amount)
        select id, $2::bigint from directory.topups
        where id = $1 and status = 'credited' and $2::bigint <= amount - (
          select coalesce(sum(amount), 0) from directory.refunds
          where topup_id = $1 and status in ('reserved', 'sent'))
        returning *
      )
      select ${REFUND} from r join directory.topups t on t.id = r.topup_id`,
    values: [topupId, amountMinor],
  }
}

export function findRefund(id: string): pg.QueryConfig {
  return {
    text: `select ${REFUND} from directory.refunds r join directory.topups t on t.id = r.topup_id where r.id = $1`,
    values: [id],
  }
}

/** Those that stopped half-way, for whoever has time to finish them. */
export function findReservedRefunds(most: number): pg.QueryConfig {
  return {
    text: `select ${REFUND} from directory.refunds r join directory.topups t on t.id = r.topup_id
      where r.status = 'reserved' and r.created_at < now() - interval '30 seconds' order by r.created_at limit $1`,
    values: [most],
  }
}

/** Never back from released or refused: the ledger has decided. */
export function setRefundStatus(
  id: string,
  status: RefundRow['status'],
  stripeId: string | null,
): pg.QueryConfig {
  return {
    text: `update directory.refunds set status = $2, stripe_id = coalesce($3, stripe_id)
      where id = $1 and status in ('reserved', 'sent') returning status`,
    values: [id, status, stripeId],
  }
}
