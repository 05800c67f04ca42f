import type { Scope } from '@coffer/contract/endpoint'
import { sinceNow, type OnMismatch } from '../client-app/queries.ts'
import type { Restriction } from '../client-app/restriction.ts'
import { ADVISORY_LOCKS } from '../database/advisory-locks.ts'
import type { Statement } from '../database/statement.ts'
import type { AppChange, AppSettings } from './app-change.ts'

/** Only one transaction at a time decides which app has which origin. */
export const LOCK_PARENTS = {
  text: `select pg_advisory_xact_lock(${ADVISORY_LOCKS.appOrigins})`,
}

export interface LockedApp extends AppSettings {
  id: bigint
  clientId: string
  /** The ledger account of the app. */
  ledgerAccount: number
  isActive: boolean
  /** Whether somebody has linked the app or its secret was accepted once. Only then can it be abused. */
  isInUse: boolean
}

interface LockedAppRow {
  id: bigint
  client_id: string
  account_id: bigint
  name: string
  is_active: boolean
  scopes: Scope[]
  allowed_origins: string[]
  allowed_iframe_parents: string[]
  accent_color: string | null
  on_mismatch: OnMismatch
  gets_balance_events: boolean
  contact_emails: string[]
  is_in_use: boolean
}

/** Of the table `a`. */
export const IN_USE = `exists (select from directory.links l where l.client_app_id = a.id)
  or exists (select from directory.client_secrets s join admin.secret_uses u on u.secret_id = s.id
    where s.client_app_id = a.id) as is_in_use`

function lockAppBy(column: 'a.client_id' | 'a.id', value: string | bigint): Statement<LockedApp> {
  return {
    text: `select a.id, a.client_id, a.account_id, a.name, a.is_active, a.scopes, a.allowed_origins,
        a.allowed_iframe_parents, a.accent_color, a.on_mismatch,
        a.balance_events_since is not null as gets_balance_events, a.contact_emails, ${IN_USE}
      from directory.client_apps a where ${column} = $1 for update of a`,
    values: [value],
    read: (row: LockedAppRow) => ({
      id: row.id,
      clientId: row.client_id,
      ledgerAccount: Number(row.account_id),
      name: row.name,
      isActive: row.is_active,
      scopes: row.scopes,
      allowedOrigins: row.allowed_origins,
      allowedIframeParents: row.allowed_iframe_parents,
      accentColor: row.accent_color,
      onMismatch: row.on_mismatch,
      getsBalanceEvents: row.gets_balance_events,
      contactEmails: row.contact_emails,
      isInUse: row.is_in_use,
    }),
  }
}

export function lockApp(clientId: string): Statement<LockedApp> {
  return lockAppBy('a.client_id', clientId)
}

export function lockAppById(id: bigint): Statement<LockedApp> {
  return lockAppBy('a.id', id)
}

/** Also invalidates the links to a new secret that were sent to the previous contacts. */
export function setAppSettings(clientId: string, settings: AppSettings) {
  return {
    text: `with links as (
        delete from directory.tickets t using directory.client_apps a
        where a.client_id = $1 and a.contact_emails <> $7 and t.client_app_id = a.id and t.purpose = 'client_secret'
      )
      update directory.client_apps set name = $2, scopes = $3, allowed_origins = $4,
        allowed_iframe_parents = $5, accent_color = $6, contact_emails = $7,
        on_mismatch = $8, balance_events_since = ${sinceNow('$9')}
      where client_id = $1`,
    values: [
      clientId,
      settings.name,
      settings.scopes,
      settings.allowedOrigins,
      settings.allowedIframeParents,
      settings.accentColor,
      settings.contactEmails,
      settings.onMismatch,
      settings.getsBalanceEvents,
    ],
  }
}

export interface NewAppChange {
  id: string
  clientAppId: bigint
  change: AppChange
  reason: string
  proposerId: bigint
}

export function insertAppChange(change: NewAppChange) {
  return {
    text: `insert into admin.grants (id, kind, client_app_id, change, reason, proposed_by, needs_second, status)
      values ($1, 'app_change', $2, $3::jsonb, $4, $5, true, 'open')`,
    values: [
      change.id,
      change.clientAppId,
      JSON.stringify(change.change),
      change.reason,
      change.proposerId,
    ],
  }
}

/** Returns the id of the same request by the same operator, if one is already open. */
export function findSameChange(
  change: Pick<NewAppChange, 'clientAppId' | 'change' | 'proposerId'>,
): Statement<string> {
  return {
    text: `select id from admin.grants where kind = 'app_change' and status = 'open' and client_app_id = $1
        and change = $2::jsonb and proposed_by = $3`,
    values: [change.clientAppId, JSON.stringify(change.change), change.proposerId],
    read: (row: { id: string }) => row.id,
  }
}

export interface ApprovedRotation {
  grantId: string
  overlap: NonNullable<AppChange['rotation']>
}

/** Of the changes of an app that were approved and not used. Each is for the operator who proposed it, and for a day. */
const APPROVED = `kind = 'app_change' and status = 'posted' and client_app_id = $1 and proposed_by = $2
  and used_at is null and decided_at > clock_timestamp() - interval '1 day'`

/** An approved rotation to a secret with this restriction. */
export function findRotation(
  clientAppId: bigint,
  operatorId: bigint,
  restriction: Restriction | undefined,
): Statement<ApprovedRotation> {
  return {
    text: `select id, change ->> 'rotation' as overlap from admin.grants
      where ${APPROVED} and change ? 'rotation' and change -> 'restriction' is not distinct from $3::jsonb
      order by decided_at desc limit 1`,
    values: [clientAppId, operatorId, restriction && JSON.stringify(restriction)],
    read: (row: { id: string; overlap: ApprovedRotation['overlap'] }) => ({
      grantId: row.id,
      overlap: row.overlap,
    }),
  }
}

/** Uses an approved URL of a webhook, and returns its grant. */
export function useWebhookUrl(
  clientAppId: bigint,
  operatorId: bigint,
  url: string,
): Statement<string> {
  return {
    text: `update admin.grants set used_at = clock_timestamp()
      where id = (select id from admin.grants where ${APPROVED} and change ->> 'webhookUrl' = $3
        order by decided_at desc limit 1) and used_at is null
      returning id`,
    values: [clientAppId, operatorId, url],
    read: (row: { id: string }) => row.id,
  }
}

/** Changes no row if it was used already. */
export function markRotationUsed(grantId: string) {
  return {
    text: 'update admin.grants set used_at = clock_timestamp() where id = $1 and used_at is null',
    values: [grantId],
  }
}
