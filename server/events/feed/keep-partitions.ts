/** Events are kept in a partition per week, so that old ones are deleted at once and without dead rows. */
import type pg from 'pg'
import { run } from '../../database/statement.ts'
import { DROP_PARTITIONS, PREPARE_PARTITIONS } from './queries.ts'

export async function prepareEventPartitions(db: pg.Pool): Promise<void> {
  await run(db, PREPARE_PARTITIONS)
}

/** After 30 days, counted from the end of the week. */
export async function dropOldEvents(db: pg.Pool): Promise<void> {
  await run(db, DROP_PARTITIONS)
}
