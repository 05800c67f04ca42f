import type pg from 'pg'
import { many } from '../database/statement.ts'
import { LIST_CLIENT_APPS, type ListedClientApp } from './queries.ts'

export function listClientApps(db: pg.Pool): Promise<ListedClientApp[]> {
  return many(db, LIST_CLIENT_APPS)
}
