/** A ticket identifies a person at the next step without a cookie. Only hashes are stored. */
import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { CODE_TRIES_MAX, TICKET_MINUTES } from '@coffer/contract/limits'
import type pg from 'pg'
import { prune } from '../database/prune.ts'
import { one, run } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import {
  EXPIRED_TICKETS,
  findTicket,
  insertTicket,
  takeTicket,
  tryTicket,
  type NewTicket,
  type Ticket,
  type TicketPurpose,
} from './ticket-queries.ts'

/** No code hashes to zeros. */
const NO_CODE = Buffer.alloc(32)

export async function issueTicket(
  db: pg.Pool,
  ticket: NewTicket,
  minutes = TICKET_MINUTES,
): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await insert(db, insertTicket(hashTicket(token), ticket, null, minutes))
  return token
}

/**
 * Issues a ticket with a code, which the caller sends by email. If `isReal` is false, no code is right, and the holder
 * of the ticket cannot tell.
 */
export async function issueCode(
  db: pg.Pool,
  ticket: NewTicket,
  isReal = true,
): Promise<{ ticket: string; code: string }> {
  const token = randomBytes(24).toString('base64url')
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const codeHash = isReal ? hashCode(token, code) : null
  await insert(db, insertTicket(hashTicket(token), ticket, codeHash, TICKET_MINUTES))
  return { ticket: token, code }
}

/** The password was changed after it was checked, or the address, so the login is no longer valid. */
async function insert(db: pg.Pool, statement: pg.QueryConfig) {
  const inserted = await run(db, statement)
  if (inserted !== 1) throw new ServiceError('LOGIN_FAILED')
}

/** Returns the ticket without using it up. */
export async function readTicket(
  db: pg.Pool,
  token: string,
  purpose: TicketPurpose,
): Promise<Ticket | undefined> {
  return one(db, findTicket(hashTicket(token), purpose))
}

export async function redeemTicket(
  db: pg.Pool,
  token: string,
  purpose: TicketPurpose,
): Promise<Ticket | undefined> {
  return one(db, takeTicket(hashTicket(token), [purpose]))
}

/** A ticket allows a few attempts only. */
async function checkCode(
  db: pg.Pool,
  token: string,
  code: string,
  ...purposes: TicketPurpose[]
): Promise<void> {
  const tried = await one(db, tryTicket(hashTicket(token), purposes, CODE_TRIES_MAX))
  const isRight = timingSafeEqual(tried?.codeHash ?? NO_CODE, hashCode(token, code))
  if (tried === undefined || !isRight) throw new ServiceError('CODE_INVALID')
}

/** Checks the code and deletes the ticket. */
export async function redeemCode(
  db: pg.Pool,
  token: string,
  code: string,
  ...purposes: TicketPurpose[]
): Promise<Ticket> {
  await checkCode(db, token, code, ...purposes)
  const ticket = await one(db, takeTicket(hashTicket(token), purposes))
  if (ticket === undefined) throw new ServiceError('CODE_INVALID')
  return ticket
}

export function pruneTickets(db: pg.Pool): Promise<number> {
  return prune(db, EXPIRED_TICKETS)
}

export function hashTicket(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** The ticket is the salt, and it is not in the database: the six digits cannot be guessed from a stolen dump. */
function hashCode(token: string, code: string): Buffer {
  return hash('sha256', `${token} ${code}`, 'buffer')
}
