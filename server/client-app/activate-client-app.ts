import type pg from 'pg'
import { setClientAppActive } from './queries.ts'

/** An inactive app's credentials are refused, on every process within a second. */
export async function activateClientApp(db: pg.Pool, clientId: string, isActive: boolean) {
  const { rowCount } = await db.query(setClientAppActive(clientId, isActive))
  if (rowCount === 0) throw new Error(`There is no client app ${clientId}.`)
}
