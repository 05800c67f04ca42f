import type pg from 'pg'

export interface AppPauseRow {
  paused_at: Date | null
  paused_by: string | null
  pause_reason: string | null
}

export function lockAppPause(clientId: string): pg.QueryConfig {
  return {
    text: `select paused_at, paused_by, pause_reason from directory.client_apps
      where client_id = $1 for update`,
    values: [clientId],
  }
}

export function setAppPause(
  clientId: string,
  pause: { by: string; reason: string } | null,
): pg.QueryConfig {
  return {
    text: `update directory.client_apps
      set paused_at = case when $2::text is null then null else now() end, paused_by = $2, pause_reason = $3
      where client_id = $1`,
    values: [clientId, pause?.by ?? null, pause?.reason ?? null],
  }
}

const IS_LIVE = 's.revoked_at is null and (s.expires_at is null or s.expires_at > now())'

export interface PepperRow {
  pepper_id: string
  live_secrets: bigint
  client_apps: bigint
}

export const COUNT_SECRETS = `select s.pepper_id, count(*) as live_secrets, count(distinct s.client_app_id) as client_apps
  from directory.client_secrets s where ${IS_LIVE} group by s.pepper_id`

export interface BehindRow {
  client_id: string
  name: string
  is_active: boolean
  pepper_id: string
  used_at: Date | null
}

/** Live secrets that hang on another pepper than these. An inactive app may be activated again, so it counts. */
export function listBehind(pepperIds: readonly string[], limit: number): pg.QueryConfig {
  return {
    text: `select a.client_id, a.name, a.is_active, s.pepper_id, u.used_at
      from directory.client_secrets s
      join directory.client_apps a on a.id = s.client_app_id
      left join admin.secret_uses u on u.secret_id = s.id
      where ${IS_LIVE} and s.pepper_id <> all ($1::text[])
      order by u.used_at nulls first, s.id limit $2`,
    values: [pepperIds, limit],
  }
}

export interface AdminKeyRow {
  email: string
  totp_key_id: string
  /** null: there are no recovery codes left. */
  recovery_key_id: string | null
}

/** Whatever hangs on a key, of the inactive too: they may be activated again. */
export const LIST_ADMIN_KEYS = `select email, totp_key_id,
    case when cardinality(recovery_hmacs) > 0 then coalesce(recovery_key_id, totp_key_id) end as recovery_key_id
  from admin.operators where totp_key_id is not null order by id`

export interface SealedRow {
  id: bigint
  totp_seed: Buffer
  totp_key_id: string
}

export function lockSealedOtherwise(keyId: string): pg.QueryConfig {
  return {
    text: `select id, totp_seed, totp_key_id from admin.operators
      where totp_key_id <> $1 order by id for update`,
    values: [keyId],
  }
}

/** The hashes of recovery codes stay with the key that they were made with. */
export function setSealedSeed(
  id: bigint,
  { sealed, keyId }: { sealed: Buffer; keyId: string },
): pg.QueryConfig {
  return {
    text: `update admin.operators
      set recovery_key_id = coalesce(recovery_key_id, totp_key_id), totp_seed = $2, totp_key_id = $3
      where id = $1`,
    values: [id, sealed, keyId],
  }
}

/** Those that hang on an older key. */
export function dropRecoveryCodes(keyId: string): pg.QueryConfig {
  return {
    text: `update admin.operators set recovery_hmacs = '{}', recovery_key_id = null
      where cardinality(recovery_hmacs) > 0 and recovery_key_id <> $1`,
    values: [keyId],
  }
}
