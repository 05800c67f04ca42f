import { type Database, run } from '../database/statement.ts'
import * as query from './queries.ts'

/** Whether the app gets the event balance.changed, from now on. */
export async function setBalanceEvents(db: Database, clientId: string, isOn: boolean) {
  const changed = await run(db, query.setBalanceEvents(clientId, isOn))
  if (changed === 0) throw new Error(`Client app ${clientId} not found.`)
}

/** What a repeat of a reference with other values gets. Every process follows it within a second. */
export async function setOnMismatch(db: Database, clientId: string, onMismatch: query.OnMismatch) {
  const changed = await run(db, query.setOnMismatch(clientId, onMismatch))
  if (changed === 0) throw new Error(`Client app ${clientId} not found.`)
}
