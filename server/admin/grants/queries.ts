import type { Statement } from '../../database/statement.ts'
import type { Refusal } from '../../ledger/types.ts'
import type { AppChange } from '../app-change.ts'

/** The operation kinds of the ledger that operators post. */
export type MoneyKind = 'bonus' | 'correction_in' | 'correction_out'
export type GrantStatus = 'open' | 'approved' | 'posted' | 'refused' | 'rejected' | 'withdrawn'

interface AnyGrant {
  id: string
  reason: string
  needsSecond: boolean
  status: GrantStatus
  proposerId: bigint
  proposedAt: Date
  secondOperatorId: bigint | null
  decidedAt: Date | null
  declinedBecause: string | null
  refusal: Refusal | null
}

/** Money for a person, which the ledger posts. */
export interface MoneyGrant extends AnyGrant {
  kind: MoneyKind | 'hold_release'
  userId: bigint
  walletId: bigint
  amount: bigint
  /** The digest of the hold that is released. */
  hold: string | null
}

/** A credit limit for a client app, which takes effect in the transaction that decides it. */
export interface LimitGrant extends AnyGrant {
  kind: 'credit_limit'
  clientAppId: bigint
  /** The new limit; null: unlimited. */
  creditLimit: bigint | null
  /** The increase; null: to unlimited. */
  amount: bigint | null
}

/** A change to a client app, which takes effect in the transaction that decides it. */
export interface AppChangeGrant extends AnyGrant {
  kind: 'app_change'
  clientAppId: bigint
  change: AppChange
  amount: null
}

export type Grant = MoneyGrant | LimitGrant | AppChangeGrant

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

interface MoneyGrantRow extends AnyGrantRow {
  kind: MoneyGrant['kind']
  service_user_id: bigint
  wallet_id: bigint
  amount: bigint
  hold: string | null
}

interface LimitGrantRow extends AnyGrantRow {
  kind: 'credit_limit'
  client_app_id: bigint
  credit_limit: bigint | null
  amount: bigint | null
}

interface AppChangeGrantRow extends AnyGrantRow {
  kind: 'app_change'
  client_app_id: bigint
  change: AppChange
}

export type GrantRow = MoneyGrantRow | LimitGrantRow | AppChangeGrantRow
export const GRANT = `g.id, g.service_user_id, g.wallet_id, g.kind, g.amount, g.reason, g.needs_second, g.status,
  g.proposed_by, g.proposed_at, g.second_operator, g.decided_at, g.declined_because, g.refusal, g.client_app_id,
  g.credit_limit, g.change, g.hold`

export function readGrant(row: GrantRow): Grant {
  if (row.kind === 'app_change') return readAppChangeGrant(row)
  return row.kind === 'credit_limit' ? readLimitGrant(row) : readMoneyGrant(row)
}

function readMoneyGrant(row: MoneyGrantRow): MoneyGrant {
  const { kind, amount } = row
  const { service_user_id: userId, wallet_id: walletId } = row
  const hold = row.hold && row.hold.replaceAll('-', '')
  return { ...readAnyGrant(row), kind, amount, userId, walletId, hold }
}

function readLimitGrant(row: LimitGrantRow): LimitGrant {
  const { kind, amount } = row
  const { client_app_id: clientAppId, credit_limit: creditLimit } = row
  return { ...readAnyGrant(row), kind, amount, clientAppId, creditLimit }
}

function readAppChangeGrant(row: AppChangeGrantRow): AppChangeGrant {
  const { kind, change } = row
  return { ...readAnyGrant(row), kind, change, clientAppId: row.client_app_id, amount: null }
}

function readAnyGrant(row: AnyGrantRow): AnyGrant {
  return {
    id: row.id,
    reason: row.reason,
    needsSecond: row.needs_second,
    status: row.status,
    proposerId: row.proposed_by,
    proposedAt: row.proposed_at,
    secondOperatorId: row.second_operator,
    decidedAt: row.decided_at,
    declinedBecause: row.declined_because,
    refusal: row.refusal,
  }
}

/** The row lock writes WAL, so whatever is read here is on the standby once the transaction commits. */
export function lockGrant(id: string): Statement<Grant> {
  return {
    text: `select ${GRANT} from admin.grants g where g.id = $1 for update`,
    values: [id],
    read: readGrant,
  }
}

/** Keeps the person from being erased until the transaction ends. Returns no row if the person is already erased. */
export function lockPerson(userId: bigint): Statement<{ walletId: bigint }> {
  return {
    text: `select u.wallet_id from directory.people p join directory.service_users u on u.id = p.service_user_id
      where p.service_user_id = $1 for share of p`,
    values: [userId],
    read: (row: { wallet_id: bigint }) => ({ walletId: row.wallet_id }),
  }
}

export type NewGrant = Pick<
  MoneyGrant,
  'id' | 'userId' | 'walletId' | 'kind' | 'amount' | 'reason' | 'needsSecond' | 'proposerId'
> &
  Partial<Pick<MoneyGrant, 'hold'>>

export function insertGrant(grant: NewGrant): Statement<MoneyGrant> {
  return {
    text: `insert into admin.grants as g
        (id, service_user_id, wallet_id, kind, amount, reason, proposed_by, needs_second, status, decided_at, hold)
      values ($1, $2, $3, $4, $5, $6, $7, $8::boolean, case when $8::boolean then 'open' else 'approved' end,
        case when $8::boolean then null else clock_timestamp() end, $9)
      returning ${GRANT}`,
    values: [
      grant.id,
      grant.userId,
      grant.walletId,
      grant.kind,
      grant.amount,
      grant.reason,
      grant.proposerId,
      grant.needsSecond,
      grant.hold ?? null,
    ],
    read: readMoneyGrant,
  }
}

export function setApproved(id: string, secondOperatorId: bigint): Statement<MoneyGrant> {
  return {
    text: `update admin.grants g set status = 'approved', second_operator = $2, decided_at = clock_timestamp()
      where g.id = $1 and g.status = 'open' returning ${GRANT}`,
    values: [id, secondOperatorId],
    read: readMoneyGrant,
  }
}

/** The caller changes the limit, or the client app, in the same transaction. */
export function setLimitApproved(id: string, secondOperatorId: bigint): Statement<LimitGrant> {
  return { ...setInEffect(id, secondOperatorId), read: readLimitGrant }
}

export function setChangeApproved(id: string, secondOperatorId: bigint): Statement<AppChangeGrant> {
  return { ...setInEffect(id, secondOperatorId), read: readAppChangeGrant }
}

function setInEffect(id: string, secondOperatorId: bigint) {
  return {
    text: `update admin.grants g set status = 'posted', second_operator = $2, decided_at = clock_timestamp()
      where g.id = $1 and g.status = 'open' returning ${GRANT}`,
    values: [id, secondOperatorId],
  }
}

/** `by` null: the proposer withdraws the request. */
export function setDeclined(id: string, by: bigint | null, because: string) {
  return {
    text: `update admin.grants set status = case when $2::bigint is null then 'withdrawn' else 'rejected' end,
        second_operator = $2, declined_because = $3, decided_at = clock_timestamp()
      where id = $1 and status = 'open'`,
    values: [id, by, because],
  }
}

/** Stores the ledger's decision. Changes no row if it is already stored. */
export function storeDecision(id: string, refusal: Refusal | null) {
  return {
    text: `update admin.grants set refusal = $2::text, status = case when $2::text is null then 'posted' else 'refused' end
      where id = $1 and status = 'approved'`,
    values: [id, refusal],
  }
}

/** Grants that were decided but not posted. Always money: a credit limit takes effect when it is decided. */
export function findApproved(limit: number): Statement<MoneyGrant> {
  return {
    text: `select ${GRANT} from admin.grants g where g.status = 'approved'
      order by g.proposed_at, g.id limit $1`,
    values: [limit],
    read: readMoneyGrant,
  }
}

export interface LimitApp {
  clientId: string
  name: string
  contactEmails: string[]
  ledgerAccount: number
}

interface LimitAppRow {
  client_id: string
  name: string
  contact_emails: string[]
  account_id: bigint
}

export function findLimitApp(clientAppId: bigint): Statement<LimitApp> {
  return {
    text: 'select client_id, name, contact_emails, account_id from directory.client_apps where id = $1',
    values: [clientAppId],
    read: (row: LimitAppRow) => ({
      clientId: row.client_id,
      name: row.name,
      contactEmails: row.contact_emails,
      ledgerAccount: Number(row.account_id),
    }),
  }
}
