import { run, type Database } from '../database/statement.ts'
import { setLinkProof } from './queries.ts'

/** Whether the exchange of a link code requires the verifier. Every process follows it within a second. */
export async function requireLinkProof(db: Database, clientId: string, isRequired: boolean) {
  const changed = await run(db, setLinkProof(clientId, isRequired))
  if (changed === 0) throw new Error(`Client app ${clientId} not found.`)
}
