/** Finds links by their ids and by their wallets. */
import { uuidArray } from '../database/binary-array.ts'
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
 * The newest link that was older than this time (times of the ledger are rounded to milliseconds), or else the first
 * one: an operation can be recorded with a time in the past.
 */
export function findLinkAt(account: number, walletId: bigint, at: Date): Statement<string> {
  return {
    name: 'find-link-at',
    text: `select l.public_id from directory.service_users u
      join directory.links l on l.service_user_id = u.id
      join directory.client_apps a on a.id = l.client_app_id
      where u.wallet_id = $1 and a.account_id = $2
      order by l.created_at > $3::timestamptz + interval '1 ms', abs(extract(epoch from l.created_at - $3)) limit 1`,
    values: [walletId, account, at],
    read: (row: { public_id: string }) => row.public_id,
  }
}
