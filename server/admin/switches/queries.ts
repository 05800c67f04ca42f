import type { Statement } from '../../database/statement.ts'
import type { Pause } from '../../ledger/types.ts'
import type { SealedSeed } from '../seal-seed.ts'
import { APP_PAUSE, readAppPause, type AppPauseRow } from '../app-pause-queries.ts'

export function lockAppPause(clientId: string): Statement<{ pause: Pause | null }> {
  return {
    text: `select ${APP_PAUSE} from directory.client_apps where client_id = $1 for update`,
    values: [clientId],
    read: (row: AppPauseRow) => ({ pause: readAppPause(row) }),
  }
}

const IS_LIVE = 's.revoked_at is null and (s.expires_at is null or s.expires_at > now())'

export interface PepperUse {
  pepperId: string
  liveSecrets: number
  clientApps: number
}

export const COUNT_SECRETS: Statement<PepperUse> = {
  text: `select s.pepper_id, count(*) as live_secrets, count(distinct s.client_app_id) as client_apps
    from directory.client_secrets s where ${IS_LIVE} group by s.pepper_id`,
  read: (row: { pepper_id: string; live_secrets: bigint; client_apps: bigint }) => ({
    pepperId: row.pepper_id,
    liveSecrets: Number(row.live_secrets),
    clientApps: Number(row.client_apps),
  }),
}

/** A live secret that was hashed with another pepper. */
export interface OutdatedSecret {
  clientId: string
  name: string
  isActive: boolean
  pepperId: string
  usedAt: Date | null
}

interface BehindRow {
  client_id: string
  name: string
  is_active: boolean
  pepper_id: string
  used_at: Date | null
}

/** Lists live secrets with other peppers than these. Includes inactive apps, which may be activated again. */
export function listOutdatedSecrets(
  pepperIds: readonly string[],
  limit: number,
): Statement<OutdatedSecret> {
  return {
    text: `select a.client_id, a.name, a.is_active, s.pepper_id, u.used_at
      from directory.client_secrets s
      join directory.client_apps a on a.id = s.client_app_id
      left join admin.secret_uses u on u.secret_id = s.id
      where ${IS_LIVE} and s.pepper_id <> all ($1::text[])
      order by u.used_at nulls first, s.id limit $2`,
    values: [pepperIds, limit],
    read: (row: BehindRow) => ({
      clientId: row.client_id,
      name: row.name,
      isActive: row.is_active,
      pepperId: row.pepper_id,
      usedAt: row.used_at,
    }),
  }
}

const SEALED_WEBHOOKS = `events.webhooks w cross join lateral
    (values (w.key_id), (case when w.previous_until > now() then w.previous_key_id end)) as s (key_id)`

export const COUNT_WEBHOOKS: Statement<{ pepperId: string; webhooks: number }> = {
  text: `select s.key_id, count(distinct w.id) as webhooks from ${SEALED_WEBHOOKS}
    where w.deleted_at is null and s.key_id is not null group by s.key_id`,
  read: (row: { key_id: string; webhooks: bigint }) => ({
    pepperId: row.key_id,
    webhooks: Number(row.webhooks),
  }),
}

/** The client apps with a webhook whose secret needs another pepper than these. */
export function listSealedOtherwise(
  pepperIds: readonly string[],
  limit: number,
): Statement<{ name: string; pepperId: string }> {
  return {
    text: `select a.name || ' (' || a.client_id || ')' as name, s.key_id
      from ${SEALED_WEBHOOKS} join directory.client_apps a on a.id = w.client_app_id
      where w.deleted_at is null and s.key_id <> all ($1::text[])
      group by 1, 2 order by 1, 2 limit $2`,
    values: [pepperIds, limit],
    read: (row: { name: string; key_id: string }) => ({ name: row.name, pepperId: row.key_id }),
  }
}

export interface AdminKeyUse {
  email: string
  /** The key that seals the authenticator's seed. */
  seedKeyId: string
  /** The key of the recovery codes; null: none are left. */
  recoveryKeyId: string | null
}

/** The keys that each operator's authenticator and recovery codes need. Includes inactive operators. */
export const LIST_ADMIN_KEYS: Statement<AdminKeyUse> = {
  text: `select email, totp_key_id,
      case when cardinality(recovery_hmacs) > 0 then coalesce(recovery_key_id, totp_key_id) end as recovery_key_id
    from admin.operators where totp_key_id is not null order by id`,
  read: (row: { email: string; totp_key_id: string; recovery_key_id: string | null }) => ({
    email: row.email,
    seedKeyId: row.totp_key_id,
    recoveryKeyId: row.recovery_key_id,
  }),
}

/** Locks the operators whose seed is sealed with another key. */
export function lockSealedOtherwise(
  keyId: string,
): Statement<{ operatorId: bigint; seed: SealedSeed }> {
  return {
    text: `select id, totp_seed, totp_key_id from admin.operators
      where totp_key_id <> $1 order by id for update`,
    values: [keyId],
    read: (row: { id: bigint; totp_seed: Buffer; totp_key_id: string }) => ({
      operatorId: row.id,
      seed: { sealed: row.totp_seed, keyId: row.totp_key_id },
    }),
  }
}

export const LIST_SEEDS: Statement<{ operatorId: bigint; email: string; seed: SealedSeed }> = {
  text: `select id, email, totp_seed, totp_key_id from admin.operators
    where totp_key_id is not null order by id`,
  read: (row: { id: bigint; email: string; totp_seed: Buffer; totp_key_id: string }) => ({
    operatorId: row.id,
    email: row.email,
    seed: { sealed: row.totp_seed, keyId: row.totp_key_id },
  }),
}

/** The hashes of recovery codes keep the key that they were made with. */
export function setSealedSeed(id: bigint, { sealed, keyId }: SealedSeed) {
  return {
    text: `update admin.operators
      set recovery_key_id = coalesce(recovery_key_id, totp_key_id), totp_seed = $2, totp_key_id = $3
      where id = $1`,
    values: [id, sealed, keyId],
  }
}

/** Deletes recovery codes that were hashed with an older key. */
export function dropRecoveryCodes(keyId: string) {
  return {
    text: `update admin.operators set recovery_hmacs = '{}', recovery_key_id = null
      where cardinality(recovery_hmacs) > 0 and recovery_key_id <> $1`,
    values: [keyId],
  }
}
