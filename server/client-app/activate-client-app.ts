import type pg from 'pg'
import { inTransaction, type Step } from '../database/in-transaction.ts'
import { findSharers, setClientAppActive } from './queries.ts'

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

/** While it was away another app may have taken one of its parents; who insists passes this by. */
export async function refuseSharedParents(db: pg.Pool, clientId: string): Promise<void> {
  const { rows } = await db.query<{ client_id: string }>(findSharers(clientId))
  if (rows[0] === undefined) return
  throw new Error(
    `${rows[0].client_id} is active and lists one of its iframe parents. Remove it there, or insist and pass clientId in the frame's address.`,
  )
}
