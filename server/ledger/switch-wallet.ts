import { run, type Database } from '../database/statement.ts'
import { readWallets, setWalletActive } from './queries.ts'

/** Freezes or unfreezes a wallet. Returns whether it was in the other state. */
export async function switchWallet(
  db: Database,
  walletId: bigint,
  isActive: boolean,
): Promise<boolean> {
  const changed = await run(db, setWalletActive(walletId, isActive))
  if (changed > 0) return true
  const known = await run(db, readWallets([walletId]))
  if (known === 0) throw new Error(`Wallet ${walletId} does not exist.`)
  return false
}
