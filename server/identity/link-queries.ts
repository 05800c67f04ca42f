/** Statements about links: create, find and end them. */
import type pg from 'pg'
import { int8Array, uuidArray } from '../database/binary-array.ts'
import type { Statement } from '../database/statement.ts'
import { linkData } from '../events/outbox-queries.ts'

export interface FoundLink {
  publicId: string
  clientAppId: bigint
  walletId: bigint
  isLive: boolean
}

interface LinkRow {
  public_id: string
  client_app_id: bigint
  wallet_id: bigint
  is_live: boolean
}

export function findLinks(publicIds: readonly string[]): Statement<FoundLink> {
  return {
    name: 'find-links',
    text: `select public_id, client_app_id, wallet_id, ended_at is null as is_live
      from directory.links where public_id = any($1::uuid[])`,
    values: [uuidArray(publicIds)],
    read: (row: LinkRow) => ({
      publicId: row.public_id,
      clientAppId: row.client_app_id,
      walletId: row.wallet_id,
      isLive: row.is_live,
    }),
  }
}

/**
 * Returns those pairs of a client app and a wallet whose owner is linked to the app now. The limits make PostgreSQL
 * look up each pair by itself. Without statistics it would compare every pair with all links of its app.
 */
export function findLinked(pairs: readonly (readonly bigint[])[]): Statement<[bigint, bigint]> {
  return {
    name: 'find-linked',
    text: `select x.client_app_id, x.wallet_id
      from unnest($1::bigint[], $2::bigint[]) as x(client_app_id, wallet_id),
        lateral (select id from directory.service_users where wallet_id = x.wallet_id limit 1) u,
        lateral (
          select from directory.links
          where service_user_id = u.id and client_app_id = x.client_app_id and ended_at is null limit 1
        ) l`,
    values: [
      int8Array(pairs.map(([clientAppId = 0n]) => clientAppId)),
      int8Array(pairs.map(([, walletId = 0n]) => walletId)),
    ],
    read: (row: { client_app_id: bigint; wallet_id: bigint }) => [row.client_app_id, row.wallet_id],
  }
}

/**
 * For each operation, the newest link that was older than its time (times of the ledger are rounded to milliseconds),
 * or else the first one: an operation can be recorded with a time in the past.
 */
export function findLinksAt(
  ledgerAccount: number,
  operations: readonly { walletId: bigint; createdAtMs: number }[],
): Statement<string | null> {
  return {
    name: 'find-links-at',
    text: `select (
        select l.public_id from directory.service_users u
        join directory.links l on l.service_user_id = u.id
        join directory.client_apps a on a.id = l.client_app_id
        where u.wallet_id = o.wallet_id and a.account_id = $1
        order by l.created_at > o.at + interval '1 ms', abs(extract(epoch from l.created_at - o.at)) limit 1
      ) as public_id
      from unnest($2::bigint[], $3::timestamptz[]) with ordinality as o(wallet_id, at, number) order by o.number`,
    values: [
      ledgerAccount,
      operations.map(({ walletId }) => walletId),
      operations.map(({ createdAtMs }) => new Date(createdAtMs)),
    ],
    read: (row: { public_id: string | null }) => row.public_id,
  }
}

/**
 * Updates the time of the consent if the person already has a live link to the app. If the person is being deleted, or
 * the password is being changed, this waits until that ends. It inserts nothing if the person is deleted, or if the
 * password is no longer the given one. A new link is an event; a repeated consent is none.
 */
export function insertLink(
  publicId: string,
  clientAppId: bigint,
  userId: bigint,
  passwordHash: string | null,
): pg.QueryConfig {
  return {
    text: `with linked as (
        insert into directory.links (public_id, client_app_id, service_user_id, wallet_id)
        select $1, $2, u.id, u.wallet_id
        from directory.people p join directory.service_users u on u.id = p.service_user_id
        where p.service_user_id = $3 and ($4::text is null or p.password_hash = $4) for share of p
        on conflict (service_user_id, client_app_id) where ended_at is null do update set agreed_at = now()
        returning public_id, client_app_id
      ), event as (
        insert into events.outbox (client_app_id, type, data)
        select client_app_id, 'link.created', ${linkData('linked')} from linked where public_id = $1
      )
      select from linked`,
    values: [publicId, clientAppId, userId, passwordHash],
  }
}

export interface LiveLink {
  publicId: string
  /** Whether the person has agreed to it since the last change of the password. */
  isAgreed: boolean
}

export function findLiveLink(clientAppId: bigint, userId: bigint): Statement<LiveLink> {
  return {
    text: `select l.public_id, p.password_changed_at is null
        or coalesce(l.agreed_at, l.created_at) > p.password_changed_at as is_agreed
      from directory.links l join directory.people p on p.service_user_id = l.service_user_id
      where l.client_app_id = $1 and l.service_user_id = $2 and l.ended_at is null`,
    values: [clientAppId, userId],
    read: (row: { public_id: string; is_agreed: boolean }) => ({
      publicId: row.public_id,
      isAgreed: row.is_agreed,
    }),
  }
}

/** Why a link ended: the person unlinked the app, or the account is being deleted. */
export type LinkEnd = 'user' | 'erasure'

/** Returns a row for each link that it ended, of one app or, with null, of all. Each is an event for its app. */
export function endLinks(
  userId: bigint,
  clientAppId: bigint | null,
  reason: LinkEnd,
): pg.QueryConfig {
  return {
    text: `with ended as (
        update directory.links set ended_at = now()
        where service_user_id = $1 and ($2::bigint is null or client_app_id = $2) and ended_at is null
        returning public_id, client_app_id
      ), event as (
        insert into events.outbox (client_app_id, type, data)
        select client_app_id, 'link.ended', ${linkData('ended', `, 'reason', $3::text`)} from ended
      )
      select from ended`,
    values: [userId, clientAppId, reason],
  }
}
