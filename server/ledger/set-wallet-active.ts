import { run, type Database } from '../database/statement.ts'
import * as query from './queries.ts'

/** Freezes or unfreezes a wallet. Returns whether the state changed. */
export async function setWalletActive(
  db: Database,
  walletId: bigint,
  isActive: boolean,
): Promise<boolean> {
  const changed = await run(db, query.setWalletActive(walletId, isActive))
  if (changed > 0) return true
  const known = await run(db, query.readWallets([walletId]))
  if (known === 0) throw new Error(`Wallet ${walletId} does not exist.`)
  return false
}
