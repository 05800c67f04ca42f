import type pg from 'pg'
import { run } from '../database/statement.ts'
import { deletePasskeysOf } from './passkeys/queries.ts'
import { deleteAutomaticTopup, deleteLinkCodes, endLogIns } from './queries.ts'
import { deleteTickets } from './ticket-queries.ts'

/** Ends everything that somebody who knows the password can have started, except links. */
export async function endAccess(tx: pg.ClientBase, userId: bigint): Promise<void> {
  await run(tx, deletePasskeysOf(userId))
  await run(tx, deleteAutomaticTopup(userId))
  await run(tx, endLogIns(userId))
  await run(tx, deleteTickets(userId))
  await run(tx, deleteLinkCodes(userId))
}
