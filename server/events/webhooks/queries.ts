import type pg from 'pg'
import type { Statement } from '../../database/statement.ts'
import type { Sealed } from '../../seal.ts'

/** The secret that signs, and the one before the last rotation as long as it signs too. */
export interface StoredSecrets {
  current: Sealed
  previous: Sealed | undefined
}

export interface SecretsRow {
  sealed_secret: Buffer
  key_id: string
  sealed_previous: Buffer | null
  previous_key_id: string | null
}

export const SECRETS = `w.sealed_secret, w.key_id,
  case when w.previous_until > now() then w.sealed_previous end as sealed_previous, w.previous_key_id`

export function readSecrets(row: SecretsRow): StoredSecrets {
  const { sealed_previous: sealed, previous_key_id: keyId } = row
  return {
    current: { sealed: row.sealed_secret, keyId: row.key_id },
    previous: sealed && keyId ? { sealed, keyId } : undefined,
  }
}

export interface StoredWebhook {
  id: string
  clientAppId: bigint
  url: string
  /** null: all. */
  types: string[] | null
  description: string
  createdAt: Date
  /** Whether the app itself created or last changed it, with a secret. */
  isOwn: boolean
  isDeleted: boolean
  disabledAt: Date | null
  disabledReason: string | null
  failingSince: Date | null
  previousUntil: Date | null
  /** How many deliveries wait, counted up to 1000. */
  waiting: number
  secrets: StoredSecrets
}

interface WebhookRow extends SecretsRow {
  id: string
  client_app_id: bigint
  url: string
  types: string[] | null
  description: string
  created_at: Date
  is_own: boolean
  is_deleted: boolean
  disabled_at: Date | null
  disabled_reason: string | null
  failing_since: Date | null
  previous_until: Date | null
  waiting: bigint
}

const COLUMNS = `w.id, w.client_app_id, w.url, w.types, w.description, w.created_at,
  w.created_by_secret is not null as is_own, w.deleted_at is not null as is_deleted, w.disabled_at, w.disabled_reason, w.failing_since,
  case when w.previous_until > now() then w.previous_until end as previous_until, ${SECRETS},
  (select count(*) from (select from events.deliveries d
    where d.webhook_id = w.id and d.next_attempt_at is not null limit 1000) as waiting) as waiting`

function readWebhook(row: WebhookRow): StoredWebhook {
  return {
    id: row.id,
    clientAppId: row.client_app_id,
    url: row.url,
    types: row.types,
    description: row.description,
    createdAt: row.created_at,
    isOwn: row.is_own,
    isDeleted: row.is_deleted,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since,
    previousUntil: row.previous_until,
    waiting: Number(row.waiting),
    secrets: readSecrets(row),
  }
}

export function listWebhooks(clientAppId: bigint): Statement<StoredWebhook> {
  return {
    text: `select ${COLUMNS} from events.webhooks w
      where w.client_app_id = $1 and w.deleted_at is null order by w.created_at, w.id`,
    values: [clientAppId],
    read: readWebhook,
  }
}

export function findWebhook(clientAppId: bigint, id: string): Statement<StoredWebhook> {
  return {
    text: `select ${COLUMNS} from events.webhooks w
      where w.client_app_id = $1 and w.id = $2 and w.deleted_at is null`,
    values: [clientAppId, id],
    read: readWebhook,
  }
}

/** Locks it until the transaction ends, even if it is deleted. */
export function lockWebhook(clientAppId: bigint, id: string): Statement<StoredWebhook> {
  return {
    text: `select ${COLUMNS} from events.webhooks w
      where w.client_app_id = $1 and w.id = $2 for update of w`,
    values: [clientAppId, id],
    read: readWebhook,
  }
}

/** Whether the secret is valid; it then stays so until the transaction ends. */
export function lockSecret(id: bigint): Statement<boolean> {
  return {
    text: `select revoked_at is null and (expires_at is null or expires_at > now()) as is_live
      from directory.client_secrets where id = $1 for share`,
    values: [id],
    read: (row: { is_live: boolean }) => row.is_live,
  }
}

export interface WebhookSettings {
  url: string
  types: string[] | null
  description: string
}

export function insertWebhook(
  { id, clientAppId, secretId }: { id: string; clientAppId: bigint; secretId: bigint | null },
  { url, types, description }: WebhookSettings,
  { sealed, keyId }: Sealed,
): pg.QueryConfig {
  return {
    text: `insert into events.webhooks
        (id, client_app_id, created_by_secret, url, types, description, sealed_secret, key_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [id, clientAppId, secretId, url, types, description, sealed, keyId],
  }
}

/** A webhook that is switched on again continues with the deliveries that wait. */
export function updateWebhook(
  id: string,
  secretId: bigint | null,
  { url, types, description }: WebhookSettings,
  isEnabled: boolean,
): pg.QueryConfig {
  return {
    text: `update events.webhooks w set url = $2, types = $3, description = $4, created_by_secret = $6,
        disabled_at = case when $5 then null else coalesce(w.disabled_at, now()) end,
        disabled_reason = case when $5 then null else coalesce(w.disabled_reason, 'switched_off') end,
        failing_since = case when $5 and w.disabled_at is not null then null else w.failing_since end,
        due_at = case when $5 and w.disabled_at is not null then (
          select min(d.next_attempt_at) from events.deliveries d
          where d.webhook_id = w.id and d.next_attempt_at is not null) else w.due_at end
      where w.id = $1`,
    values: [id, url, types, description, isEnabled, secretId],
  }
}

export function deleteWebhook(id: string): pg.QueryConfig {
  return {
    text: 'update events.webhooks set deleted_at = now() where id = $1',
    values: [id],
  }
}

/** The old secret signs too until the overlap has passed. */
export function replaceSecret(
  id: string,
  secretId: bigint | null,
  { sealed, keyId }: Sealed,
  overlapSeconds: number,
): pg.QueryConfig {
  return {
    text: `update events.webhooks set
        sealed_previous = case when $4 > 0 then sealed_secret end,
        previous_key_id = case when $4 > 0 then key_id end,
        previous_until = case when $4 > 0 then now() + $4 * interval '1 second' end,
        sealed_secret = $2, key_id = $3, created_by_secret = $5
      where id = $1`,
    values: [id, sealed, keyId, overlapSeconds, secretId],
  }
}

/** Only one transaction at a time adds a webhook to the app. Other changes that refer to the app go on. */
export function lockApp(clientAppId: bigint): pg.QueryConfig {
  return {
    text: 'select from directory.client_apps where id = $1 for no key update',
    values: [clientAppId],
  }
}

/** Locks some of the webhooks whose secret is encrypted with another pepper. */
export function lockSealedOtherwise(
  keyId: string,
): Statement<{ id: string; secrets: StoredSecrets }> {
  return {
    text: `select w.id, w.sealed_secret, w.key_id, w.sealed_previous, w.previous_key_id from events.webhooks w
      where w.deleted_at is null and (w.key_id <> $1 or w.previous_key_id <> $1)
      order by w.id limit 1000 for update`,
    values: [keyId],
    read: (row: SecretsRow & { id: string }) => ({ id: row.id, secrets: readSecrets(row) }),
  }
}

export function setSealedSecrets(
  id: string,
  current: Sealed,
  previous: Sealed | undefined,
): pg.QueryConfig {
  return {
    text: `update events.webhooks set sealed_secret = $2, key_id = $3, sealed_previous = $4, previous_key_id = $5
      where id = $1`,
    values: [id, current.sealed, current.keyId, previous?.sealed ?? null, previous?.keyId ?? null],
  }
}
