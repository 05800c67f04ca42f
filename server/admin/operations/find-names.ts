import type pg from 'pg'
import { many, one } from '../../database/statement.ts'
import { findHolders, findOwner, type Owner } from './queries.ts'
import { ServiceError } from '../../service-error.ts'

export type ShowHolder = (walletId: bigint) => { id: string; name: string | null }

/** Reads whose wallets these are. An erased person has no name. */
export async function findNames(db: pg.Pool, walletIds: readonly bigint[]): Promise<ShowHolder> {
  const found = await many(db, findHolders([...new Set(walletIds)]))
  const holders = new Map(found.map((holder) => [holder.walletId, holder]))
  return (walletId) => {
    const holder = holders.get(walletId)
    if (holder === undefined) throw new Error('a wallet belongs to no person')
    return { id: String(holder.id), name: holder.name }
  }
}

export async function requireOwner(db: pg.Pool, clientId: string): Promise<Owner> {
  const owner = await one(db, findOwner(clientId))
  if (owner === undefined) throw new ServiceError('NOT_FOUND')
  return owner
}
