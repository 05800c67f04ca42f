import type pg from 'pg'
import { inTransaction } from '../database/in-transaction.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { insertPerson, insertServiceUser, type Person } from './queries.ts'

/** A person with a wallet. The wallet comes first: if we die in between, an empty one is left that harms nobody. */
export async function createServiceUser(
  { db, ledger }: { db: pg.Pool; ledger: Ledger },
  person: Person,
): Promise<{ id: bigint; walletId: bigint }> {
  const walletId = await ledger.openWallet()
  const id = await inTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ id: bigint }>(insertServiceUser(walletId))
    const inserted = (rows[0] as { id: bigint }).id
    await tx.query(insertPerson(inserted, person))
    return inserted
  })
  return { id, walletId }
}
