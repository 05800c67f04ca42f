import type pg from 'pg'
import { many } from '../../database/statement.ts'
import { findHolders } from './queries.ts'

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
