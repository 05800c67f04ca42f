import type { Role } from '@coffer/contract/admin/endpoint'
import type { Refusal } from '../../ledger/types.ts'
import type pg from 'pg'

/** The kinds of the ledger that operators post. */
export type MoneyKind = 'bonus' | 'correction_in' | 'correction_out'
export type GrantStatus = 'open' | 'approved' | 'posted' | 'refused' | 'rejected' | 'withdrawn'

interface AnyGrantRow {
  id: string
  reason: string
  needs_second: boolean
  status: GrantStatus
  proposed_by: bigint
  proposed_at: Date
  second_operator: bigint | null
  decided_at: Date | null
  declined_because: string | null
  refusal: Refusal | null
}

/** Money for a person, which the ledger posts. */
export interface MoneyGrantRow extends AnyGrantRow {
  kind: MoneyKind
  service_user_id: bigint
  wallet_id: bigint
  amount: bigint
}

/** A credit limit for a client app, which takes effect in the transaction that decides it. */
export interface LimitGrantRow extends AnyGrantRow {
  kind: 'credit_limit'
  client_app_id: bigint
  /** What the limit becomes; null: unlimited. */
  credit_limit: bigint | null
  /** By how much it is raised; null: unlimited. */
  amount: bigint | null
}

export type GrantRow = MoneyGrantRow | LimitGrantRow
export const GRANT = `g.id, g.service_user_id, g.wallet_id, g.kind, g.amount, g.reason, g.needs_second, g.status,
  g.proposed_by, g.proposed_at, g.second_operator, g.decided_at, g.declined_because, g.refusal, g.client_app_id,
  g.credit_limit`

/** One at a time decides whether the limit allows a grant, so that nobody's sum is counted twice at once. */
export const LOCK_GRANTS = 'select pg_advisory_xact_lock(8120463775192604)'

/** What is read under the lock has reached the standby when the transaction has committed: the lock writes to the log. */
export function lockGrant(id: string): pg.QueryConfig {
  return {
    text: `select ${GRANT} from admin.grants g where g.id = $1 for update`,
    values: [id],
  }
}

/** Keeps the person there until the grant is written down; nothing if the account is deleted. */
export function holdPerson(userId: bigint): pg.QueryConfig {
  return {
    text: `select u.wallet_id from directory.people p join directory.service_users u on u.id = p.service_user_id
      where p.service_user_id = $1 for share of p`,
    values: [userId],
  }
}

/** Those of them who may give money now; they keep that right until the transaction ends. */
export function holdGivers(ids: readonly bigint[]): pg.QueryConfig {
  return {
    text: `select id from admin.operators
      where id = any($1::bigint[]) and is_active and role in ('owner', 'operator') order by id for share`,
    values: [ids],
  }
}

export interface OperatorTiesRow {
  id: bigint
  email: string
  role: Role
  is_active: boolean
  created_by: bigint | null
  /** As text: the driver's own way with arrays. */
  reset_by: string[]
}

/** Operators are few. */
export const READ_TIES = `select o.id, o.email, o.role, o.is_active, o.created_by,
    array(select r.reset_by from admin.operator_resets r where r.operator_id = o.id order by r.reset_by) as reset_by
  from admin.operators o order by o.id`

export function insertReset(operatorId: bigint, resetBy: bigint): pg.QueryConfig {
  return {
    text: `insert into admin.operator_resets (operator_id, reset_by) select $1::bigint, $2::bigint where $1::bigint <> $2::bigint
      on conflict do nothing`,
    values: [operatorId, resetBy],
  }
}

/**
 * What these operators gave and took without a second one, and by how much they raised credit limits. What the wallets
 * refused does not count, and lowering a limit takes nothing off.
 */
export function sumWithoutSecond(operatorIds: readonly bigint[]): pg.QueryConfig {
  return {
    text: `select coalesce(sum(amount), 0)::bigint as sum from admin.grants
      where proposed_by = any($1::bigint[]) and not needs_second and status in ('approved', 'posted')
        and decided_at > clock_timestamp() - interval '24 hours'`,
    values: [operatorIds],
  }
}

export type NewGrant = Pick<
  MoneyGrantRow,
  'id' | 'service_user_id' | 'wallet_id' | 'kind' | 'amount' | 'reason' | 'needs_second'
> & { proposed_by: bigint }

export function insertGrant(grant: NewGrant): pg.QueryConfig {
  return {
    text: `insert into admin.grants as g
        (id, service_user_id, wallet_id, kind, amount, reason, proposed_by, needs_second, status, decided_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8::boolean, case when $8::boolean then 'open' else 'approved' end,
        case when $8::boolean then null else clock_timestamp() end)
      returning ${GRANT}`,
    values: [
      grant.id,
      grant.service_user_id,
      grant.wallet_id,
      grant.kind,
      grant.amount,
      grant.reason,
      grant.proposed_by,
      grant.needs_second,
    ],
  }
}

export function setApproved(id: string, secondOperator: bigint): pg.QueryConfig {
  return {
    text: `update admin.grants g set status = 'approved', second_operator = $2, decided_at = clock_timestamp()
      where g.id = $1 and g.status = 'open' returning ${GRANT}`,
    values: [id, secondOperator],
  }
}

/** null as second operator: the proposer withdraws it. */
export function setDeclined(id: string, by: bigint | null, because: string): pg.QueryConfig {
  return {
    text: `update admin.grants set status = case when $2::bigint is null then 'withdrawn' else 'rejected' end,
        second_operator = $2, declined_because = $3, decided_at = clock_timestamp()
      where id = $1 and status = 'open'`,
    values: [id, by, because],
  }
}

/** What the ledger said; nothing is changed if somebody noted it before. */
export function setSettled(id: string, refusal: Refusal | null): pg.QueryConfig {
  return {
    text: `update admin.grants set refusal = $2::text, status = case when $2::text is null then 'posted' else 'refused' end
      where id = $1 and status = 'approved'`,
    values: [id, refusal],
  }
}

/** Those that stopped half-way: money only, because a credit limit is never between two states. */
export function findApproved(most: number): pg.QueryConfig {
  return {
    text: `select ${GRANT} from admin.grants g where g.status = 'approved'
      order by g.proposed_at, g.id limit $1`,
    values: [most],
  }
}

export type ListedGrantRow = GrantRow & {
  first_name: string | null
  last_name: string | null
  email: string | null
  client_id: string | null
  app_name: string | null
}

export interface GrantSearch {
  state: 'waiting' | 'decided' | undefined
  userId: bigint | undefined
  /** A pattern of `ilike`. */
  pattern: string | undefined
  /** The grant that the page before ended with. */
  after: string | undefined
  limit: number
}

const STATES = {
  waiting: `and g.status in ('open', 'approved')`,
  decided: `and g.status not in ('open', 'approved')`,
}

/** Walks down an index by time; the words are looked for in what it yields. */
export function searchGrants(search: GrantSearch): pg.QueryConfig {
  const { state, userId, pattern, after, limit } = search
  return {
    text: `select ${GRANT}, p.first_name, p.last_name, p.email, a.client_id, a.name as app_name
      from admin.grants g left join directory.people p on p.service_user_id = g.service_user_id
        left join directory.client_apps a on a.id = g.client_app_id
      where ($1::uuid is null or (g.proposed_at, g.id) < ((select c.proposed_at from admin.grants c where c.id = $1), $1))
        ${state === undefined ? '' : STATES[state]}
        ${userId === undefined ? 'and $2::bigint is null' : 'and g.service_user_id = $2'}
        and ($3::text is null or g.reason ilike $3 or p.email ilike $3 or p.first_name || ' ' || p.last_name ilike $3
          or a.name ilike $3 or a.client_id ilike $3
          or exists (select from admin.operators o
            where o.id in (g.proposed_by, g.second_operator) and (o.email ilike $3 or o.name ilike $3)))
      order by g.proposed_at desc, g.id desc limit $4`,
    values: [after ?? null, userId ?? null, pattern ?? null, limit],
  }
}
