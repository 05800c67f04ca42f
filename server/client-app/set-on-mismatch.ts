import { run, type Database } from '../database/statement.ts'
import { setOnMismatch as update, type OnMismatch } from './queries.ts'

/** What a repeat of a reference with other values gets. Every process follows it within a second. */
export async function setOnMismatch(db: Database, clientId: string, onMismatch: OnMismatch) {
  const changed = await run(db, update(clientId, onMismatch))
  if (changed === 0) throw new Error(`Client app ${clientId} not found.`)
}
