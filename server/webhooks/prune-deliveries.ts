import type pg from 'pg'
import { prune } from '../database/prune.ts'
import { OLD_DELIVERIES } from './listing-queries.ts'

export function pruneDeliveries(db: pg.Pool): Promise<number> {
  return prune(db, OLD_DELIVERIES)
}
