import type pg from 'pg'
import { inTransaction } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { insertPerson, insertServiceUser, type NewPerson } from './queries.ts'

/** Creates a person with a wallet. The wallet comes first: a crash in between leaves an empty, harmless wallet. */
export async function createServiceUser(
  { db, ledger }: { db: pg.Pool; ledger: Ledger },
  person: NewPerson,
): Promise<{ id: bigint; walletId: bigint }> {
  const walletId = await ledger.openWallet()
  const id = await inTransaction(db, async (tx) => {
    const inserted = (await one(tx, insertServiceUser(walletId))) as bigint
    await run(tx, insertPerson(inserted, person))
    return inserted
  })
  return { id, walletId }
}
