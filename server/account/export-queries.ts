/** What a person's own data consists of, beside the history. */
import type { Language } from '@coffer/contract/languages'
import type { Statement } from '../database/statement.ts'

export interface OwnDetails {
  createdAt: Date
  emailVerifiedAt: Date | null
  passwordChangedAt: Date | null
  wantsReceipts: boolean
  language: Language | null
}

interface OwnDetailsRow {
  created_at: Date
  email_verified_at: Date | null
  password_changed_at: Date | null
  wants_receipts: boolean
  language: Language | null
}

export function readOwnDetails(userId: bigint): Statement<OwnDetails> {
  return {
    text: `select u.created_at, p.email_verified_at, p.password_changed_at, p.wants_receipts, p.language
      from directory.people p join directory.service_users u on u.id = p.service_user_id
      where p.service_user_id = $1`,
    values: [userId],
    read: (row: OwnDetailsRow) => ({
      createdAt: row.created_at,
      emailVerifiedAt: row.email_verified_at,
      passwordChangedAt: row.password_changed_at,
      wantsReceipts: row.wants_receipts,
      language: row.language,
    }),
  }
}

export interface OwnLink {
  name: string
  ledgerAccount: number
  connectedAt: Date
  agreedAt: Date | null
  endedAt: Date | null
}

interface OwnLinkRow {
  name: string
  account_id: bigint
  created_at: Date
  agreed_at: Date | null
  ended_at: Date | null
}

/** Also those that have ended. */
export function listOwnLinks(userId: bigint): Statement<OwnLink> {
  return {
    text: `select a.name, a.account_id, l.created_at, l.agreed_at, l.ended_at
      from directory.links l join directory.client_apps a on a.id = l.client_app_id
      where l.service_user_id = $1 order by l.created_at, l.public_id`,
    values: [userId],
    read: (row: OwnLinkRow) => ({
      name: row.name,
      ledgerAccount: Number(row.account_id),
      connectedAt: row.created_at,
      agreedAt: row.agreed_at,
      endedAt: row.ended_at,
    }),
  }
}

export interface OwnLogIn {
  device: string
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
}

export function listOwnLogIns(userId: bigint): Statement<OwnLogIn> {
  return {
    text: `select device, created_at, last_seen_at, expires_at from directory.log_ins
      where service_user_id = $1 order by created_at, id`,
    values: [userId],
    read: (row: { device: string; created_at: Date; last_seen_at: Date; expires_at: Date }) => ({
      device: row.device,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      expiresAt: row.expires_at,
    }),
  }
}

export interface PreviousEmail {
  email: string
  restorableUntil: Date
}

export function listPreviousEmails(userId: bigint): Statement<PreviousEmail> {
  return {
    text: `select email, expires_at from directory.undo_links where service_user_id = $1
      order by expires_at`,
    values: [userId],
    read: (row: { email: string; expires_at: Date }) => ({
      email: row.email,
      restorableUntil: row.expires_at,
    }),
  }
}

export interface OwnTopup {
  id: string
  /** null: at /account. */
  app: string | null
  amount: bigint
  status: string
  paymentId: string | null
  createdAt: Date
  endedAt: Date | null
  failures: number
  failedAt: Date | null
  isAutomatic: boolean
}

interface OwnTopupRow {
  id: string
  app: string | null
  amount: bigint
  status: string
  intent_id: string | null
  created_at: Date
  ended_at: Date | null
  failures: bigint
  failed_at: Date | null
  is_automatic: boolean
}

/** Newest first. `after`: the last one of the previous page. */
export function listOwnTopups(
  userId: bigint,
  after: string | null,
  limit: number,
): Statement<OwnTopup> {
  return {
    text: `select t.id, a.name as app, t.amount, t.status, t.intent_id, t.created_at, t.ended_at, t.failures,
        t.failed_at, t.is_automatic
      from directory.topups t left join directory.client_apps a on a.id = t.client_app_id
      where t.service_user_id = $1 and ($2::uuid is null
        or (t.created_at, t.id) < (select created_at, id from directory.topups where id = $2))
      order by t.created_at desc, t.id desc limit $3`,
    values: [userId, after, limit],
    read: (row: OwnTopupRow) => ({
      id: row.id,
      app: row.app,
      amount: row.amount,
      status: row.status,
      paymentId: row.intent_id,
      createdAt: row.created_at,
      endedAt: row.ended_at,
      failures: Number(row.failures),
      failedAt: row.failed_at,
      isAutomatic: row.is_automatic,
    }),
  }
}

/** Money of a top-up that went back: as a refund, or because the bank disputed the payment. */
export interface Reversal {
  topupId: string
  kind: 'refund' | 'dispute'
  amount: bigint
  status: string
  /** Of a dispute, in the processor's words. */
  reason: string | null
  at: Date
}

interface ReversalRow {
  topup_id: string
  kind: Reversal['kind']
  amount: bigint
  status: string
  reason: string | null
  at: Date
}

export function listReversals(topupIds: readonly string[]): Statement<Reversal> {
  return {
    text: `select topup_id, 'refund' as kind, amount, status, null as reason, created_at as at
        from directory.refunds where topup_id = any($1::uuid[])
      union all select topup_id, 'dispute', amount, status, reason, opened_at
        from directory.disputes where topup_id = any($1::uuid[])
      order by at`,
    values: [topupIds],
    read: (row: ReversalRow) => ({
      topupId: row.topup_id,
      kind: row.kind,
      amount: row.amount,
      status: row.status,
      reason: row.reason,
      at: row.at,
    }),
  }
}
