/** Limits login attempts per email. They are counted in the database, also for an email without an account. */
import type pg from 'pg'
import { prune } from '../database/prune.ts'
import { one, run } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import {
  admitAttempt,
  OLD_FAILURES,
  deleteFailures,
  readWait,
  type Attempted,
} from './throttle-queries.ts'

const FREE_ATTEMPTS = 5
const WAIT_MAX_SECONDS = 300

type Kind = Attempted['kind']

export async function throttle(db: pg.Pool, kind: Kind, email: string): Promise<void> {
  const attempted = { kind, email }
  const admitted = await run(db, admitAttempt(attempted, FREE_ATTEMPTS, WAIT_MAX_SECONDS))
  if (admitted > 0) return
  const waitSeconds = await one(db, readWait(attempted))
  throw new ServiceError('RATE_LIMITED', undefined, Math.max(1, waitSeconds ?? 1))
}

export async function clearFailures(db: pg.Pool, kind: Kind, email: string): Promise<void> {
  await run(db, deleteFailures({ kind, email }))
}

export function pruneFailures(db: pg.Pool): Promise<number> {
  return prune(db, OLD_FAILURES)
}
