/** The person's own log-in: a cookie of 256 random bits, of which only the hash is stored. */
import { hash, randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'
import {
  DELETE_EXPIRED_LOG_INS,
  deleteLogInByToken,
  findLogIn,
  insertLogIn,
  noteLogIn,
  type LogInRow,
} from './log-in-queries.ts'
import { nameDevice } from './name-device.ts'

export const COOKIE = '__Host-coffer'
export const IDLE_MINUTES = 30
const LOG_IN_HOURS = 12
const TOKEN = /^[\w-]{43}$/

export interface LoggedIn {
  logInId: string
  userId: bigint
  walletId: bigint
  firstName: string
  lastName: string
  email: string
}

/** Returns the cookie. A log-in that the browser held before is replaced, not left behind. */
export async function startLogIn(
  { db }: Pick<Context, 'db'>,
  userId: bigint,
  userAgent: string,
  cookieBefore: string | undefined,
): Promise<string> {
  if (cookieBefore !== undefined) await db.query(deleteLogInByToken(hashToken(cookieBefore)))
  const token = randomBytes(32).toString('base64url')
  await db.query(insertLogIn(hashToken(token), userId, nameDevice(userAgent), LOG_IN_HOURS))
  return token
}

/** Ends 12 hours after it began, or when nothing came for 30 minutes, by the database's clock. */
export async function requireLogIn(
  { db }: Pick<Context, 'db'>,
  cookie: string | undefined,
): Promise<LoggedIn> {
  if (cookie === undefined || !TOKEN.test(cookie)) throw new ServiceError('LOGIN_REQUIRED')
  const { rows } = await db.query<LogInRow>(findLogIn(hashToken(cookie), IDLE_MINUTES))
  const [row] = rows
  if (row === undefined) throw new ServiceError('LOGIN_REQUIRED')
  if (row.is_worth_noting) await db.query(noteLogIn(row.id))
  return {
    logInId: row.id,
    userId: row.service_user_id,
    walletId: row.wallet_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
  }
}

export async function pruneLogIns({ db }: Pick<Context, 'db'>): Promise<void> {
  await db.query(DELETE_EXPIRED_LOG_INS)
}

function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
