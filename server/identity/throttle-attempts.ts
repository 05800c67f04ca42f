/** How often somebody may try: counted by e-mail in the database, whether it is anybody's e-mail or not. */
import type pg from 'pg'
import { ServiceError } from '../service-error.ts'
import {
  admitAttempt,
  DELETE_OLD_FAILURES,
  forgiveFailures,
  readPause,
  type Attempted,
} from './throttle-queries.ts'

const FREE_ATTEMPTS = 5
const PAUSE_MAX_SECONDS = 300

type Kind = Attempted['kind']

export async function throttle(db: pg.Pool, kind: Kind, email: string): Promise<void> {
  const attempted = { kind, email }
  const { rows } = await db.query(admitAttempt(attempted, FREE_ATTEMPTS, PAUSE_MAX_SECONDS))
  if (rows.length > 0) return
  const pause = await db.query<{ seconds: number }>(readPause(attempted))
  throw new ServiceError('RATE_LIMITED', undefined, Math.max(1, pause.rows[0]?.seconds ?? 1))
}

export async function forgive(db: pg.Pool, kind: Kind, email: string): Promise<void> {
  await db.query(forgiveFailures({ kind, email }))
}

export async function pruneFailures(db: pg.Pool): Promise<void> {
  await db.query(DELETE_OLD_FAILURES)
}
