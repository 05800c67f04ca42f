import type { Language } from '@coffer/contract/languages'
import type pg from 'pg'
import type { Statement } from '../database/statement.ts'

export function setName(userId: bigint, firstName: string, lastName: string): pg.QueryConfig {
  return {
    text: 'update directory.people set first_name = $2, last_name = $3 where service_user_id = $1',
    values: [userId, firstName, lastName],
  }
}

export function setEmail(userId: bigint, email: string, isVerified: boolean): pg.QueryConfig {
  return {
    text: `update directory.people
      set email = $2, email_verified_at = case when $3::boolean then now() end where service_user_id = $1`,
    values: [userId, email, isVerified],
  }
}

export function setReceipts(userId: bigint, wantsReceipts: boolean): pg.QueryConfig {
  return {
    text: 'update directory.people set wants_receipts = $2 where service_user_id = $1',
    values: [userId, wantsReceipts],
  }
}

export function setLanguage(userId: bigint, language: Language | null): pg.QueryConfig {
  return {
    text: 'update directory.people set language = $2 where service_user_id = $1',
    values: [userId, language],
  }
}

export interface Settings {
  wantsReceipts: boolean
  /** null: that of the browser. */
  language: Language | null
}

export function readSettings(userId: bigint): Statement<Settings> {
  return {
    name: 'read-settings',
    text: 'select wants_receipts, language from directory.people where service_user_id = $1',
    values: [userId],
    read: (row: { wants_receipts: boolean; language: Language | null }) => ({
      wantsReceipts: row.wants_receipts,
      language: row.language,
    }),
  }
}

/** Nobody can log in until the owner of the mailbox has set a new one. */
export function disablePassword(userId: bigint): pg.QueryConfig {
  return {
    text: `update directory.people set password_hash = null, password_changed_at = clock_timestamp()
      where service_user_id = $1`,
    values: [userId],
  }
}

export interface LinkedApp {
  clientId: string
  ledgerAccount: number
  name: string
  linkedAt: Date
}

export function listLinkedApps(userId: bigint): Statement<LinkedApp> {
  return {
    name: 'list-linked-apps',
    text: `select a.client_id, a.account_id, a.name, l.created_at
      from directory.links l join directory.client_apps a on a.id = l.client_app_id
      where l.service_user_id = $1 and l.ended_at is null order by l.created_at, l.public_id`,
    values: [userId],
    read: (row: { client_id: string; account_id: bigint; name: string; created_at: Date }) => ({
      clientId: row.client_id,
      ledgerAccount: Number(row.account_id),
      name: row.name,
      linkedAt: row.created_at,
    }),
  }
}

/** Returns pairs of a client app's ledger account and its name. */
export function readAppNames(accounts: readonly number[]): Statement<[number, string]> {
  return {
    name: 'read-app-names',
    text: 'select account_id, name from directory.client_apps where account_id = any($1::bigint[])',
    values: [accounts],
    read: (row: { account_id: bigint; name: string }) => [Number(row.account_id), row.name],
  }
}

/** Searches all client apps, which are few; the search of the operations selects those that the person used. */
export function findAccountsByName(pattern: string): Statement<number> {
  return {
    name: 'find-accounts-by-name',
    text: 'select account_id from directory.client_apps where name ilike $1',
    values: [pattern],
    read: (row: { account_id: bigint }) => Number(row.account_id),
  }
}

/** Once the person is deleted no operator can start another grant: a new grant locks the person's row first. */
export function findPendingGrant(userId: bigint): pg.QueryConfig {
  return {
    text: `select from admin.grants where service_user_id = $1 and status = 'approved' limit 1`,
    values: [userId],
  }
}

/** A top-up in progress, or a refund that the processor may still refuse, after which the money returns. */
export function findPendingPayment(userId: bigint): pg.QueryConfig {
  return {
    text: `select from directory.topups t where t.service_user_id = $1 and (t.status = 'open'
      or exists (select from directory.refunds r where r.topup_id = t.id and r.status = 'reserved')) limit 1`,
    values: [userId],
  }
}

/** Also deletes their passkeys. */
export function deletePerson(userId: bigint): pg.QueryConfig {
  return {
    text: 'delete from directory.people where service_user_id = $1',
    values: [userId],
  }
}

export function findWalletId(userId: bigint): Statement<bigint> {
  return {
    text: 'select wallet_id from directory.service_users where id = $1',
    values: [userId],
    read: (row: { wallet_id: bigint }) => row.wallet_id,
  }
}
