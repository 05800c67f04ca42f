import { run, type Database } from '../database/statement.ts'
import { setBalanceEvents as update } from './queries.ts'

/** Whether the app gets the event balance.changed, from now on. */
export async function setBalanceEvents(db: Database, clientId: string, isOn: boolean) {
  const changed = await run(db, update(clientId, isOn))
  if (changed === 0) throw new Error(`Client app ${clientId} not found.`)
}
