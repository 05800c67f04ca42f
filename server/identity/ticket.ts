/** Tickets carry a person from one step to the next without a cookie. Only hashes are stored. */
import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { CODE_TRIES_MAX, TICKET_MINUTES } from '@coffer/contract/limits'
import type pg from 'pg'
import { ServiceError } from '../service-error.ts'
import {
  DELETE_EXPIRED_TICKETS,
  insertTicket,
  takeTicket,
  tryTicket,
  type NewTicket,
  type TicketPurpose,
  type TicketRow,
} from './ticket-queries.ts'

/** Nothing hashes to zeros. */
const NO_CODE = Buffer.alloc(32)

export async function issueTicket(db: pg.Pool, ticket: NewTicket): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await db.query(insertTicket(hashTicket(token), ticket, null, TICKET_MINUTES))
  return token
}

/**
 * With a code that the caller must send to somebody. For a ticket that leads nowhere (`isReal` false) no code is
 * right, and its holder cannot tell.
 */
export async function issueCode(
  db: pg.Pool,
  ticket: NewTicket,
  isReal = true,
): Promise<{ ticket: string; code: string }> {
  const token = randomBytes(24).toString('base64url')
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const codeHash = isReal ? hashCode(token, code) : null
  await db.query(insertTicket(hashTicket(token), ticket, codeHash, TICKET_MINUTES))
  return { ticket: token, code }
}

export async function redeemTicket(
  db: pg.Pool,
  token: string,
  purpose: TicketPurpose,
): Promise<TicketRow | undefined> {
  const { rows } = await db.query<TicketRow>(takeTicket(hashTicket(token), [purpose]))
  return rows[0]
}

/** A few tries per ticket, whatever becomes of them. */
export async function checkCode(
  db: pg.Pool,
  token: string,
  code: string,
  ...purposes: TicketPurpose[]
): Promise<Pick<TicketRow, 'email'>> {
  const { rows } = await db.query<Pick<TicketRow, 'code_hash' | 'email'>>(
    tryTicket(hashTicket(token), purposes, CODE_TRIES_MAX),
  )
  const [row] = rows
  const isRight = timingSafeEqual(row?.code_hash ?? NO_CODE, hashCode(token, code))
  if (row === undefined || !isRight) throw new ServiceError('CODE_INVALID')
  return row
}

/** Checks the code and uses the ticket up. */
export async function redeemCode(
  db: pg.Pool,
  token: string,
  code: string,
  ...purposes: TicketPurpose[]
): Promise<TicketRow> {
  await checkCode(db, token, code, ...purposes)
  const { rows } = await db.query<TicketRow>(takeTicket(hashTicket(token), purposes))
  if (rows[0] === undefined) throw new ServiceError('CODE_INVALID')
  return rows[0]
}

export async function pruneTickets(db: pg.Pool): Promise<void> {
  await db.query(DELETE_EXPIRED_TICKETS)
}

function hashTicket(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** The ticket is the salt, and it is not in the database: a stolen dump cannot be searched for six digits. */
function hashCode(token: string, code: string): Buffer {
  return hash('sha256', `${token} ${code}`, 'buffer')
}
