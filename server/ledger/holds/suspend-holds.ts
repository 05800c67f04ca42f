/** Captures of a suspended hold wait for an operator. It can be released, and it expires, because then the person gets the money. */
import { run, type Database } from '../../database/statement.ts'
import * as query from './hold-queries.ts'

/** Run this in a transaction. Once it is committed, no capture of these holds succeeds. */
export async function suspendHolds(tx: Database, walletId: bigint, days: number): Promise<void> {
  await run(tx, query.lockWallet(walletId))
  await run(tx, query.suspendHolds(walletId, days))
}

/** Returns false if the wallet has no such open hold, or if it is not suspended. */
export async function allowHold(tx: Database, walletId: bigint, digest: string): Promise<boolean> {
  return (await run(tx, query.allowHold(walletId, digest))) === 1
}
