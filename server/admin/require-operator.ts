/** An operator's log-in: a cookie of 256 random bits, of which only the hash is stored. */
import type { Role } from '@coffer/contract/admin/endpoint'
import { hash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Context } from '../context.ts'
import { nameDevice } from '../account/name-device.ts'
import { ServiceError } from '../service-error.ts'
import {
  DELETE_EXPIRED_LOG_INS,
  DELETE_EXPIRED_TICKETS,
  deleteLogInByToken,
  findLogIn,
  insertLogIn,
  noteLogIn,
  noteOperator,
  type LogInRow,
} from './log-in-queries.ts'
import { DELETE_EXPIRED_CHALLENGES } from './passkey-queries.ts'

export const COOKIE = '__Host-coffer-admin'
export const IDLE_MINUTES = 15
const LOG_IN_HOURS = 8
const CONFIRMED_MINUTES = 5
const TOKEN = /^[\w-]{43}$/

export interface LoggedInOperator {
  logInId: string
  operatorId: bigint
  email: string
  name: string
  role: Role
  /** Gave password and code, or a passkey, within the last minutes. */
  isConfirmed: boolean
}

/** Where a call comes from, and with what. */
export interface Caller {
  address: string
  userAgent: string
  cookie: (name: string) => string | undefined
}

/** Returns the cookie: always a new one, and what the browser held before is ended. */
export async function startLogIn(
  tx: pg.ClientBase,
  operatorId: bigint,
  { address, userAgent, cookie }: Caller,
): Promise<string> {
  const before = cookie(COOKIE)
  if (before !== undefined) await tx.query(deleteLogInByToken(hashToken(before)))
  const token = randomBytes(32).toString('base64url')
  const device = nameDevice(userAgent)
  const tokenHash = hashToken(token)
  await tx.query(insertLogIn({ tokenHash, operatorId, address, device, hours: LOG_IN_HOURS }))
  return token
}

/** Ends 8 hours after it began, or when nothing came for 15 minutes, by the database's clock; at once if deactivated. */
export async function requireOperator(
  { db }: Pick<Context, 'db'>,
  cookie: string | undefined,
): Promise<LoggedInOperator> {
  if (cookie === undefined || !TOKEN.test(cookie)) throw new ServiceError('LOGIN_REQUIRED')
  const { rows } = await db.query<LogInRow>(
    findLogIn(hashToken(cookie), IDLE_MINUTES, CONFIRMED_MINUTES),
  )
  const [row] = rows
  if (row === undefined) throw new ServiceError('LOGIN_REQUIRED')
  if (row.is_worth_noting) {
    // Not in one statement: whoever changes an operator ends log-ins after that, and each would wait for the other.
    await db.query(noteLogIn(row.id))
    await db.query(noteOperator(row.operator_id))
  }
  return {
    logInId: row.id,
    operatorId: row.operator_id,
    email: row.email,
    name: row.name,
    role: row.role,
    isConfirmed: row.is_confirmed,
  }
}

export async function pruneAdminLogIns({ db }: Pick<Context, 'db'>): Promise<void> {
  await db.query(DELETE_EXPIRED_TICKETS)
  await db.query(DELETE_EXPIRED_LOG_INS)
  await db.query(DELETE_EXPIRED_CHALLENGES)
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
