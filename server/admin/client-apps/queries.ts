import type { Scope } from '@coffer/contract/endpoint'
import type { OnMismatch } from '../../client-app/queries.ts'
import type { Restriction } from '../../client-app/restriction.ts'
import type { Statement } from '../../database/statement.ts'
import type { Pause } from '../../ledger/types.ts'
import { IN_USE } from '../app-change-queries.ts'
import { readAppPause, type AppPauseRow } from '../app-pause-queries.ts'

/** Counting stops here, so that the list stays fast however many users an app has. */
const LINKS_COUNTED_MAX = 10_000

export interface ListedApp {
  id: bigint
  clientId: string
  name: string
  isActive: boolean
  /** null: its writes are not paused. */
  pause: Pause | null
  scopes: Scope[]
  createdAt: Date
  lastUsedAt: Date | null
  linkedUsers: number
}

export interface App extends ListedApp {
  /** The ledger account of the app. */
  ledgerAccount: number
  allowedOrigins: string[]
  allowedIframeParents: string[]
  accentColor: string | null
  onMismatch: OnMismatch
  getsBalanceEvents: boolean
  contactEmails: string[]
  isInUse: boolean
  debitAlertAbove: bigint | null
  pausesOnDebitAlert: boolean
}

interface ListedAppRow extends AppPauseRow {
  id: bigint
  client_id: string
  name: string
  is_active: boolean
  scopes: Scope[]
  created_at: Date
  last_used_at: Date | null
  linked_users: bigint
}

interface SettingsRow {
  account_id: bigint
  allowed_origins: string[]
  allowed_iframe_parents: string[]
  accent_color: string | null
  on_mismatch: OnMismatch
  gets_balance_events: boolean
  contact_emails: string[]
  is_in_use: boolean
  debit_alert_above: bigint | null
  pauses_on_debit_alert: boolean
}

const LISTED = `a.id, a.client_id, a.name, a.is_active, a.paused_at, a.paused_by, a.pause_reason, a.scopes, a.created_at,
  (select max(u.used_at) from directory.client_secrets s join admin.secret_uses u on u.secret_id = s.id
    where s.client_app_id = a.id) as last_used_at,
  (select count(*) from (select 1 from directory.links l
    where l.client_app_id = a.id and l.ended_at is null limit ${LINKS_COUNTED_MAX}) x) as linked_users`
const SETTINGS = `a.account_id, a.allowed_origins, a.allowed_iframe_parents, a.accent_color, a.on_mismatch,
  a.balance_events_since is not null as gets_balance_events, a.contact_emails, a.debit_alert_above, a.pauses_on_debit_alert, ${IN_USE}`

function readListedApp(row: ListedAppRow): ListedApp {
  return {
    id: row.id,
    clientId: row.client_id,
    name: row.name,
    isActive: row.is_active,
    pause: readAppPause(row),
    scopes: row.scopes,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    linkedUsers: Number(row.linked_users),
  }
}

function readSettingsRow(row: SettingsRow) {
  return {
    ledgerAccount: Number(row.account_id),
    allowedOrigins: row.allowed_origins,
    allowedIframeParents: row.allowed_iframe_parents,
    accentColor: row.accent_color,
    onMismatch: row.on_mismatch,
    getsBalanceEvents: row.gets_balance_events,
    contactEmails: row.contact_emails,
    isInUse: row.is_in_use,
    debitAlertAbove: row.debit_alert_above,
    pausesOnDebitAlert: row.pauses_on_debit_alert,
  }
}

export interface AppSearch {
  /** An `ilike` pattern. */
  pattern: string | undefined
  isActive: boolean | undefined
  /** Only apps whose writes are paused. */
  isPaused?: boolean
  /** The last app of the previous page. */
  after: string | undefined
  limit: number
}

const NEWEST = '9223372036854775807'

/** Scans the primary key, newest first, and matches the search text against those rows. */
export function searchApps(search: AppSearch): Statement<ListedApp> {
  const { pattern, isActive, isPaused = false, after, limit } = search
  return {
    text: `select ${LISTED} from directory.client_apps a
      where a.id < coalesce((select c.id from directory.client_apps c where c.client_id = $1), $2::bigint)
        and ($3::boolean is null or a.is_active = $3)
        and ($4::text is null or a.name ilike $4 or a.client_id ilike $4)
        and (not $6::boolean or a.paused_at is not null)
      order by a.id desc limit $5`,
    values: [
      after ?? null,
      after === undefined ? NEWEST : '0',
      isActive ?? null,
      pattern ?? null,
      limit,
      isPaused,
    ],
    read: readListedApp,
  }
}

export function findApp(clientId: string): Statement<App> {
  return {
    text: `select ${LISTED}, ${SETTINGS} from directory.client_apps a where a.client_id = $1`,
    values: [clientId],
    read: (row: ListedAppRow & SettingsRow) => ({ ...readListedApp(row), ...readSettingsRow(row) }),
  }
}

export interface Secret {
  id: bigint
  createdAt: Date
  expiresAt: Date | null
  usedAt: Date | null
  restriction: Restriction | null
}

interface SecretRow {
  id: bigint
  created_at: Date
  expires_at: Date | null
  used_at: Date | null
  restriction: Restriction | null
}

/** The live secrets of an app. */
export function listSecrets(clientAppId: bigint): Statement<Secret> {
  return {
    text: `select s.id, s.created_at, s.expires_at, s.restriction, u.used_at
      from directory.client_secrets s left join admin.secret_uses u on u.secret_id = s.id
      where s.client_app_id = $1 and s.revoked_at is null and (s.expires_at is null or s.expires_at > now())
      order by s.id`,
    values: [clientAppId],
    read: (row: SecretRow) => ({
      id: row.id,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      usedAt: row.used_at,
      restriction: row.restriction,
    }),
  }
}

/** A rejected origin or an error that requests of the app ran into. */
export interface Seen {
  kind: 'origin' | 'error'
  value: string
  times: number
  lastAt: Date
}

interface SeenRow {
  kind: Seen['kind']
  value: string
  times: bigint
  last_at: Date
}

export function listSeen(clientAppId: bigint): Statement<Seen> {
  return {
    text: `select kind, value, times, last_at from admin.app_activity
      where client_app_id = $1 order by last_at desc, value`,
    values: [clientAppId],
    read: ({ kind, value, times, last_at: lastAt }: SeenRow) => ({
      kind,
      value,
      times: Number(times),
      lastAt,
    }),
  }
}

export interface WaitingLimit {
  grantId: string
  /** null: unlimited. */
  creditLimit: bigint | null
  /** The email of the operator who proposed it. */
  proposedBy: string
}

/** The newest request for a credit limit that waits for a second operator. */
export function findWaitingLimit(clientAppId: bigint): Statement<WaitingLimit> {
  return {
    text: `select g.id, g.credit_limit, o.email from admin.grants g join admin.operators o on o.id = g.proposed_by
      where g.kind = 'credit_limit' and g.status = 'open' and g.client_app_id = $1 order by g.proposed_at desc, g.id desc limit 1`,
    values: [clientAppId],
    read: (row: { id: string; credit_limit: bigint | null; email: string }) => ({
      grantId: row.id,
      creditLimit: row.credit_limit,
      proposedBy: row.email,
    }),
  }
}
