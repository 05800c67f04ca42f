/** Finds links by their ids and by their wallets. */
import { int8Array, uuidArray } from '../database/binary-array.ts'
import type { Statement } from '../database/statement.ts'

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
 * For each operation, the newest link that was older than its time (times of the ledger are rounded to milliseconds), or else the first
 * one: an operation can be recorded with a time in the past.
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
