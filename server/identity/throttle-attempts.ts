/**
 * Limits attempts per email, in the database, also for an email without an account. Attempts to log in are counted for
 * each network and each known device separately: otherwise a stranger could make the owner wait.
 */
import { createHmac } from 'node:crypto'
import type pg from 'pg'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { prune } from '../database/prune.ts'
import { one, run } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import type { Caller } from './queue-fairly.ts'
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

/** Which attempts on an account are counted together. A stolen dump must not reveal addresses, so they are hashed. */
export function scopeOf([pepper]: Config['peppers'], { network, known }: Caller): string {
  if (known) return `device ${known.device}`
  return createHmac('sha256', pepper.key).update(`coffer network ${network}`).digest('base64url')
}

type Tools = Pick<Context, 'db' | 'config'>

/** Depends on the newest pepper, so all counts start again after a rotation. */
function keyOf({ peppers: [pepper] }: Pick<Config, 'peppers'>): Buffer {
  return createHmac('sha256', pepper.key).update('coffer attempts').digest()
}

/** Without a scope, the attempts of all callers are counted together. */
export async function throttle(
  { db, config }: Tools,
  kind: Kind,
  email: string,
  scope?: string,
): Promise<void> {
  const attempted = { kind, email, scope, key: keyOf(config) }
  const admitted = await run(db, admitAttempt(attempted, FREE_ATTEMPTS, WAIT_MAX_SECONDS))
  if (admitted > 0) return
  const waitSeconds = await one(db, readWait(attempted))
  throw new ServiceError('RATE_LIMITED', undefined, Math.max(1, waitSeconds ?? 1))
}

export async function clearFailures(
  { db, config }: Tools,
  kind: Kind,
  email: string,
  scope?: string,
): Promise<void> {
  await run(db, deleteFailures({ kind, email, scope, key: keyOf(config) }))
}

export function pruneFailures(db: pg.Pool): Promise<number> {
  return prune(db, OLD_FAILURES)
}
