import type pg from 'pg'

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

export interface LinkedAppRow {
  client_id: string
  name: string
  created_at: Date
}

export function listLinkedApps(userId: bigint): pg.QueryConfig {
  return {
    name: 'list-linked-apps',
    text: `select a.client_id, a.name, l.created_at
      from directory.links l join directory.client_apps a on a.id = l.client_app_id
      where l.service_user_id = $1 and l.ended_at is null order by l.created_at, l.public_id`,
    values: [userId],
  }
}

export interface AppNameRow {
  account_id: bigint
  name: string
}

export function readAppNames(accounts: readonly number[]): pg.QueryConfig {
  return {
    name: 'read-app-names',
    text: 'select account_id, name from directory.client_apps where account_id = any($1::bigint[])',
    values: [accounts],
  }
}

/** The apps are few; which of them the person ever used, the books tell. */
export function findAccountsByName(pattern: string): pg.QueryConfig {
  return {
    name: 'find-accounts-by-name',
    text: 'select account_id from directory.client_apps where name ilike $1',
    values: [pattern],
  }
}

export function endLinks(userId: bigint): pg.QueryConfig {
  return {
    text: `update directory.links set ended_at = now()
      where service_user_id = $1 and ended_at is null`,
    values: [userId],
  }
}

/** Once the person is deleted no operator begins another: theirs hold the person until they are written down. */
export function findGrantUnderWay(userId: bigint): pg.QueryConfig {
  return {
    text: `select from admin.grants where service_user_id = $1 and status = 'approved' limit 1`,
    values: [userId],
  }
}

/** A top-up that was begun, or a refund that the processor may still refuse: then the money comes back. */
export function findPaymentUnderWay(userId: bigint): pg.QueryConfig {
  return {
    text: `select from directory.topups t where t.service_user_id = $1 and (t.status = 'open'
      or exists (select from directory.refunds r where r.topup_id = t.id and r.status = 'reserved')) limit 1`,
    values: [userId],
  }
}

export function deletePerson(userId: bigint): pg.QueryConfig {
  return {
    text: 'delete from directory.people where service_user_id = $1',
    values: [userId],
  }
}
