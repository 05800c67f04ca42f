/** How processes share the work: a process leases a webhook, sends what is due, and records the attempts. */
import type pg from 'pg'
import type { Statement } from '../../database/statement.ts'
import type { StoredEvent } from '../feed/queries.ts'
import { readSecrets, SECRETS, type SecretsRow, type StoredSecrets } from './queries.ts'

/** How many requests are in flight at once. A target that fails gets one at a time. */
const AT_ONCE = 8
/** Longer than an attempt may take. If the process stops, another one continues after this time. */
const LEASE_SECONDS = 60
/** A target that fails gets the next request after this time, whatever is due. */
const REST_SECONDS = 5
const IS_ON = 'w.deleted_at is null and w.disabled_at is null'

export interface DueState {
  /** Whether a webhook waits for a process. */
  hasDue: boolean
  /** How long the oldest delivery is due to a webhook that works. */
  delaySeconds: number
}

export const READ_DUE: Statement<DueState> = {
  name: 'read-due-webhooks',
  text: `select coalesce(bool_or(coalesce(leased_until, '-infinity') < now()), false) as has_due,
      coalesce(extract(epoch from now() - min(due_at) filter (where failing_since is null)), 0)::float8 as seconds
    from (select w.leased_until, w.due_at, w.failing_since
      from events.webhooks w join directory.client_apps a on a.id = w.client_app_id
      where ${IS_ON} and a.is_active and w.due_at <= now() order by w.due_at limit 1000) as due`,
  read: (row: { has_due: boolean; seconds: number }) => ({
    hasDue: row.has_due,
    delaySeconds: row.seconds,
  }),
}

export interface LeasedWebhook {
  id: string
  clientAppId: bigint
  ledgerAccount: number
  url: string
  secrets: StoredSecrets
  isFailing: boolean
}

interface LeasedRow extends SecretsRow {
  id: string
  client_app_id: bigint
  account_id: bigint
  url: string
  is_failing: boolean
}

/** Those that fail are leased separately, so that they cannot take all places. */
export function leaseWebhooks(
  lease: string,
  areFailing: boolean,
  most: number,
): Statement<LeasedWebhook> {
  return {
    name: 'lease-webhooks',
    text: `update events.webhooks w set lease = $1, leased_until = now() + interval '${LEASE_SECONDS} seconds'
      from directory.client_apps a
      where a.id = w.client_app_id and w.id = any(array(
        select w.id from events.webhooks w join directory.client_apps a on a.id = w.client_app_id
        where ${IS_ON} and a.is_active and w.due_at <= now()
          and coalesce(w.leased_until, '-infinity') < now() and (w.failing_since is not null) = $2
        order by w.due_at limit $3 for update of w skip locked))
      returning w.id, w.client_app_id, a.account_id, w.url, w.failing_since is not null as is_failing, ${SECRETS}`,
    values: [lease, areFailing, most],
    read: (row: LeasedRow) => ({
      id: row.id,
      clientAppId: row.client_app_id,
      ledgerAccount: Number(row.account_id),
      url: row.url,
      secrets: readSecrets(row),
      isFailing: row.is_failing,
    }),
  }
}

export interface DueDelivery {
  webhookId: string
  /** Exactly as PostgreSQL has it. */
  dueAt: string
  failures: number
  event: StoredEvent
}

interface DueRow {
  webhook_id: string
  due_at: string
  failures: bigint
  event_id: string
  sequence: bigint
  type: string
  data: Record<string, unknown>
  created_at: Date
}

export function listDue(
  webhooks: readonly Pick<LeasedWebhook, 'id' | 'isFailing'>[],
): Statement<DueDelivery> {
  return {
    name: 'list-due-deliveries',
    text: `select d.webhook_id, d.next_attempt_at::text as due_at, d.failures, d.event_id, e.sequence, e.type, e.data, e.created_at
      from unnest($1::uuid[], $2::integer[]) as w (id, most)
      cross join lateral (
        select * from events.deliveries d
        where d.webhook_id = w.id and d.next_attempt_at <= now()
        order by d.next_attempt_at, d.sequence limit w.most
      ) d
      join events.events e on e.client_app_id = d.client_app_id and e.sequence = d.sequence
        and e.recorded_at = d.recorded_at
      order by d.next_attempt_at, d.sequence`,
    values: [
      webhooks.map(({ id }) => id),
      webhooks.map(({ isFailing }) => (isFailing ? 1 : AT_ONCE)),
    ],
    read: (row: DueRow) => ({
      webhookId: row.webhook_id,
      dueAt: row.due_at,
      failures: Number(row.failures),
      event: {
        id: row.event_id,
        sequence: row.sequence,
        type: row.type,
        data: row.data,
        createdAt: row.created_at,
      },
    }),
  }
}

/** Events are numbered and attempts recorded in this order, so that neither waits for the other without end. */
export function lockWebhooks(ids: readonly string[]): pg.QueryConfig {
  return {
    name: 'lock-webhooks',
    text: 'select from events.webhooks where id = any($1::uuid[]) order by id for update',
    values: [ids],
  }
}

export interface Recorded {
  webhookId: string
  eventId: string
  dueAt: string
  isDelivered: boolean
  /** null: no further attempt. */
  retryInSeconds: number | null
  /** As JSON. */
  attempt: string
}

const ATTEMPTS_KEPT = 20

/** A delivery that was queued again meanwhile, or recorded by another process, keeps its state and gets the attempt. */
export function recordAttempts(results: readonly Recorded[]): pg.QueryConfig {
  return {
    name: 'record-attempts',
    text: `update events.deliveries d set
        delivered_at = case when r.due_at = d.next_attempt_at
          then case when r.is_delivered then now() end else d.delivered_at end,
        next_attempt_at = case when r.due_at = d.next_attempt_at
          then now() + r.retry_seconds * interval '1 second' else d.next_attempt_at end,
        failures = d.failures + case when r.due_at = d.next_attempt_at and not r.is_delivered then 1 else 0 end,
        attempts = case when jsonb_array_length(d.attempts) < ${ATTEMPTS_KEPT} then d.attempts else d.attempts - 0 end
          || r.attempt
      from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::float8[], $5::jsonb[], $6::timestamptz[])
        as r (webhook_id, event_id, is_delivered, retry_seconds, attempt, due_at)
      where d.webhook_id = r.webhook_id and d.event_id = r.event_id`,
    values: [
      results.map(({ webhookId }) => webhookId),
      results.map(({ eventId }) => eventId),
      results.map(({ isDelivered }) => isDelivered),
      results.map(({ retryInSeconds }) => retryInSeconds),
      results.map(({ attempt }) => attempt),
      results.map(({ dueAt }) => dueAt),
    ],
  }
}

export interface Finished {
  id: string
  lease: string
  /** null: no attempt was recorded. */
  hasSucceeded: boolean | null
}

/** After the attempts are recorded and while the webhooks are locked, so that no delivery is overlooked. */
export function returnLeases(finished: readonly Finished[]): pg.QueryConfig {
  return {
    name: 'return-leases',
    text: `update events.webhooks w set lease = null, leased_until = null,
        failing_since = case when r.has_succeeded then null when r.has_succeeded is null then w.failing_since
          else coalesce(w.failing_since, now()) end,
        due_at = (select greatest(d.next_attempt_at,
            case when not r.has_succeeded then now() + interval '${REST_SECONDS} seconds' end)
          from events.deliveries d where d.webhook_id = w.id and d.next_attempt_at is not null
          order by d.next_attempt_at limit 1)
      from unnest($1::uuid[], $2::uuid[], $3::boolean[]) as r (id, lease, has_succeeded)
      where w.id = r.id and w.lease = r.lease`,
    values: [
      finished.map(({ id }) => id),
      finished.map(({ lease }) => lease),
      finished.map(({ hasSucceeded }) => hasSucceeded),
    ],
  }
}

const FAILING_DAYS = 5

/** Disables the webhooks whose receiver is gone, and those that have failed for too long. */
export function disableWebhooks(
  ids: readonly string[],
  gone: readonly string[],
): Statement<{ id: string }> {
  return {
    name: 'disable-webhooks',
    text: `update events.webhooks w set disabled_at = now(),
        disabled_reason = case when w.id = any($2::uuid[]) then 'gone' else 'failing' end
      where w.id = any($1::uuid[]) and ${IS_ON}
        and (w.id = any($2::uuid[]) or w.failing_since < now() - interval '${FAILING_DAYS} days')
      returning w.id`,
    values: [ids, gone],
    read: (row: { id: string }) => ({ id: row.id }),
  }
}
