/** How often somebody may try: counted by e-mail in the database, whether it is anybody's e-mail or not. */
import { hash } from 'node:crypto'
import type pg from 'pg'
import { ServiceError } from '../service-error.ts'
import {
  admitAttempt,
  DELETE_OLD_FAILURES,
  forgiveFailures,
  readPause,
} from './throttle-queries.ts'

const FREE_ATTEMPTS = 5
const PAUSE_MAX_SECONDS = 300

/** Keeps the counts of different doors apart. */
type Door = 'log-in' | 'mail' | 'admin-log-in' | 'admin-code'

export async function throttle(db: pg.Pool, what: Door, email: string): Promise<void> {
  const name = hashEmail(what, email)
  const { rows } = await db.query(admitAttempt(name, FREE_ATTEMPTS, PAUSE_MAX_SECONDS))
  if (rows.length > 0) return
  const pause = await db.query<{ seconds: number }>(readPause(name))
  throw new ServiceError('RATE_LIMITED', undefined, Math.max(1, pause.rows[0]?.seconds ?? 1))
}

export async function forgive(db: pg.Pool, what: Door, email: string): Promise<void> {
  await db.query(forgiveFailures(hashEmail(what, email)))
}

export async function pruneFailures(db: pg.Pool): Promise<void> {
  await db.query(DELETE_OLD_FAILURES)
}

function hashEmail(what: string, email: string): Buffer {
  return hash('sha256', `${what} ${email.toLowerCase()}`, 'buffer')
}
