import { many, type Database } from '../database/statement.ts'
import { findParentOwners, type ParentOwner } from './queries.ts'

/** The active apps that list one of these origins as a parent of the widget. */
export function listParentOwners(db: Database, origins: readonly string[]): Promise<ParentOwner[]> {
  return many(db, findParentOwners(origins))
}
