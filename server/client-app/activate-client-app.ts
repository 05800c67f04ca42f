import type pg from 'pg'
import { inTransaction, type Step } from '../database/in-transaction.ts'
import { setClientAppActive } from './queries.ts'

/** An inactive app's credentials are refused, on every process within a second. */
export async function activateClientApp(
  db: pg.Pool,
  clientId: string,
  isActive: boolean,
  also?: Step,
) {
  await inTransaction(db, async (tx) => {
    await also?.(tx)
    const { rowCount } = await tx.query(setClientAppActive(clientId, isActive))
    if (rowCount === 0) throw new Error(`There is no client app ${clientId}.`)
  })
}
