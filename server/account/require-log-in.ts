/** The person's login: a cookie of 256 random bits. Only its hash is stored. */
import { hash, randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import { prune } from '../database/prune.ts'
import { one, run } from '../database/statement.ts'
import type { Person } from '../identity/queries.ts'
import { ServiceError } from '../service-error.ts'
import {
  EXPIRED_LOG_INS,
  deleteLogInByToken,
  findLogIn,
  insertLogIn,
  touchLogIn,
  type LoggedIn,
} from './log-in-queries.ts'
import { nameDevice } from './name-device.ts'

export const COOKIE = '__Host-coffer'
export const IDLE_MINUTES = 30
const LOG_IN_HOURS = 12
const TOKEN = /^[\w-]{43}$/

/** Returns the cookie. Ends the browser's previous login. Fails if the password was changed after it was checked. */
export async function startLogIn(
  { db }: Pick<Context, 'db'>,
  person: Pick<Person, 'userId' | 'passwordHash'>,
  userAgent: string,
  cookieBefore: string | undefined,
): Promise<string> {
  if (cookieBefore !== undefined) await run(db, deleteLogInByToken(hashToken(cookieBefore)))
  const token = randomBytes(32).toString('base64url')
  const statement = insertLogIn(hashToken(token), person, nameDevice(userAgent), LOG_IN_HOURS)
  if ((await run(db, statement)) !== 1) throw new ServiceError('LOGIN_FAILED')
  return token
}

/** A login ends after 12 hours, or after 30 minutes without a request, by the database's clock. */
export async function requireLogIn(
  { db }: Pick<Context, 'db'>,
  cookie: string | undefined,
): Promise<LoggedIn> {
  if (cookie === undefined || !TOKEN.test(cookie)) throw new ServiceError('LOGIN_REQUIRED')
  const found = await one(db, findLogIn(hashToken(cookie), IDLE_MINUTES))
  if (found === undefined) throw new ServiceError('LOGIN_REQUIRED')
  if (found.isStale) await run(db, touchLogIn(found.person.logInId))
  return found.person
}

export function pruneLogIns({ db }: Pick<Context, 'db'>): Promise<number> {
  return prune(db, EXPIRED_LOG_INS)
}

function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
