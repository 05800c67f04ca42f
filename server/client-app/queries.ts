import type { Scope } from '@coffer/contract/endpoint'
import type { Restriction } from '@coffer/contract/restriction'
import type pg from 'pg'
import type { Statement } from '../database/statement.ts'

/** What a repeat of a reference with other values gets: the outcome of the first request, or a refusal. */
export type OnMismatch = 'replay' | 'conflict'

interface ClientAppRow {
  id: bigint
  client_id: string
  name: string
  account_id: bigint
  scopes: Scope[]
  allowed_origins: string[]
  allowed_iframe_parents: string[]
  accent_color: string | null
  is_active: boolean
  on_mismatch: OnMismatch
}

export interface FoundClientApp {
  /** The number of changes to any app so far, in the same snapshot. */
  version: bigint
  /** undefined: the row has only the version, because no app was found. */
  app: StoredClientApp | undefined
}

export interface StoredClientApp {
  id: bigint
  clientId: string
  name: string
  /** The ledger account and the namespace of references. */
  ledgerAccount: number
  scopes: readonly Scope[]
  allowedOrigins: readonly string[]
  allowedIframeParents: readonly string[]
  accentColor: string | null
  isActive: boolean
  /** Only its writes are paused; reads and the widget continue. */
  isPaused: boolean
  onMismatch: OnMismatch
  secrets: readonly StoredSecret[]
}

export interface StoredSecret {
  id: string
  hmac: Buffer
  pepperId: string
  /** The pepper of its previous hash, if it had one. */
  renewedFrom: string | null
  /** null: it can do everything that the app can do. */
  restriction: Restriction | null
  /** Infinity: it does not expire. */
  remainingMs: number
}

function readClientApp(row: FoundClientAppRow): FoundClientApp {
  const { version } = row
  if (row.client_id === null) return { version, app: undefined }
  const app: StoredClientApp = {
    id: row.id,
    clientId: row.client_id,
    name: row.name,
    ledgerAccount: Number(row.account_id),
    scopes: row.scopes,
    allowedOrigins: row.allowed_origins,
    allowedIframeParents: row.allowed_iframe_parents,
    accentColor: row.accent_color,
    isActive: row.is_active,
    isPaused: row.is_paused,
    onMismatch: row.on_mismatch,
    secrets: row.hmacs.map((hmac, index) => ({
      id: row.secret_ids[index] ?? '',
      hmac: Buffer.from(hmac, 'hex'),
      pepperId: row.pepper_ids[index] ?? '',
      renewedFrom: row.renewed_from[index] ?? null,
      restriction: row.restrictions[index] ?? null,
      remainingMs: row.remaining_ms[index] ?? Infinity,
    })),
  }
  return { version, app }
}

/** The version belongs to the same snapshot as the apps, so it shows how new they are. */
export function findClientApps(clientIds: readonly string[]): Statement<FoundClientApp> {
  return {
    name: 'find-client-apps',
    text: `select a.id, a.client_id, a.name, a.account_id, a.scopes, a.allowed_origins,
        a.allowed_iframe_parents, a.accent_color, a.is_active, a.on_mismatch,
        a.paused_at is not null as is_paused, v.version,
        coalesce(s.ids, '{}') as secret_ids, coalesce(s.hmacs, '{}') as hmacs, coalesce(s.pepper_ids, '{}') as pepper_ids,
        coalesce(s.renewed_from, '{}') as renewed_from, coalesce(s.remaining_ms, '{}') as remaining_ms,
        coalesce(s.restrictions, '[]') as restrictions
      from directory.client_app_version v
      left join directory.client_apps a on a.client_id = any($1::text[])
      left join lateral (
        select array_agg(id::text order by id) as ids, array_agg(encode(hmac, 'hex') order by id) as hmacs, array_agg(pepper_id order by id) as pepper_ids,
          array_agg(renewed_from order by id) as renewed_from, jsonb_agg(restriction order by id) as restrictions,
          array_agg((extract(epoch from expires_at - now()) * 1000)::float8 order by id) as remaining_ms
        from directory.client_secrets
        where client_app_id = a.id and revoked_at is null and (expires_at is null or expires_at > now())
      ) s on true`,
    values: [clientIds],
    read: readClientApp,
  }
}

interface FoundClientAppRow extends Omit<ClientAppRow, 'client_id'> {
  client_id: string | null
  is_paused: boolean
  version: bigint
  secret_ids: string[]
  hmacs: string[]
  pepper_ids: string[]
  renewed_from: (string | null)[]
  restrictions: (Restriction | null)[]
  remaining_ms: (number | null)[]
}

export const READ_VERSION: Statement<bigint> = {
  text: 'select version from directory.client_app_version',
  read: (row: { version: bigint }) => row.version,
}

export function insertClientApp(app: {
  clientId: string
  name: string
  accountId: number
  scopes: readonly Scope[]
  allowedOrigins: readonly string[]
  allowedIframeParents: readonly string[]
  accentColor: string | null
  onMismatch: OnMismatch
  getsBalanceEvents: boolean
  contactEmails: readonly string[]
}): Statement<bigint> {
  return {
    text: `insert into directory.client_apps
        (client_id, name, account_id, scopes, allowed_origins, allowed_iframe_parents, accent_color,
          contact_emails, on_mismatch, balance_events_since)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, case when $10::boolean then now() end) returning id`,
    values: [
      app.clientId,
      app.name,
      app.accountId,
      app.scopes,
      app.allowedOrigins,
      app.allowedIframeParents,
      app.accentColor,
      app.contactEmails,
      app.onMismatch,
      app.getsBalanceEvents,
    ],
    read: (row: { id: bigint }) => row.id,
  }
}

export function setClientAppActive(clientId: string, isActive: boolean): pg.QueryConfig {
  return {
    text: 'update directory.client_apps set is_active = $2 where client_id = $1 returning id',
    values: [clientId, isActive],
  }
}

export function setOnMismatch(clientId: string, onMismatch: OnMismatch): pg.QueryConfig {
  return {
    text: 'update directory.client_apps set on_mismatch = $2 where client_id = $1',
    values: [clientId, onMismatch],
  }
}

/** SQL: keeps the start time of an app that already gets balance.changed; another app gets only events from now on. */
export function sinceNow(isOn: string): string {
  return `case when ${isOn}::boolean then coalesce(balance_events_since, now()) end`
}

export function setBalanceEvents(clientId: string, isOn: boolean): pg.QueryConfig {
  return {
    text: `update directory.client_apps set balance_events_since = ${sinceNow('$2')} where client_id = $1`,
    values: [clientId, isOn],
  }
}

export interface ListedClientApp {
  clientId: string
  name: string
  scopes: Scope[]
  allowedOrigins: string[]
  allowedIframeParents: string[]
  isActive: boolean
  liveSecrets: number
}

export const LIST_CLIENT_APPS: Statement<ListedClientApp> = {
  text: `select a.id, a.client_id, a.name, a.scopes, a.allowed_origins, a.allowed_iframe_parents,
    a.accent_color, a.is_active, a.on_mismatch, a.account_id,
    (select count(*) from directory.client_secrets s
     where s.client_app_id = a.id and s.revoked_at is null and (s.expires_at is null or s.expires_at > now())) as live_secrets
  from directory.client_apps a order by a.id`,
  read: (row: ClientAppRow & { live_secrets: bigint }) => ({
    clientId: row.client_id,
    name: row.name,
    scopes: row.scopes,
    allowedOrigins: row.allowed_origins,
    allowedIframeParents: row.allowed_iframe_parents,
    isActive: row.is_active,
    liveSecrets: Number(row.live_secrets),
  }),
}

export interface ParentOwner {
  clientId: string
  allowedIframeParents: string[]
}

/** Active apps that already list one of these origins as a parent of the widget. */
export function findParentOwners(origins: readonly string[]): Statement<ParentOwner> {
  return {
    text: `select client_id, allowed_iframe_parents from directory.client_apps
      where is_active and allowed_iframe_parents && $1::text[] order by id`,
    values: [origins],
    read: (row: { client_id: string; allowed_iframe_parents: string[] }) => ({
      clientId: row.client_id,
      allowedIframeParents: row.allowed_iframe_parents,
    }),
  }
}

/** The client ids of active apps that list a parent of this inactive one. */
export function findSharers(clientId: string): Statement<string> {
  return {
    text: `select o.client_id from directory.client_apps a
      join directory.client_apps o on o.is_active and o.allowed_iframe_parents && a.allowed_iframe_parents
      where a.client_id = $1 and not a.is_active order by o.id`,
    values: [clientId],
    read: (row: { client_id: string }) => row.client_id,
  }
}
