import type pg from 'pg'
import { type Database, many } from '../database/statement.ts'
import {
  findParentOwners,
  LIST_CLIENT_APPS,
  type ListedClientApp,
  type ParentOwner,
} from './queries.ts'

export function listClientApps(db: pg.Pool): Promise<ListedClientApp[]> {
  return many(db, LIST_CLIENT_APPS)
}

/** The active apps that list one of these origins as a parent of the widget. */
export function listParentOwners(db: Database, origins: readonly string[]): Promise<ParentOwner[]> {
  return many(db, findParentOwners(origins))
}
