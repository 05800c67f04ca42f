import type { Statement } from '../../database/statement.ts'

/** The client app that a pair of referenceType and referenceId belongs to. */
export interface Owner {
  clientId: string
  name: string
  /** The ledger account of the app. */
  ledgerAccount: number
}

interface OwnerRow {
  client_id: string
  name: string
  account_id: bigint
}
const OWNER = 'client_id, name, account_id'

function readOwner(row: OwnerRow): Owner {
  return { clientId: row.client_id, name: row.name, ledgerAccount: Number(row.account_id) }
}

export function findOwner(clientId: string): Statement<Owner> {
  return {
    text: `select ${OWNER} from directory.client_apps where client_id = $1`,
    values: [clientId],
    read: readOwner,
  }
}

export function findOwnerByAccount(ledgerAccount: number): Statement<Owner> {
  return {
    text: `select ${OWNER} from directory.client_apps where account_id = $1`,
    values: [ledgerAccount],
    read: readOwner,
  }
}

/** Of all client apps. */
export const LIST_ACCOUNTS: Statement<number> = {
  text: 'select account_id from directory.client_apps order by id',
  read: (row: { account_id: bigint }) => Number(row.account_id),
}

export function findOwners(accounts: readonly number[]): Statement<Owner> {
  return {
    text: `select ${OWNER} from directory.client_apps where account_id = any($1::bigint[])`,
    values: [accounts],
    read: readOwner,
  }
}

export interface Holder {
  walletId: bigint
  id: bigint
  /** null: the person was erased. */
  name: string | null
}

export function findHolders(walletIds: readonly bigint[]): Statement<Holder> {
  return {
    text: `select u.wallet_id, u.id, p.first_name || ' ' || p.last_name as name
      from directory.service_users u left join directory.people p on p.service_user_id = u.id
      where u.wallet_id = any($1::bigint[])`,
    values: [walletIds],
    read: ({
      wallet_id: walletId,
      id,
      name,
    }: { wallet_id: bigint } & Omit<Holder, 'walletId'>) => ({
      walletId,
      id,
      name,
    }),
  }
}
