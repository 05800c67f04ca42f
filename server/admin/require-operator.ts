/** An operator's login: a cookie of 256 random bits. The database stores only its hash. */
import { hash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { z } from 'zod'
import { nameDevice } from '../account/name-device.ts'
import type { Context } from '../context.ts'
import { prune } from '../database/prune.ts'
import { one, run } from '../database/statement.ts'
import type { PageCall } from '../http/page-route.ts'
import { ServiceError } from '../service-error.ts'
import {
  EXPIRED_SIGN_IN_ROWS,
  deleteLogInByToken,
  findLogIn,
  insertLogIn,
  updateLogInLastSeen,
  updateOperatorLastSeen,
  type LoggedInOperator,
} from './log-in-queries.ts'

export const COOKIE = '__Host-coffer-admin'
export const IDLE_MINUTES = 15
const LOG_IN_HOURS = 8
const CONFIRMED_MINUTES = 5
const TOKEN = /^[\w-]{43}$/

/** The origin of a request: its address, its browser and its cookies. */
export type Caller = Pick<PageCall<z.ZodObject>, 'address' | 'network' | 'userAgent' | 'cookie'>

/** Returns a new cookie and ends the login that the browser had before. */
export async function startLogIn(
  tx: pg.ClientBase,
  operatorId: bigint,
  { address, userAgent, cookie }: Caller,
): Promise<string> {
  const before = cookie(COOKIE)
  if (before !== undefined) await run(tx, deleteLogInByToken(hashToken(before)))
  const token = randomBytes(32).toString('base64url')
  const device = nameDevice(userAgent)
  const tokenHash = hashToken(token)
  await run(tx, insertLogIn({ tokenHash, operatorId, address, device, hours: LOG_IN_HOURS }))
  return token
}

/**
 * A login ends after 8 hours or after 15 minutes without a request, by the database's clock, or as soon as the operator
 * is deactivated.
 */
export async function requireOperator(
  { db }: Pick<Context, 'db'>,
  cookie: string | undefined,
): Promise<LoggedInOperator> {
  if (cookie === undefined || !TOKEN.test(cookie)) throw new ServiceError('LOGIN_REQUIRED')
  const found = await one(db, findLogIn(hashToken(cookie), IDLE_MINUTES, CONFIRMED_MINUTES))
  if (found === undefined) throw new ServiceError('LOGIN_REQUIRED')
  const { operator, isLastSeenOld } = found
  if (isLastSeenOld) {
    // Two statements: changing an operator locks the operator before its logins, so one statement could deadlock.
    await run(db, updateLogInLastSeen(operator.logInId))
    await run(db, updateOperatorLastSeen(operator.operatorId))
  }
  return operator
}

export async function pruneAdminLogIns({ db }: Pick<Context, 'db'>): Promise<number> {
  let rows = 0
  for (const expired of EXPIRED_SIGN_IN_ROWS) rows += await prune(db, expired)
  return rows
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
