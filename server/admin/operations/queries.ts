import type pg from 'pg'

export interface OwnerRow {
  client_id: string
  name: string
  account_id: bigint
}
const OWNER = 'client_id, name, account_id'

export function findOwner(clientId: string): pg.QueryConfig {
  return {
    text: `select ${OWNER} from directory.client_apps where client_id = $1`,
    values: [clientId],
  }
}

export function findOwnerByAccount(account: number): pg.QueryConfig {
  return {
    text: `select ${OWNER} from directory.client_apps where account_id = $1`,
    values: [account],
  }
}

export interface HolderRow {
  wallet_id: bigint
  id: bigint
  /** null: the person was erased. */
  name: string | null
}

export function findHolders(walletIds: readonly bigint[]): pg.QueryConfig {
  return {
    text: `select u.wallet_id, u.id, p.first_name || ' ' || p.last_name as name
      from directory.service_users u left join directory.people p on p.service_user_id = u.id
      where u.wallet_id = any($1::bigint[])`,
    values: [walletIds],
  }
}
