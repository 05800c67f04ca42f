import type { Scope } from '@coffer/contract/endpoint'
import type pg from 'pg'

/** Beyond so many nobody counts: the list stays quick whatever the apps have become. */
const LINKS_COUNTED_MAX = 10_000

export interface ListedAppRow {
  id: bigint
  client_id: string
  name: string
  is_active: boolean
  paused_at: Date | null
  paused_by: string | null
  pause_reason: string | null
  scopes: Scope[]
  created_at: Date
  last_used_at: Date | null
  linked_users: bigint
}

export interface AppRow extends ListedAppRow {
  account_id: bigint
  allowed_origins: string[]
  allowed_iframe_parents: string[]
  accent_color: string | null
}

const LISTED = `a.id, a.client_id, a.name, a.is_active, a.paused_at, a.paused_by, a.pause_reason, a.scopes, a.created_at,
  (select max(u.used_at) from directory.client_secrets s join admin.secret_uses u on u.secret_id = s.id
    where s.client_app_id = a.id) as last_used_at,
  (select count(*) from (select 1 from directory.links l
    where l.client_app_id = a.id and l.ended_at is null limit ${LINKS_COUNTED_MAX}) x) as linked_users`
const SETTINGS = 'a.account_id, a.allowed_origins, a.allowed_iframe_parents, a.accent_color'

export interface AppSearch {
  /** A pattern of `ilike`. */
  pattern: string | undefined
  isActive: boolean | undefined
  /** Only those whose writes are paused. */
  isPaused?: boolean
  /** The app that the page before ended with. */
  after: string | undefined
  limit: number
}

const NEWEST = '9223372036854775807'

/** Walks down the primary key, newest first; the words are looked for in what it yields. */
export function searchApps(search: AppSearch): pg.QueryConfig {
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
  }
}

export function findApp(clientId: string): pg.QueryConfig {
  return {
    text: `select ${LISTED}, ${SETTINGS} from directory.client_apps a where a.client_id = $1`,
    values: [clientId],
  }
}

export type AppSettingsRow = Omit<
  AppRow,
  'last_used_at' | 'linked_users' | 'paused_at' | 'paused_by' | 'pause_reason'
>

export function lockApp(clientId: string): pg.QueryConfig {
  return {
    text: `select a.id, a.client_id, a.name, a.is_active, a.scopes, a.created_at, ${SETTINGS}
      from directory.client_apps a where a.client_id = $1 for update`,
    values: [clientId],
  }
}

export interface AppSettings {
  name: string
  scopes: readonly Scope[]
  allowedOrigins: readonly string[]
  allowedIframeParents: readonly string[]
  accentColor: string | null
}

export function setAppSettings(clientId: string, settings: AppSettings): pg.QueryConfig {
  const { name, scopes, allowedOrigins, allowedIframeParents, accentColor } = settings
  return {
    text: `update directory.client_apps set name = $2, scopes = $3, allowed_origins = $4,
        allowed_iframe_parents = $5, accent_color = $6
      where client_id = $1`,
    values: [clientId, name, scopes, allowedOrigins, allowedIframeParents, accentColor],
  }
}

/** One at a time decides who has which origin. */
export const LOCK_PARENTS = 'select pg_advisory_xact_lock(5063746182950117)'

export interface SecretRow {
  id: bigint
  created_at: Date
  expires_at: Date | null
  used_at: Date | null
}

export function listSecrets(clientAppId: bigint): pg.QueryConfig {
  return {
    text: `select s.id, s.created_at, s.expires_at, u.used_at
      from directory.client_secrets s left join admin.secret_uses u on u.secret_id = s.id
      where s.client_app_id = $1 and s.revoked_at is null and (s.expires_at is null or s.expires_at > now())
      order by s.id`,
    values: [clientAppId],
  }
}

export interface SeenRow {
  kind: 'origin' | 'error'
  value: string
  times: bigint
  last_at: Date
}

export function listSeen(clientAppId: bigint): pg.QueryConfig {
  return {
    text: `select kind, value, times, last_at from admin.seen
      where client_app_id = $1 order by last_at desc, value`,
    values: [clientAppId],
  }
}
