import type { Scope } from '@coffer/contract/endpoint'
import type pg from 'pg'

export interface ClientAppRow {
  id: bigint
  client_id: string
  name: string
  account_id: bigint
  scopes: Scope[]
  allowed_origins: string[]
  allowed_iframe_parents: string[]
  accent_color: string | null
  is_active: boolean
}

/** The version stands in the same snapshot as the apps, so it tells how new they are. */
export function findClientApps(clientIds: readonly string[]): pg.QueryConfig {
  return {
    name: 'find-client-apps',
    text: `select a.id, a.client_id, a.name, a.account_id, a.scopes, a.allowed_origins,
        a.allowed_iframe_parents, a.accent_color, a.is_active, a.paused_at is not null as is_paused, v.version,
        coalesce(s.ids, '{}') as secret_ids, coalesce(s.hmacs, '{}') as hmacs, coalesce(s.pepper_ids, '{}') as pepper_ids,
        coalesce(s.renewed_from, '{}') as renewed_from, coalesce(s.remaining_ms, '{}') as remaining_ms
      from directory.client_app_version v
      left join directory.client_apps a on a.client_id = any($1::text[])
      left join lateral (
        select array_agg(id::text order by id) as ids, array_agg(encode(hmac, 'hex') order by id) as hmacs, array_agg(pepper_id order by id) as pepper_ids,
          array_agg(renewed_from order by id) as renewed_from,
          array_agg((extract(epoch from expires_at - now()) * 1000)::float8 order by id) as remaining_ms
        from directory.client_secrets
        where client_app_id = a.id and revoked_at is null and (expires_at is null or expires_at > now())
      ) s on true`,
    values: [clientIds],
  }
}

export interface FoundClientAppRow extends ClientAppRow {
  is_paused: boolean
  version: bigint
  secret_ids: string[]
  hmacs: string[]
  pepper_ids: string[]
  renewed_from: (string | null)[]
  remaining_ms: (number | null)[]
}

export const READ_VERSION = 'select version from directory.client_app_version'

export function insertClientApp(app: {
  clientId: string
  name: string
  accountId: number
  scopes: readonly Scope[]
  allowedOrigins: readonly string[]
  allowedIframeParents: readonly string[]
  accentColor: string | null
}): pg.QueryConfig {
  return {
    text: `insert into directory.client_apps
        (client_id, name, account_id, scopes, allowed_origins, allowed_iframe_parents, accent_color)
      values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    values: [
      app.clientId,
      app.name,
      app.accountId,
      app.scopes,
      app.allowedOrigins,
      app.allowedIframeParents,
      app.accentColor,
    ],
  }
}

export function insertSecret(clientAppId: bigint, hmac: Buffer, pepperId: string): pg.QueryConfig {
  return {
    text: 'insert into directory.client_secrets (client_app_id, hmac, pepper_id) values ($1, $2, $3)',
    values: [clientAppId, hmac, pepperId],
  }
}

/** Locks the app, so that two rotations at once come one after the other. */
export function lockClientApp(clientId: string): pg.QueryConfig {
  return {
    text: 'select id from directory.client_apps where client_id = $1 for update',
    values: [clientId],
  }
}

/** The newest secret lives on for the overlap; any older one ends now, so that at most two are alive. */
export function retireSecrets(clientAppId: bigint, overlapSeconds: number): pg.QueryConfig {
  return {
    text: `with live as (
        select id, row_number() over (order by id desc) as age from directory.client_secrets
        where client_app_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())
      )
      update directory.client_secrets s
      set expires_at = now() + make_interval(secs => $2::int),
        revoked_at = case when live.age > 1 or $2::int = 0 then now() end
      from live where s.id = live.id`,
    values: [clientAppId, overlapSeconds],
  }
}

export function listLiveSecrets(clientId: string): pg.QueryConfig {
  return {
    text: `select s.id, s.created_at, s.expires_at
      from directory.client_secrets s join directory.client_apps a on a.id = s.client_app_id
      where a.client_id = $1 and s.revoked_at is null and (s.expires_at is null or s.expires_at > now()) order by s.id`,
    values: [clientId],
  }
}

export function revokeSecret(clientAppId: bigint, secretId: bigint): pg.QueryConfig {
  return {
    text: `update directory.client_secrets set revoked_at = now()
      where client_app_id = $1 and id = $2 and revoked_at is null returning id`,
    values: [clientAppId, secretId],
  }
}

export function setClientAppActive(clientId: string, isActive: boolean): pg.QueryConfig {
  return {
    text: 'update directory.client_apps set is_active = $2 where client_id = $1 returning id',
    values: [clientId, isActive],
  }
}

export const LIST_CLIENT_APPS = `select a.id, a.client_id, a.name, a.scopes, a.allowed_origins, a.allowed_iframe_parents,
    a.accent_color, a.is_active, a.account_id,
    (select count(*) from directory.client_secrets s
     where s.client_app_id = a.id and s.revoked_at is null and (s.expires_at is null or s.expires_at > now())) as live_secrets
  from directory.client_apps a order by a.id`

/** Active apps that already list one of these origins as a parent of the widget. */
export function findParentOwners(origins: readonly string[]): pg.QueryConfig {
  return {
    text: `select client_id, allowed_iframe_parents from directory.client_apps
      where is_active and allowed_iframe_parents && $1::text[] order by id`,
    values: [origins],
  }
}

/** Active apps that list a parent of this one, which is not active. */
export function findSharers(clientId: string): pg.QueryConfig {
  return {
    text: `select o.client_id from directory.client_apps a
      join directory.client_apps o on o.is_active and o.allowed_iframe_parents && a.allowed_iframe_parents
      where a.client_id = $1 and not a.is_active order by o.id`,
    values: [clientId],
  }
}
