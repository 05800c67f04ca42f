/** What waits for an operator now. */
import type pg from 'pg'
import { many, one } from '../../database/statement.ts'
import { COUNT_WAITING, findFailingApps } from './queries.ts'

const APPS_MAX = 3

export async function readTodo(db: pg.Pool) {
  const [waiting, apps] = await Promise.all([
    one(db, COUNT_WAITING),
    many(db, findFailingApps(APPS_MAX)),
  ])
  if (waiting === undefined) throw new Error('A statement without a FROM clause returned no row')
  return {
    ...waiting,
    webhookApps: apps.map(({ clientId, name }) => ({ clientId, name })),
    moreWebhookApps: (apps[0]?.total ?? 0) - apps.length,
  }
}
