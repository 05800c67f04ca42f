import type { Language } from '@coffer/contract/languages'
import type pg from 'pg'
import type { Period } from '../../books/read-new-operations.ts'
import type { Expired } from '../../database/prune.ts'
import type { Statement } from '../../database/statement.ts'

/** payment: a payment of at least the threshold. balance: the balance falls below the threshold. */
export type AlertKind = 'payment' | 'balance'

export interface Alert {
  kind: AlertKind
  thresholdMinor: bigint
  since: Date
}

export function listAlerts(userId: bigint): Statement<Alert> {
  return {
    name: 'list-alerts',
    text: 'select kind, threshold, since from directory.alerts where service_user_id = $1 order by kind desc',
    values: [userId],
    read: (row: { kind: AlertKind; threshold: bigint; since: Date }) => ({
      kind: row.kind,
      thresholdMinor: row.threshold,
      since: row.since,
    }),
  }
}

/**
 * Only operations with a higher number in the wallet count. Their times do not decide, because an operation that
 * commits later can have an earlier time. A balance that is below the threshold already has not fallen below it.
 */
export function saveAlert(userId: bigint, kind: AlertKind, threshold: bigint): pg.QueryConfig {
  return {
    text: `insert into directory.alerts as a (service_user_id, kind, wallet_id, threshold, after_seq, is_low)
      select u.id, $2::text, w.id, $3::bigint, w.seq, $2::text = 'balance' and w.balance < $3::bigint
      from directory.people p
      join directory.service_users u on u.id = p.service_user_id
      join ledger.wallets w on w.id = u.wallet_id
      where p.service_user_id = $1 for key share of p
      on conflict (service_user_id, kind) do update set threshold = excluded.threshold, since = excluded.since,
        after_seq = excluded.after_seq, is_low = excluded.is_low
      where a.threshold <> excluded.threshold`,
    values: [userId, kind, threshold],
  }
}

/** Also deletes the emails that are due. */
export function deleteAlert(userId: bigint, kind: AlertKind): pg.QueryConfig {
  return {
    text: 'delete from directory.alerts where service_user_id = $1 and kind = $2',
    values: [userId, kind],
  }
}

/**
 * undefined: nobody wants an alert. Starts a minute early, because an operation that commits after the threshold was
 * set can have a slightly earlier time.
 */
export const FIND_ALERT_START: Statement<Date | undefined> = {
  name: 'find-alert-start',
  text: `select min(since) - interval '1 minute' as start from directory.alerts`,
  read: (row: { start: Date | null }) => row.start ?? undefined,
}

/** What a debit or capture pays to the app. */
const PAID = 'ledger.account_change(o.amount, o.debt_change, o.held_change)'

/** The lock keeps the alert from being switched off meanwhile; one that was just switched off is skipped. */
export function notePayments({ from, before }: Period): pg.QueryConfig {
  return {
    name: 'note-large-payments',
    text: `insert into directory.alert_emails (service_user_id, kind, seq, operation_at)
      select a.service_user_id, a.kind, o.seq, o.created_at
      from ledger.operations o
      join directory.alerts a on a.wallet_id = o.wallet_id and a.kind = 'payment'
      where o.created_at >= $1 and o.created_at < $2 and o.kind in ('debit', 'capture')
        and o.seq > a.after_seq and ${PAID} >= a.threshold
      for key share of a
      on conflict do nothing`,
    values: [from, before],
  }
}

/**
 * The state after the last operation of the period. A balance that falls and rises again within it causes no email; one
 * that was low, rises and falls again causes another one. An alert that changed meanwhile is skipped.
 */
export function noteBalances({ from, before }: Period): pg.QueryConfig {
  return {
    name: 'note-low-balances',
    text: `with last as (
        select a.service_user_id, a.threshold, a.after_seq, max(o.seq) as seq, max(o.created_at) as at,
          (array_agg(o.balance_after order by o.seq desc))[1] < a.threshold as is_below,
          bool_or(o.balance_after >= a.threshold) as was_enough
        from ledger.operations o
        join directory.alerts a on a.wallet_id = o.wallet_id and a.kind = 'balance'
        where o.created_at >= $1 and o.created_at < $2 and o.seq > a.after_seq
        group by a.service_user_id, a.kind
      ), changed as (
        update directory.alerts a set is_low = l.is_below from last l
        where a.service_user_id = l.service_user_id and a.kind = 'balance'
          and a.threshold = l.threshold and a.after_seq = l.after_seq
          and (l.is_below <> a.is_low or l.is_below and l.was_enough)
        returning a.service_user_id, a.kind, l.seq, l.at, l.is_below
      )
      insert into directory.alert_emails (service_user_id, kind, seq, operation_at)
      select service_user_id, kind, seq, at from changed where is_below
      on conflict do nothing`,
    values: [from, before],
  }
}

export interface DueAlert {
  userId: bigint
  kind: AlertKind
}

/** Takes people with emails that are due. Nobody else takes them for so many minutes, also if this process stops. */
export function claimAlerts(most: number, minutes: number): Statement<DueAlert> {
  return {
    name: 'claim-alerts',
    text: `update directory.alerts a set next_email_at = clock_timestamp() + make_interval(mins => $2)
      from (
        select d.service_user_id, d.kind
        from (select distinct service_user_id, kind from directory.alert_emails) e
        join directory.alerts d on d.service_user_id = e.service_user_id and d.kind = e.kind
        where d.next_email_at <= clock_timestamp()
        limit $1 for no key update of d skip locked
      ) due
      where a.service_user_id = due.service_user_id and a.kind = due.kind
      returning a.service_user_id, a.kind`,
    values: [most, minutes],
    read: (row: { service_user_id: bigint; kind: AlertKind }) => ({
      userId: row.service_user_id,
      kind: row.kind,
    }),
  }
}

export interface DueEmail {
  email: string
  language: Language | null
  isVerified: boolean
  /** All emails that are due are about operations up to this one. */
  upToSeq: bigint
  count: number
  balanceMinor: bigint
  thresholdMinor: bigint
}

interface DueEmailRow {
  email: string
  language: Language | null
  is_verified: boolean
  up_to_seq: bigint
  count: bigint
  balance: bigint
  threshold: bigint
}

/** No row: the alert was switched off, or the person was deleted. */
export function readDueEmail({ userId, kind }: DueAlert): Statement<DueEmail> {
  return {
    name: 'read-due-email',
    text: `select p.email, p.language, p.email_verified_at is not null as is_verified, e.up_to_seq, e.count, w.balance,
        a.threshold
      from directory.alerts a
      join directory.people p on p.service_user_id = a.service_user_id
      join ledger.wallets w on w.id = a.wallet_id
      cross join lateral (
        select max(seq) as up_to_seq, count(*) as count from directory.alert_emails
        where service_user_id = a.service_user_id and kind = a.kind
      ) e
      where a.service_user_id = $1 and a.kind = $2 and e.count > 0`,
    values: [userId, kind],
    read: (row: DueEmailRow) => ({
      email: row.email,
      language: row.language,
      isVerified: row.is_verified,
      upToSeq: row.up_to_seq,
      count: Number(row.count),
      balanceMinor: row.balance,
      thresholdMinor: row.threshold,
    }),
  }
}

export interface LargePayment {
  app: string
  amountMinor: bigint
  paidAt: Date
  description: string | null
}

/** The largest first. */
export function listPayments(
  userId: bigint,
  upToSeq: bigint,
  limit: number,
): Statement<LargePayment> {
  return {
    text: `select c.name, ${PAID} as paid, o.created_at, o.description
      from directory.alert_emails e
      join directory.alerts a on a.service_user_id = e.service_user_id and a.kind = e.kind
      join ledger.operations o on o.wallet_id = a.wallet_id and o.seq = e.seq and o.created_at = e.operation_at
      join directory.client_apps c on c.account_id = o.counter_account
      where e.service_user_id = $1 and e.kind = 'payment' and e.seq <= $2
      order by paid desc, o.seq limit $3`,
    values: [userId, upToSeq, limit],
    read: (row: { name: string; paid: bigint; created_at: Date; description: string | null }) => ({
      app: row.name,
      amountMinor: row.paid,
      paidAt: row.created_at,
      description: row.description,
    }),
  }
}

/** They were sent, or nobody needs them. */
export function deleteDueEmails({ userId, kind }: DueAlert, upToSeq: bigint): pg.QueryConfig {
  return {
    text: 'delete from directory.alert_emails where service_user_id = $1 and kind = $2 and seq <= $3',
    values: [userId, kind, upToSeq],
  }
}

/** The mail server refused them for a day. */
export const EXPIRED_ALERT_EMAILS: Expired = {
  table: 'directory.alert_emails',
  where: `operation_at < now() - interval '1 day'`,
}
