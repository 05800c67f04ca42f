import type pg from 'pg'

export interface TopupRow {
  id: string
  status: 'open' | 'credited' | 'ended'
  amount: bigint
  intent_id: string | null
  wallet_id: bigint
  service_user_id: bigint
  created_at: Date
  settled_at: Date | null
  settled_by: 'page' | 'webhook' | 'sweeper' | 'command' | null
  next_check_at: Date
  client_id: string
  app_name: string
  /** null: the person was erased. */
  person_name: string | null
  /** What was given back to the card, or is about to be. */
  refunded: bigint
  dispute_status: string | null
}

const OWN = `t.id, t.status, t.amount, t.intent_id, t.wallet_id, t.service_user_id, t.client_app_id, t.created_at,
  t.settled_at, t.settled_by, t.next_check_at, t.has_refund, t.has_dispute`
const SHOWN = `t.*, a.client_id, a.name as app_name, p.first_name || ' ' || p.last_name as person_name,
  case when t.has_refund then (select coalesce(sum(r.amount), 0) from directory.refunds r
    where r.topup_id = t.id and r.status in ('reserved', 'sent')) else 0 end::bigint as refunded,
  case when t.has_dispute then (select d.status from directory.disputes d
    where d.topup_id = t.id order by d.opened_at desc limit 1) end as dispute_status`
const AROUND = `join directory.client_apps a on a.id = t.client_app_id
  left join directory.people p on p.service_user_id = t.service_user_id`

export interface TopupSearch {
  /** Where a text is looked for, by what it looks like. */
  search: { as: 'email' | 'uuid' | 'id'; text: string } | undefined
  status: string | undefined
  having: 'refund' | 'dispute' | undefined
  personId: bigint | undefined
  clientId: string | undefined
  from: Date | undefined
  before: Date | undefined
  /** The top-up that the page before ended with. */
  after: string | undefined
  limit: number
}

const MATCHES = {
  email: (at: string) =>
    `t.service_user_id = (select e.service_user_id from directory.people e where lower(e.email) = lower(${at}))`,
  uuid: (at: string) =>
    `t.id in (${at}::uuid, (select r.topup_id from directory.refunds r where r.id = ${at}::uuid))`,
  id: (at: string) => `t.id in (select x.id from directory.topups x where x.intent_id = ${at}
    union all select r.topup_id from directory.refunds r where r.stripe_id = ${at}
    union all select d.topup_id from directory.disputes d where d.id = ${at})`,
}

/** Walks down the index that fits best, newest first. Only what is asked for stands in the statement. */
export function searchTopups(asked: TopupSearch): pg.QueryConfig {
  const values: unknown[] = []
  const conditions: string[] = []
  function demand(value: unknown, condition: (at: string) => string) {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`))
  }
  demand(asked.search?.text, MATCHES[asked.search?.as ?? 'id'])
  demand(asked.status, (at) => `t.status = ${at}`)
  demand(asked.personId, (at) => `t.service_user_id = ${at}`)
  demand(
    asked.clientId,
    (at) =>
      `t.client_app_id = (select c.id from directory.client_apps c where c.client_id = ${at})`,
  )
  demand(asked.from, (at) => `t.created_at >= ${at}`)
  demand(asked.before, (at) => `t.created_at < ${at}`)
  demand(
    asked.after,
    (at) =>
      `(t.created_at, t.id) < ((select l.created_at from directory.topups l where l.id = ${at}), ${at}::uuid)`,
  )
  if (asked.having !== undefined) conditions.push(`t.has_${asked.having}`)
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  return {
    text: `select ${SHOWN} from (
        select ${OWN} from directory.topups t ${where}
        order by t.created_at desc, t.id desc limit $${values.push(asked.limit)}
      ) t ${AROUND} order by t.created_at desc, t.id desc`,
    values,
  }
}

export function findTopup(id: string): pg.QueryConfig {
  return {
    text: `select ${SHOWN} from (select ${OWN} from directory.topups t where t.id = $1) t ${AROUND}`,
    values: [id],
  }
}

export interface RefundRow {
  id: string
  stripe_id: string | null
  status: 'reserved' | 'sent' | 'released' | 'refused'
  amount: bigint
  reason: string | null
  is_foreign: boolean
  created_at: Date
  next_check_at: Date
}
const REFUND = 'id, stripe_id, status, amount, reason, is_foreign, created_at, next_check_at'

export function listRefunds(topupId: string): pg.QueryConfig {
  return {
    text: `select ${REFUND} from directory.refunds where topup_id = $1 order by created_at, id`,
    values: [topupId],
  }
}

export function findRefund(id: string): pg.QueryConfig {
  return { text: `select ${REFUND} from directory.refunds where id = $1`, values: [id] }
}

export interface DisputeRow {
  id: string
  status: string
  reason: string
  amount: bigint
  opened_at: Date
  respond_by: Date | null
  withdrawals: string[]
  reinstatements: string[]
}

export function listDisputes(topupId: string): pg.QueryConfig {
  return {
    text: `select id, status, reason, amount, opened_at, respond_by, withdrawals, reinstatements
      from directory.disputes where topup_id = $1 order by opened_at, id`,
    values: [topupId],
  }
}

export interface FeeRow {
  source: string
  amount: bigint
  currency: string
}

export function listFees(topupId: string): pg.QueryConfig {
  return {
    text: `select source, amount, currency from directory.processor_fees
      where topup_id = $1 and amount <> 0 order by booked_at, id`,
    values: [topupId],
  }
}
