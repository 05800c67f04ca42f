import type pg from 'pg'
import type { Statement } from '../database/statement.ts'
import { writeRestriction, type Restriction } from './restriction.ts'

export type SecretChange = 'rotated' | 'revoked'

export function insertSecret(
  clientAppId: bigint,
  hmac: Buffer,
  pepperId: string,
  restriction: Restriction | null = null,
): pg.QueryConfig {
  return {
    text: `insert into directory.client_secrets (client_app_id, hmac, pepper_id, restriction)
      values ($1, $2, $3, $4::jsonb)`,
    values: [clientAppId, hmac, pepperId, restriction && writeRestriction(restriction)],
  }
}

/** Locks the app, so that concurrent rotations run one after the other. */
export function lockClientApp(clientId: string): Statement<bigint> {
  return {
    text: 'select id from directory.client_apps where client_id = $1 for no key update',
    values: [clientId],
    read: (row: { id: bigint }) => row.id,
  }
}

/** Ends every secret of an app, and the links to new ones. */
export function endSecrets(clientAppId: bigint): pg.QueryConfig {
  return {
    text: `with links as (
        delete from directory.tickets where purpose = 'client_secret' and client_app_id = $1
      )
      update directory.client_secrets set revoked_at = now()
      where client_app_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    values: [clientAppId],
  }
}

/**
 * Of the secrets with the same name (null: those without a restriction), the newest stays valid for the overlap; older
 * ones expire now, so that at most two are valid. Without an overlap all are revoked, which disables the webhooks that
 * they created or last changed.
 */
export function retireSecrets(
  clientAppId: bigint,
  overlapSeconds: number,
  name: string | null,
): pg.QueryConfig {
  return {
    text: `with links as (
        delete from directory.tickets where purpose = 'client_secret' and client_app_id = $1 and $3::text is null
      ), live as (
        select id, row_number() over (order by id desc) as age from directory.client_secrets
        where client_app_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())
          and restriction ->> 'name' is not distinct from $3
      )
      update directory.client_secrets s
      set expires_at = case when live.age = 1 then now() + make_interval(secs => $2::int) else now() end,
        revoked_at = case when $2::int = 0 then now() end
      from live where s.id = live.id`,
    values: [clientAppId, overlapSeconds, name],
  }
}

/** How many names the live restricted secrets of an app have, without this one. */
export function countOtherNames(clientAppId: bigint, name: string): Statement<number> {
  return {
    text: `select count(distinct restriction ->> 'name')::int as names from directory.client_secrets
      where client_app_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())
        and restriction ->> 'name' <> $2`,
    values: [clientAppId, name],
    read: (row: { names: number }) => row.names,
  }
}

export interface LiveSecret {
  id: bigint
  restriction: Restriction | null
  createdAt: Date
  expiresAt: Date | null
}

interface LiveSecretRow {
  id: bigint
  created_at: Date
  expires_at: Date | null
  restriction: Restriction | null
}

export function listLiveSecrets(clientId: string): Statement<LiveSecret> {
  return {
    text: `select s.id, s.created_at, s.expires_at, s.restriction
      from directory.client_secrets s join directory.client_apps a on a.id = s.client_app_id
      where a.client_id = $1 and s.revoked_at is null and (s.expires_at is null or s.expires_at > now()) order by s.id`,
    values: [clientId],
    read: (row: LiveSecretRow) => ({
      id: row.id,
      restriction: row.restriction,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    }),
  }
}

export function revokeSecret(clientAppId: bigint, secretId: bigint): pg.QueryConfig {
  return {
    text: `update directory.client_secrets set revoked_at = now()
      where client_app_id = $1 and id = $2 and revoked_at is null returning id`,
    values: [clientAppId, secretId],
  }
}

/** Adds the event that the secrets of an app have changed, in the transaction of the change. */
export function addSecretEvent(clientAppId: bigint, change: SecretChange): pg.QueryConfig {
  return {
    text: `insert into events.outbox (client_app_id, type, data)
      values ($1, 'client_app.secret_rotated', jsonb_build_object('change', $2::text))`,
    values: [clientAppId, change],
  }
}
