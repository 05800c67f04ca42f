import type { Statement } from '../../database/statement.ts'

export interface Topup {
  id: string
  status: 'open' | 'credited' | 'ended'
  amount: bigint
  intentId: string | null
  walletId: bigint
  createdAt: Date
  isAutomatic: boolean
  endedAt: Date | null
  reportedBy: 'page' | 'webhook' | 'sweeper' | 'command' | null
  nextCheckAt: Date
  /** `name` null: the person was erased. */
  person: { id: bigint; name: string | null }
  /** null: started at /account. */
  clientApp: { clientId: string; name: string } | null
  /** Refunded to the card, or reserved for a refund. */
  refunded: bigint
  disputeStatus: string | null
}

interface TopupRow {
  id: string
  status: Topup['status']
  amount: bigint
  intent_id: string | null
  wallet_id: bigint
  service_user_id: bigint
  created_at: Date
  is_automatic: boolean
  ended_at: Date | null
  reported_by: Topup['reportedBy']
  next_check_at: Date
  client_id: string | null
  app_name: string | null
  person_name: string | null
  refunded: bigint
  dispute_status: string | null
}

function readTopup(row: TopupRow): Topup {
  return {
    id: row.id,
    status: row.status,
    amount: row.amount,
    intentId: row.intent_id,
    walletId: row.wallet_id,
    createdAt: row.created_at,
    isAutomatic: row.is_automatic,
    endedAt: row.ended_at,
    reportedBy: row.reported_by,
    nextCheckAt: row.next_check_at,
    person: { id: row.service_user_id, name: row.person_name },
    clientApp:
      row.client_id === null ? null : { clientId: row.client_id, name: row.app_name ?? '' },
    refunded: row.refunded,
    disputeStatus: row.dispute_status,
  }
}

const OWN = `t.id, t.status, t.amount, t.intent_id, t.wallet_id, t.service_user_id, t.client_app_id, t.created_at,
  t.ended_at, t.reported_by, t.next_check_at, t.has_refund, t.has_dispute, t.is_automatic`
const SHOWN = `t.*, a.client_id, a.name as app_name, p.first_name || ' ' || p.last_name as person_name,
  case when t.has_refund then (select coalesce(sum(r.amount), 0) from directory.refunds r
    where r.topup_id = t.id and r.status in ('reserved', 'sent')) else 0 end::bigint as refunded,
  case when t.has_dispute then (select d.status from directory.disputes d
    where d.topup_id = t.id order by d.opened_at desc limit 1) end as dispute_status`
const AROUND = `left join directory.client_apps a on a.id = t.client_app_id
  left join directory.people p on p.service_user_id = t.service_user_id`

export interface TopupSearch {
  /** The columns to search depend on the format of the text. */
  search: { as: 'email' | 'uuid' | 'id'; text: string } | undefined
  status: string | undefined
  having: 'refund' | 'dispute' | undefined
  personId: bigint | undefined
  clientId: string | undefined
  from: Date | undefined
  before: Date | undefined
  /** The last top-up of the previous page. */
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

/** Scans the index that fits best, newest first. The statement contains only the conditions that are used. */
export function searchTopups(search: TopupSearch): Statement<Topup> {
  const values: unknown[] = []
  const conditions: string[] = []
  function addCondition(value: unknown, condition: (at: string) => string) {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`))
  }
  addCondition(search.search?.text, MATCHES[search.search?.as ?? 'id'])
  addCondition(search.status, (at) => `t.status = ${at}`)
  addCondition(search.personId, (at) => `t.service_user_id = ${at}`)
  addCondition(
    search.clientId,
    (at) =>
      `t.client_app_id = (select c.id from directory.client_apps c where c.client_id = ${at})`,
  )
  addCondition(search.from, (at) => `t.created_at >= ${at}`)
  addCondition(search.before, (at) => `t.created_at < ${at}`)
  addCondition(
    search.after,
    (at) =>
      `(t.created_at, t.id) < ((select l.created_at from directory.topups l where l.id = ${at}), ${at}::uuid)`,
  )
  if (search.having !== undefined) conditions.push(`t.has_${search.having}`)
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  return {
    text: `select ${SHOWN} from (
        select ${OWN} from directory.topups t ${where}
        order by t.created_at desc, t.id desc limit $${values.push(search.limit)}
      ) t ${AROUND} order by t.created_at desc, t.id desc`,
    values,
    read: readTopup,
  }
}

export function findTopup(id: string): Statement<Topup> {
  return {
    text: `select ${SHOWN} from (select ${OWN} from directory.topups t where t.id = $1) t ${AROUND}`,
    values: [id],
    read: readTopup,
  }
}

export interface Refund {
  id: string
  processorId: string | null
  status: 'reserved' | 'sent' | 'released' | 'refused'
  amount: bigint
  reason: string | null
  /** Made outside of this service, in the processor's dashboard. */
  isMadeAtProcessor: boolean
  createdAt: Date
  nextCheckAt: Date
}

interface RefundRow {
  id: string
  stripe_id: string | null
  status: Refund['status']
  amount: bigint
  reason: string | null
  made_at_processor: boolean
  created_at: Date
  next_check_at: Date
}
const REFUND = 'id, stripe_id, status, amount, reason, made_at_processor, created_at, next_check_at'

function readRefund(row: RefundRow): Refund {
  return {
    id: row.id,
    processorId: row.stripe_id,
    status: row.status,
    amount: row.amount,
    reason: row.reason,
    isMadeAtProcessor: row.made_at_processor,
    createdAt: row.created_at,
    nextCheckAt: row.next_check_at,
  }
}

export function listRefunds(topupId: string): Statement<Refund> {
  return {
    text: `select ${REFUND} from directory.refunds where topup_id = $1 order by created_at, id`,
    values: [topupId],
    read: readRefund,
  }
}

export function findRefund(id: string): Statement<Refund> {
  return {
    text: `select ${REFUND} from directory.refunds where id = $1`,
    values: [id],
    read: readRefund,
  }
}

export interface Dispute {
  id: string
  status: string
  reason: string
  amount: bigint
  openedAt: Date
  respondBy: Date | null
  withdrawals: string[]
  reinstatements: string[]
}

interface DisputeRow {
  id: string
  status: string
  reason: string
  amount: bigint
  opened_at: Date
  respond_by: Date | null
  withdrawals: string[]
  reinstatements: string[]
}

export function listDisputes(topupId: string): Statement<Dispute> {
  return {
    text: `select id, status, reason, amount, opened_at, respond_by, withdrawals, reinstatements
      from directory.disputes where topup_id = $1 order by opened_at, id`,
    values: [topupId],
    read: ({ opened_at: openedAt, respond_by: respondBy, ...dispute }: DisputeRow) => ({
      ...dispute,
      openedAt,
      respondBy,
    }),
  }
}

export interface Fee {
  source: string
  amount: bigint
  currency: string
}

export function listFees(topupId: string): Statement<Fee> {
  return {
    text: `select source, amount, currency from directory.processor_fees
      where topup_id = $1 and amount <> 0 order by booked_at, id`,
    values: [topupId],
    read: (row: Fee) => row,
  }
}
