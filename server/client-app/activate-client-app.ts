import type pg from 'pg'
import { inTransaction, type Step } from '../database/in-transaction.ts'
import { one, run } from '../database/statement.ts'
import { findSharers, setClientAppActive } from './queries.ts'

/** Every process refuses the credentials of an inactive app within a second. */
export async function activateClientApp(
  db: pg.Pool,
  clientId: string,
  isActive: boolean,
  also?: Step,
) {
  await inTransaction(db, async (tx) => {
    await also?.(tx)
    const changed = await run(tx, setClientAppActive(clientId, isActive))
    if (changed === 0) throw new Error(`Client app ${clientId} not found.`)
  })
}

/** Another app may have listed one of its parents while it was inactive. `--share-parents` skips this check. */
export async function refuseSharedParents(db: pg.Pool, clientId: string): Promise<void> {
  const sharer = await one(db, findSharers(clientId))
  if (sharer === undefined) return
  throw new Error(
    `The active client app ${sharer} lists an iframe parent of ${clientId}. Remove the origin from ${sharer}, or use --share-parents and pass clientId in the iframe URL.`,
  )
}
